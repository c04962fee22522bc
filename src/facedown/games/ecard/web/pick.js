// One pick drawn: a card, or the stake as a number.
import { html } from "/app/html.js";
import { Card } from "./card.js";
import { Mark } from "./marks.js";

/** @param {{pick: string, size: "card"|"glyph"}} props */
export function Pick({ pick, size }) {
  if (!"ECS".includes(pick)) return html`<span class="ec-pick-stake">${pick}</span>`;
  return size === "glyph" ? html`<${Mark} of=${pick} />` : html`<${Card} card=${pick} />`;
}
