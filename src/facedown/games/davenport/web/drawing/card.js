// Cards as they are drawn: a single card that fills its box, a pick, the game's emblem.

import { html, memo } from "/app/html.js";
import { Back, provideDefs, Weave } from "/app/table/card_back.js";
import { readPick, signed } from "../words/names.js";
import { Face, Shades, SUITS } from "./faces.js";

const Drawings = () => html`<${Shades} /><${Weave} />`;

/** `card` is a name like 7H, "back" or "sealed".
 * @param {{card: string}} props */
function Drawn({ card }) {
  provideDefs("dv-drawings", Drawings);
  return html`<svg class="dv-card" data-card=${card} viewBox="0 0 210 300" aria-hidden="true">
    ${card.length === 2 ? html`<${Face} card=${card} />` : html`<${Back} sealed=${card === "sealed"} />`}
  </svg>`;
}

export const Card = memo(Drawn);

/** @param {{pick: string, size: "card"|"glyph"}} props */
export function Pick({ pick, size }) {
  const { card, exchange } = readPick(pick);
  if (size === "glyph") return html`<span class="dv-pick">${exchange ? "⇄ " : ""}${signed(card)}</span>`;
  return html`<div class="dv-pick-card" data-exchange=${exchange}>
    <${Card} card=${card} />${exchange ? html`<span aria-hidden="true">⇄</span>` : null}
  </div>`;
}

const FAN = ["8D", "JC", "KH", "AS", "sealed"];

/** @param {{size: "fan"|"glyph"}} props */
export function Emblem({ size }) {
  if (size === "glyph")
    return html`<svg class="dv-mark" viewBox="0 0 100 100" fill="currentColor" aria-hidden="true">
      <path d=${SUITS.S} />
    </svg>`;
  return html`<div class="dv-emblem" aria-hidden="true">
    ${FAN.map(
      (card, place) => html`<div class="dv-emblem-card" style=${{ "--from-middle": place - 2 }}>
        <${Card} card=${card} />
      </div>`,
    )}
  </div>`;
}
