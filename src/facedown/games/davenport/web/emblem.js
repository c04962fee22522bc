// The game's emblem: a fan of five cards, the last one sealed; or one small mark.
import { html } from "/app/html.js";
import { Card } from "./card.js";
import { SUITS } from "./french.js";

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
