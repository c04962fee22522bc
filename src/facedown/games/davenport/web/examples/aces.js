// The four examples of the Ace rules (D15), with the rules behind each.

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "../drawing/card.js";
import { signed } from "../words/names.js";

/** @import { Words } from "/app/contract.js" */

const TABLES = [
  { cards: ["AS", "8D", "JC", "KH"], rules: ["D11", "D12"] },
  { cards: ["AS", "7D", "8C", "9H"], rules: ["D6", "D13"] },
  { cards: ["AS", "AD", "7C", "8H"], rules: ["D6", "D13"] },
  { cards: ["AS", "7D", "KC", "KH"], rules: ["D11", "D12"] },
];

/** @param {{words: Words}} props */
export function Aces({ words }) {
  const [at, setAt] = useState(-1);
  return html`<div class="example-table">
    <p>${words("example.ace.ask")}</p>
    <div class="example-row">
      ${TABLES.map(
        ({ cards }, i) => html`<button
          type="button"
          class="dv-exchange"
          aria-pressed=${i === at}
          onClick=${() => setAt(i)}
        >
          ${cards.map(signed).join(" ")}
        </button>`,
      )}
    </div>
    <div class="example-pair" aria-hidden="true">
      ${(TABLES[at]?.cards ?? ["sealed", "sealed", "sealed", "sealed"]).map((card) => html`<${Card} card=${card} />`)}
    </div>
    <${Answer} rules=${TABLES[at]?.rules ?? []} text=${at < 0 ? "" : words(`example.ace.${at}`)} />
  </div>`;
}
