// A seat's label: the name, the side, the clock, and the score.

import { html } from "/app/html.js";
import { Clock, isAway } from "/app/table/seats.js";
import { Mark } from "../drawing/marks.js";

/** @import { Sight, Words } from "/app/contract.js" */

/** @param {{sight: Sight, view: any, score: number, seat: number, name: string,
 *   where: "above"|"below", words: Words, fan?: any}} props */
export function Seat({ sight, view, score, seat, name, where, words, fan }) {
  const side = seat === view.emperor ? "E" : "S";
  const counts = view.purses ? "purse" : sight.options.victory === "rounds" ? "wins" : "winnings";
  return html`<section class="ec-seat" data-anchor=${seat} data-where=${where} aria-label=${name}>
    <h2 class="ec-seat-name">${name}</h2>
    <p class="ec-seat-side">
      <${Mark} of=${side} /> <span>${words(`side.${side}`)}</span> <${Clock} sight=${sight} seat=${seat} />
      ${isAway(sight, seat) ? html`<span class="ec-away">${words("seat.away")}</span>` : null}
    </p>
    ${fan}
    <p class="ec-score" aria-label=${words(`score.${counts}.said`, { score })}>
      <span class="ec-score-number">${score}</span>
      ${view.purses ? html`<span class="ec-score-word">${words("score.purse")}</span>` : null}
    </p>
  </section>`;
}
