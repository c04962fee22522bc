// The two places under the lamp: the cards, the labels of the seats, and the moment in which they swap sides.

import { html, useEffect, useRef, useState, useTimer } from "/app/html.js";
import { Eye } from "/app/table/card_back.js";
import { Carried } from "/app/table/flights.js";
import { Clock, isAway, isMachine, Portrait } from "/app/table/seats.js";
import { TwoSided } from "../drawing/card.js";
import { Mark } from "../drawing/marks.js";
import { SEALING } from "../reveal/use_reveal.js";

/** @import { Cards, Flight } from "/app/table/flights.js" */
/** @import { RevealFacts } from "../reveal/facts.js" */
/** @import { Sight, Words } from "/app/contract.js" */

// The two places under the lamp, the other's on the left and yours on the right: sealed, turning or turned.

/** What the layout of the two places needs. `idOf` names the card that a seat placed in a play; `placed` is the own
 * one; `isRead` says whether a drawn play has been seen for long enough to make room for the next card.
 * @typedef {{sight: Sight, view: any, reveal: RevealFacts|null, stage: string, sealed: number[], words: Words,
 *   call: (seat: number) => string, placed: string|null, isRead: boolean,
 *   idOf: (seat: number, round: number, play: number) => string}} Moment */

/** One place. `card` is the letter if this page may know it; `state` is what lies there, `id` the card's identity.
 * @typedef {{who: "other"|"you", state: "empty"|"due"|"sealed"|"lifted"|"turning"|"turned", id: string,
 *   card: string|null, beaten: boolean, label: string, name: string, due?: boolean}} PlaceProps `due`: the table waits
 *   for this seat */

const LONGEST = 11;

