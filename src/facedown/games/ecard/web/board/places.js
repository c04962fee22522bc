// The two places under the lamp, the other's on the left and yours on the right: sealed, turning or turned.

import { html } from "/app/html.js";
import { Eye } from "/app/table/card_back.js";
import { isMachine } from "/app/table/seats.js";
import { Card } from "../drawing/card.js";

/** @import { RevealFacts } from "../reveal/facts.js" */
/** @import { Sight, Words } from "/app/contract.js" */

/** What there is to know when the two places are laid out.
 * @typedef {{sight: Sight, view: any, reveal: RevealFacts|null, stage: string, sealed: number[], words: Words,
 *   call: (seat: number) => string}} Moment */

/** One place. `card` is the letter once it may be seen; `state` is what lies there.
 * @typedef {{who: "other"|"you", state: "empty"|"due"|"sealed"|"turning"|"turned", card: string|null, beaten: boolean,
 *   label: string, name: string, due?: boolean}} PlaceProps `due`: it is waited for, be there a drawn card still */

const LONGEST = 11;

/** A name that fits under a card. @param {string} name */
function brief(name) {
  const signs = Array.from(name);
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST - 1).join("")}…` : name;
}

/** What is said under a place: who is ready, and who is to play.
 * @param {number} seat @param {Moment} moment */
function statusOf(seat, { sight, view, sealed, call, words }) {
  if (view.outcome || view.stake === null) return "";
  const name = brief(call(seat));
  const mine = seat === sight.seat;
  if (sealed.includes(seat))
    return words(mine ? (sight.sending ? "place.sending" : "place.you_sealed") : "place.sealed", { name });
  if (!sight.turn?.may_seal.includes(seat)) return "";
  return words(mine ? "place.your_turn" : isMachine(sight, seat) ? "place.thinking" : "place.their_turn", { name });
}

/** What lies on a seat's place, and what is said under it. Two drawn cards lie there until the player goes on; after
 * the game, the cards of the last finished round stay.
 * @param {number} seat @param {"you"|"other"} who @param {Moment} moment @returns {PlaceProps} */
export function placeOf(seat, who, moment) {
  const { view, reveal, stage, sealed, words } = moment;
  const nothing = /** @type {const} */ ({ who, card: null, beaten: false, name: "" });
  if (stage === "hold" && reveal?.cards) return { ...nothing, state: "sealed", label: "" };
  if ((stage === "turn" || stage === "result") && reveal?.cards) {
    const card = reveal.cards[seat - 1];
    const turning = stage === "turn";
    const label = turning ? "" : statusOf(seat, moment);
    const due = label !== "" && !sealed.includes(seat);
    return { ...nothing, state: turning ? "turning" : "turned", card, name: words(`card.${card}`), label, due };
  }
  const last = view.outcome ? view.rounds[view.rounds.length - 1] : null;
  if (last) {
    const name = words(`card.${last.cards[seat - 1]}`);
    const beaten = last.winner !== null && last.winner !== seat;
    return { who, state: "turned", card: last.cards[seat - 1], beaten, name, label: name };
  }
  const label = statusOf(seat, moment);
  if (sealed.includes(seat) && view.stake !== null) return { ...nothing, state: "sealed", label };
  return { ...nothing, state: label ? "due" : "empty", label };
}

/** Where the light is: at the one place that is waited for, else over both.
 * @param {PlaceProps[]} places */
export function lampOf(places) {
  const due = places.filter((place) => place.state === "due").map((place) => place.who);
  return due.length === 1 ? due[0] : "both";
}

/** @param {PlaceProps} props */
function Place({ who, state, card, beaten, label, name, due = state === "due" }) {
  const shown = state === "turning" || state === "turned";
  return html`<div
    class="ec-place"
    data-who=${who}
    data-state=${state}
    data-beaten=${beaten}
    data-due=${due}
    data-drop=${who === "you" ? "table" : undefined}
  >
    <div class="ec-slot">
      ${
        state === "empty" || state === "due"
          ? html`<svg class="ec-slot-eye" viewBox="-24 -24 48 48" aria-hidden="true">
            <circle r="23" fill="none" stroke="currentColor" stroke-width="1.4" />
            <${Eye} cx=${0} cy=${1} s=${11} colour="currentColor" />
          </svg>`
          : html`<div class="ec-turner">
            <div class="ec-side" data-side="back"><${Card} card="sealed" /></div>
            ${
              shown && card
                ? html`<div class="ec-side" data-side="face"><${Card} card=${card} name=${name} /></div>`
                : null
            }
          </div>`
      }
    </div>
    <p class="ec-place-label">${label}</p>
  </div>`;
}

/** @param {{places: PlaceProps[], lamp: string, turn: number, children?: any}} props */
export function Places({ places, lamp, turn, children }) {
  return html`<div class="ec-places" data-lamp=${lamp} style=${{ "--ec-turn": `${turn}ms` }}>
    <div class="ec-light" aria-hidden="true"></div>
    ${places.map((place) => html`<${Place} key=${place.who} ...${place} />`)} ${children}
  </div>`;
}
