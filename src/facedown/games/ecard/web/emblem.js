// The game's emblem: a fan of its three cards and a sealed back, or one small mark.
import { html } from "/app/html.js";
import { Card } from "./card.js";
import { Mark } from "./marks.js";

const FAN = ["E", "C", "S", "sealed"];

/** @param {{size: "fan"|"glyph"}} props */
export function Emblem({ size }) {
  if (size === "glyph") return html`<${Mark} of="E" />`;
  return html`<div class="ec-emblem" aria-hidden="true">
    ${FAN.map(
      (card, place) => html`<div class="ec-held" style=${{ "--from-middle": place - 1.5 }}>
        <${Card} card=${card} />
      </div>`,
    )}
  </div>`;
}