/** A name that fits under a card. @param {string} name */
function brief(name) {
  const signs = Array.from(name);
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST - 1).join("")}…` : name;
}

/** The text under a place: who is ready, and who is to play.
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

/** What lies on a seat's place, and the text under it. Two drawn cards lie there until the player goes on, or the next
 * card comes; after the game, the cards of the last finished round stay.
 * @param {number} seat @param {"you"|"other"} who @param {Moment} moment @returns {PlaceProps} */
export function placeOf(seat, who, moment) {
  const { sight, view, reveal, stage, sealed, words, idOf, placed, isRead } = moment;
  const card = seat === sight.seat ? placed : null;
  const own = { who, card, beaten: false, name: card ? words(`card.${card}`) : "" };
  const shown = stage !== "rest" && reveal?.cards;
  const next = stage === "result" && isRead && sealed.includes(seat);
  if (shown && !next) {
    const id = idOf(seat, sight.lastReveal?.before?.round ?? view.round, reveal.play);
    if (stage === "hold" || stage === "lift")
      return { ...own, id, state: stage === "lift" ? "lifted" : "sealed", label: "" };
    const face = { who, id, beaten: false, card: shown[seat - 1], name: words(`card.${shown[seat - 1]}`) };
    const label = stage === "result" && !sealed.includes(seat) ? statusOf(seat, moment) : "";
    return { ...face, state: stage === "turn" ? "turning" : "turned", label, due: label !== "" };
  }
  const round = view.rounds.length;
  const last = view.outcome ? view.rounds[round - 1] : null;
  if (last) {
    const name = words(`card.${last.cards[seat - 1]}`);
    const beaten = last.winner !== null && last.winner !== seat;
    const id = idOf(seat, round, last.plays);
    return { who, id, state: "turned", card: last.cards[seat - 1], beaten, name, label: name };
  }
  const label = statusOf(seat, moment);
  const id = idOf(seat, view.round, view.play);
  if (sealed.includes(seat) && view.stake !== null) return { ...own, id, state: "sealed", label };
  return { ...own, id, card: null, state: label ? "due" : "empty", label };
}

/** The position of the light: over the one place that the table waits for, else over both.
 * @param {PlaceProps[]} places */
export function lampOf(places) {
  const due = places.filter((place) => place.state === "due").map((place) => place.who);
  return due.length === 1 ? due[0] : "both";
}

/** The way of a card to its place: yours turns face down on it, the other's comes from their fan.
 * @param {"you"|"other"} who @returns {Flight} */
const sealing = (who) =>
  who === "you" ? { ms: SEALING.flight, arc: 24, turns: [0, 180] } : { ms: SEALING.flight, arc: -24, from: lastBack };

/** From the last result to the end of the game. @type {Flight} */
const FROM_RESULT = { ms: 360 };

/** A back that the other still holds, or their name. */
const lastBack = () =>
  [...document.querySelectorAll('.ec-backs:is([data-where="above"], [data-where="strip"]) > .ec-held:last-child')].find(
    (each) => each.checkVisibility(),
  ) ?? document.querySelector('.ec-seat[data-where="above"] .ec-seat-name');

/** @param {PlaceProps & {cards: Cards, moves: boolean}} props */
function Place({ cards, moves, who, state, id, card, beaten, label, name, due = state === "due" }) {
  const down = state === "sealed" || state === "lifted";
  const flight = down ? sealing(who) : FROM_RESULT;
  return html`<div
    class="ec-place"
    data-who=${who}
    data-state=${state}
    data-beaten=${beaten}
    data-due=${due}
    data-drop=${who === "you" ? "table" : undefined}
  >
    <div class="card-slot ec-slot">
      ${
        state === "empty" || state === "due"
          ? html`<svg class="ec-slot-eye" viewBox="-24 -24 48 48" aria-hidden="true">
            <circle r="23" fill="none" stroke="currentColor" stroke-width="1.4" />
            <${Eye} cx=${0} cy=${1} s=${11} colour="currentColor" />
          </svg>`
          : html`<${Carried} key=${id} cards=${cards} id=${id} flight=${moves ? flight : null}>
            <${TwoSided} card=${card} name=${name} back=${true} down=${down} beaten=${beaten} />
          <//>`
      }
    </div>
    <p class="one-line ec-place-label">${label}</p>
  </div>`;
}

/** @param {{cards: Cards, moves: boolean, places: PlaceProps[], lamp: string, turn: number, children?: any}} props */
export function Places({ cards, moves, places, lamp, turn, children }) {
  return html`<div class="ec-places" data-lamp=${lamp} style=${{ "--ec-turn": `${turn}ms` }}>
    <div class="ec-light" aria-hidden="true"></div>
    ${places.map((place) => html`<${Place} key=${place.who} cards=${cards} moves=${moves} ...${place} />`)} ${children}
  </div>`;
}

// A seat's label: the name, the side, the clock, and the score.

const COUNTING = { from: 700, step: 60 };

/** A score that is counted up one by one while `slow`, and shown at once otherwise. @param {number} to
 * @param {boolean} slow */
function useCount(to, slow) {
  const from = useRef(to);
  const [steps, setSteps] = useState(0);
  if (!slow) from.current = to;
  useEffect(() => {
    if (!slow) return undefined;
    const timers = Array.from({ length: Math.max(0, to - from.current) }, (_, i) =>
      setTimeout(() => setSteps(i + 1), COUNTING.from + i * COUNTING.step),
    );
    return () => {
      timers.forEach(clearTimeout);
      setSteps(0);
    };
  }, [slow]);
  return slow ? Math.min(to, from.current + steps) : to;
}

/** @param {{score: number, slow: boolean}} props */
const Score = ({ score, slow }) => html`<span class="ec-score-number">${useCount(score, slow)}</span>`;

/** `slow` counts the score up; `rises`: it comes from behind. @param {{sight: Sight, view: any, emperor: number,
 *   score: number, slow: boolean, rises: boolean, seat: number, name: string, where: "above"|"below", words: Words,
 *   fan?: any}} props */
export function Seat({ sight, view, emperor, score, slow, rises, seat, name, where, words, fan }) {
  const side = seat === emperor ? "E" : "S";
  const counts = view.purses ? "purse" : sight.options.victory === "rounds" ? "wins" : "winnings";
  return html`<section
    class="ec-seat"
    data-anchor=${seat}
    data-speech="above"
    data-where=${where}
    data-rises=${rises}
    aria-label=${name}
  >
    <h2 class="one-line ec-seat-name"><${Portrait} sight=${sight} seat=${seat} />${name}</h2>
    <p class="ec-seat-side">
      <${Mark} of=${side} /> <span>${words(`side.${side}`)}</span> <${Clock} sight=${sight} seat=${seat} />
      ${isAway(sight, seat) ? html`<span class="ec-away">${words("seat.away")}</span>` : null}
    </p>
    ${fan}
    <p class="ec-score" aria-label=${words(`score.${counts}.said`, { score })}>
      <${Score} score=${score} slow=${slow} />
      ${view.purses ? html`<span class="ec-score-word">${words("score.purse")}</span>` : null}
    </p>
  </section>`;
}

// The moment in which the seats swap sides: shown over both places for a second or two, or until a card is raised.

const LONG = 1800;

/** Whether the sides have just been swapped, and the player has gone on from the round before.
 * @param {Sight} sight @param {boolean} showing whether a reveal is being shown */
export function useSwap(sight, showing) {
  const [seen, setSeen] = useState(0);
  const { lastReveal, view, turn } = sight;
  const decision = lastReveal?.decision ?? 0;
  const fresh = lastReveal !== null && turn?.decision === decision + 1 && sight.placed === null;
  const swapped =
    fresh && !showing && seen !== decision && !view.outcome && lastReveal.before?.emperor !== view.emperor;
  useTimer(swapped ? LONG : null, () => setSeen(decision), [swapped, decision]);
  return swapped;
}

/** @param {{view: any, you: number, below: number, words: Words, call: (seat: number) => string}} props */
export function Swap({ view, you, below, words, call }) {
  const side = below === view.emperor ? "E" : "S";
  const says = you
    ? words(`swap.you.${side}`)
    : words("swap.watched", { emperor: call(view.emperor), slave: call(3 - view.emperor) });
  return html`<p class="ec-swap" role="status">
    <span class="ec-swap-marks" aria-hidden="true">
      <span data-from="above"><${Mark} of=${side === "E" ? "S" : "E"} /></span>
      <span data-from="below"><${Mark} of=${side} /></span>
    </span>
    <b>${words("swap.title")}</b> <span>${says}</span>
  </p>`;
}
