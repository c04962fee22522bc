// Places on Davenport's table: the seats around the oval, what lies before each, and the piles in the middle.

import { html } from "/app/html.js";
import { Carried } from "/app/table/flights.js";
import { Clock, isAway, Portrait } from "/app/table/seats.js";
import { Card, TwoSided } from "../drawing.js";
import { GIVEN } from "./ways.js";

/** @import { Sight, Words } from "/app/contract.js" */
/** @import { Cards, Flight } from "/app/table/flights.js" */

// Positions of the seats around the oval: you at the bottom, the others clockwise from your left.

/** @typedef {{seat: number, x: number, y: number, side: "left"|"right", column: number, row: number}} Spot */

/** All others in seat order from your left. `x` and `y` are on the unit circle; `column` and `row` are for a
 * narrow page: the left column is read upwards, the right one downwards, an odd seat sits on top.
 * @param {number} seats @param {number} you @returns {Spot[]} */
export function spots(seats, you) {
  const others = seats - 1;
  const half = Math.floor(others / 2);
  const odd = others % 2;
  return Array.from({ length: others }, (_, i) => {
    const step = i + 1;
    const angle = Math.PI / 2 + (step * 2 * Math.PI) / seats;
    const x = Math.round(Math.cos(angle) * 1000) / 1000;
    const onTop = odd === 1 && step === half + 1;
    const left = step <= half;
    return {
      seat: ((you - 1 + step) % seats) + 1,
      x,
      y: Math.round(Math.sin(angle) * 1000) / 1000,
      side: x < -0.01 ? "left" : "right",
      column: onTop ? 0 : left ? 1 : 2,
      row: onTop ? 1 : odd + (left ? half - step + 1 : step - half - odd),
    };
  });
}

/** How many rows of seats a narrow page has.
 * @param {number} seats */
export const rowsOf = (seats) => Math.ceil((seats - 1) / 2);

// A seat's label: the name, how many cards are held, and what the seat is doing.

/** @param {{count: number}} props */
function Held({ count }) {
  return html`<span class="dv-held" aria-hidden="true">
    ${Array.from({ length: Math.min(count, 7) }, () => html`<i></i>`)}
  </span>`;
}

/** A name that is cut before its number: machines that are alike differ only there.
 * @param {{children: string}} props */
function NumberedName({ children: name }) {
  const [, start, number] = /^(.*) (\d+)$/.exec(name) ?? [];
  return number ? html`<span class="dv-numbered"><span>${start}</span> <span>${number}</span></span>` : name;
}

/** @param {{sight: Sight, view: any, seat: number, name: string, count: number,
 *   doing: string, strong: boolean, drew: number, words: Words}} props */
export function SeatLabel({ sight, view, seat, name, count, doing, strong, drew, words }) {
  const isIn = view.seats_in.includes(seat);
  const counting = view.phase === "playoff" && view.wins.some((/** @type {number} */ n) => n > 0);
  return html`<div class="dv-seat-label" data-anchor=${seat} data-in=${isIn}>
    <h3 class="one-line dv-name"><${Portrait} sight=${sight} seat=${seat} /><${NumberedName}>${name}<//></h3>
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

// What lies before a seat: nothing, a sealed card, or the card it shows; the winner's is lifted.

/** `card` is its face, if the viewer may see it; `lost`: another's was better.
 * @typedef {{state: "empty"|"due"|"sealed"|"lifted"|"turning"|"shown", id: string, card: string|null, won: boolean,
 *   lost: boolean, exchanged: boolean, fallen: boolean, last: boolean, flight: Flight|null}} Lying
 * `fallen`: it cost one card more; `last`: it is about to be turned, and nothing is left in the hand */

/** @param {Lying & {cards: Cards, seat: number, drop?: string, words: Words}} props */
export function Place({ cards, state, id, card, won, lost, exchanged, fallen, last, flight, seat, drop, words }) {
  const down = state === "sealed" || state === "lifted";
  return html`<div
    class="dv-place"
    data-seat=${seat}
    data-state=${state}
    data-won=${won}
    data-lost=${lost}
    data-fallen=${fallen}
    data-last=${last}
    data-drop=${drop}
  >
    <div class="card-slot dv-slot">
      ${
        state === "empty" || state === "due"
          ? null
          : html`<${Carried} key=${id} cards=${cards} id=${id} flight=${down ? flight : null}>
            <${TwoSided} card=${card} back="sealed" down=${down} lost=${lost} />
          <//>`
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

// Stock and discards in the middle. A card dragged onto the discards is exchanged.

/** @param {{kind: "stock"|"discards", count: number, word: string, drop?: string, children?: any}} props */
function Pile({ kind, count, word, drop, children }) {
  const layers = Math.min(3, count);
  return html`<div class="dv-pile" data-pile=${kind} data-drop=${drop}>
    <div class="dv-pile-cards" aria-hidden="true">
      ${Array.from(
        { length: layers },
        (_, i) => html`<div class="dv-pile-card" style=${{ "--layer": i }}>
          <${Card} card="back" />
        </div>`,
      )}
      ${children}
    </div>
    <p><b>${count}</b> ${word}</p>
  </div>`;
}

/** `given`: the viewer's card that is exchanged in this round, or none.
 * @param {{cards: Cards, stock: number, discards: number, exchanging: boolean, given: string, moves: boolean,
 *   words: Words}} props */
export function Piles({ cards, stock, discards, exchanging, given, moves, words }) {
  return html`<div class="dv-piles" data-exchanging=${exchanging}>
    <${Pile} kind="stock" count=${stock} word=${words("pile.stock")} />
    <${Pile}
      kind="discards"
      count=${discards}
      word=${words("pile.discards")}
      drop=${exchanging ? "discards" : undefined}
    >
      ${
        given
          ? html`<${Carried} key=${given} cards=${cards} id=${given} flight=${moves ? GIVEN : null}>
            <${TwoSided} card=${given} back="back" down=${true} />
          <//>`
          : null
      }
    <//>
  </div>`;
}
