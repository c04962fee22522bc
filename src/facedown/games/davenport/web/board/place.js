// What lies before a seat: nothing, a sealed card, or the card it shows; the winner's is lifted.

import { html } from "/app/html.js";
import { Card } from "../drawing/card.js";

/** @import { Words } from "/app/contract.js" */

/** @typedef {{state: "empty"|"due"|"sealed"|"turning"|"shown", card: string|null, won: boolean, lost: boolean,
 *   exchanged: boolean}} Lying  `lost`: it is one's own, and another's was better */

/** @param {Lying & {seat: number, drop?: string, words: Words}} props */
export function Place({ state, card, won, lost, exchanged, seat, drop, words }) {
  const face = (state === "turning" || state === "shown") && card;
  return html`<div
    class="dv-place"
    data-seat=${seat}
    data-state=${state}
    data-won=${won}
    data-lost=${lost}
    data-drop=${drop}
  >
    <div class="dv-slot">
      ${
        state === "empty" || state === "due"
          ? null
          : html`<div class="dv-turner">
            <div class="dv-side" data-side="back"><${Card} card="sealed" /></div>
            ${face ? html`<div class="dv-side" data-side="face"><${Card} card=${card} /></div>` : null}
          </div>`
      }
    </div>
    ${
      exchanged
        ? html`<p class="dv-place-note">
          <span aria-hidden="true">⇄</span> <span class="dv-note-word">${words("place.exchanged")}</span>
        </p>`
        : null
    }
  </div>`;
}
