// One pick drawn: the card, with a sign where it was given away in exchange.
import { html } from "/app/html.js";
import { Card } from "./card.js";
import { readPick, signed } from "./names.js";

/** @param {{pick: string, size: "card"|"glyph"}} props */
export function Pick({ pick, size }) {
  const { card, exchange } = readPick(pick);
  if (size === "glyph") return html`<span class="dv-pick">${exchange ? "⇄ " : ""}${signed(card)}</span>`;
  return html`<div class="dv-pick-card" data-exchange=${exchange}>
    <${Card} card=${card} />${exchange ? html`<span aria-hidden="true">⇄</span>` : null}
  </div>`;
}
