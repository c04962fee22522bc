// Who sits there: the name, how many cards are held, and what the seat is doing.
import { html } from "./html.js";
import { Clock } from "./clock.js";

/** @typedef {import("../../../web/app/contract.js").Words} Words */

/** @param {{count: number}} props */
function Held({ count }) {
  return html`<span class="dv-held" aria-hidden="true">${Array.from({ length: Math.min(count, 7) }, () => html`<i></i>`)}</span>`;
}

/** @param {{sight: import("../../../web/app/contract.js").Sight, view: any, seat: number, name: string, count: number,
 *   doing: string, strong: boolean, words: Words}} props */
export function SeatLabel({ sight, view, seat, name, count, doing, strong, words }) {
  const isIn = view.seats_in.includes(seat);
  const counting = view.phase === "playoff" && view.wins.some((/** @type {number} */ n) => n > 0);
  const person = sight.table.seats.find((each) => each.seat === seat);
  const away = person?.kind === "person" && person.taken && !person.here && seat !== sight.seat;
  return html`<div class="dv-seat-label" data-in=${isIn}>
    <h3 class="dv-name">${name}</h3>
    <p class="dv-count">${isIn ? html`<${Held} count=${count} /><span class="dv-unseen">${words("seat.holds", { count })}</span><b aria-hidden="true">${count}</b>` : words("seat.not_in")}</p>
    <p class="dv-doing" data-strong=${strong}>${counting && isIn ? html`<span class="dv-wins">${words("seat.wins", { count: view.wins[seat - 1] })}</span> ` : null}${away ? `${words("seat.away")} ` : ""}${doing} <${Clock} sight=${sight} seat=${seat} /></p></div>`;
}
