// Stock and discards in the middle. A card dragged onto the discards is exchanged.

import { html } from "/app/html.js";
import { Card } from "../drawing/card.js";

/** @import { Words } from "/app/contract.js" */

/** @param {{kind: "stock"|"discards", count: number, word: string, drop?: string}} props */
function Pile({ kind, count, word, drop }) {
  const layers = Math.min(3, count);
  return html`<div class="dv-pile" data-pile=${kind} data-drop=${drop}>
    <div class="dv-pile-cards" aria-hidden="true">
      ${Array.from(
        { length: layers },
        (_, i) => html`<div class="dv-pile-card" style=${{ "--layer": i }}>
          <${Card} card="back" />
        </div>`,
      )}
    </div>
    <p><b>${count}</b> ${word}</p>
  </div>`;
}

/** @param {{stock: number, discards: number, exchanging: boolean, words: Words}} props */
export function Piles({ stock, discards, exchanging, words }) {
  return html`<div class="dv-piles" data-exchanging=${exchanging}>
    <${Pile} kind="stock" count=${stock} word=${words("pile.stock")} />
    <${Pile}
      kind="discards"
      count=${discards}
      word=${words("pile.discards")}
      drop=${exchanging ? "discards" : undefined}
    />
  </div>`;
}
