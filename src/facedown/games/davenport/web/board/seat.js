// A seat's label: the name, how many cards are held, and what the seat is doing.

import { html } from "/app/html.js";
import { Clock, isAway } from "/app/table/seats.js";

/** @import { Sight, Words } from "/app/contract.js" */

/** @param {{count: number}} props */
function Held({ count }) {
  return html`<span class="dv-held" aria-hidden="true">
    ${Array.from({ length: Math.min(count, 7) }, () => html`<i></i>`)}
  </span>`;
}

/** @param {{sight: Sight, view: any, seat: number, name: string, count: number,
 *   doing: string, strong: boolean, drew: number, words: Words}} props */
export function SeatLabel({ sight, view, seat, name, count, doing, strong, drew, words }) {
  const isIn = view.seats_in.includes(seat);
  const counting = view.phase === "playoff" && view.wins.some((/** @type {number} */ n) => n > 0);
  return html`<div class="dv-seat-label" data-anchor=${seat} data-in=${isIn}>
    <h3 class="dv-name">${name}</h3>
    <p class="dv-count">
      ${
        isIn
          ? html`
            <${Held} count=${count} />
            <span class="unseen">${words("account.cards", { count })}</span>
            <b aria-hidden="true">${count}</b>
            ${drew ? html`<span class="dv-drew" aria-hidden="true">+${drew}</span>` : null}
          `
          : words("seat.not_in")
      }
    </p>
    <p class="dv-doing" data-strong=${strong}>
      ${
        counting && isIn
          ? html`<span class="dv-wins">${words("account.wins", { count: view.wins[seat - 1] })}</span> `
          : null
      }
      ${isAway(sight, seat) ? `${words("seat.away")} ` : ""}
      ${doing} <${Clock} sight=${sight} seat=${seat} />
    </p>
  </div>`;
}
