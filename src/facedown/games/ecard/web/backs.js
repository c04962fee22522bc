// A fan of backs: somebody's hand as a number of cards. It closes up evenly, so that no gap tells which card left.
import { html } from "/app/html.js";
import { Card } from "./card.js";

/** @param {{count: number, label: string, where: "above"|"below"|"strip"}} props */
export function Backs({ count, label, where }) {
  const middle = (count - 1) / 2;
  return html`<div class="ec-backs" data-where=${where} role="img" aria-label=${label}>
    ${Array.from(
      { length: count },
      (_, i) => html`<div class="ec-held" style=${{ "--from-middle": i - middle }}>
        <${Card} card="back" />
      </div>`,
    )}
  </div>`;
}
