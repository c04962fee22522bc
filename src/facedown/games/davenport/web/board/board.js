// The board of Davenport: puts the parts together and keeps which card is raised. Shows views and events, no rules.

import { html, useRef, useState } from "/app/html.js";
import { isSkip, keyedPlace, useKeys, usePick } from "/app/table/input.js";
import { callers, sealedSeats } from "/app/table/seats.js";
import { revealFacts, travels } from "../reveal/facts.js";
import { Flights } from "../reveal/flights.js";
import { Headline, said } from "../reveal/headline.js";
import { turnOf, useReveal } from "../reveal/use_reveal.js";
import { held, readPick, signed } from "../words/names.js";
import { Hand } from "./hand.js";
import { Piles } from "./piles.js";
import { Place } from "./place.js";
import { rowsOf, spots } from "./positions.js";
import { SeatLabel } from "./seat.js";

/** @import { RevealFacts } from "../reveal/facts.js" */
/** @import { Lying } from "./place.js" */
/** @import { Sight, TableProps } from "/app/contract.js" */

/** Everything the parts need to know of this moment.
 * @typedef {{sight: Sight, view: any, reveal: RevealFacts|null, stage: string, sealed: number[], last: any, words:
 *   TableProps["words"],
 *   call: (seat: number) => string, inside: (seat: number) => string}} Moment */

/** The round whose cards still lie on the table: until the next seal (they count as discards already, D8).
 * @param {any} view @param {number[]} sealed */
function lastRound(view, sealed) {
  const last = view.history[view.history.length - 1];
  if (!last?.shown || sealed.length > 0) return null;
  return view.outcome || last.phase === view.phase ? last : null;
}

/** What lies before a seat.
 * @param {number} seat @param {Moment} moment @returns {Lying} */
function lyingAt(seat, { sight, view, reveal, stage, sealed, last }) {
  const turned = stage === "rest" ? last : reveal?.turned;
  const card = turned?.shown[seat - 1] ?? null;
  if (stage === "hold") return { state: card ? "sealed" : "empty", card: null, won: false, exchanged: false };
  if (turned && card) {
    const lifted = stage !== "turn" && turned.winners.includes(seat);
    return {
      state: stage === "turn" ? "turning" : "shown",
      card,
      won: lifted,
      exchanged: stage !== "turn" && turned.exchanged[seat - 1],
    };
  }
  if (stage !== "rest" || view.outcome) return { state: "empty", card: null, won: false, exchanged: false };
  if (sealed.includes(seat)) return { state: "sealed", card: null, won: false, exchanged: false };
  return { state: sight.turn?.may_seal.includes(seat) ? "due" : "empty", card: null, won: false, exchanged: false };
}

/** What a seat is doing, in a word or two; strong where the table waits for it.
 * @param {number} seat @param {Moment} moment */
function doingAt(seat, { sight, view, reveal, stage, sealed, last, words }) {
  const drew = (stage === "rest" ? last?.drew : reveal?.drew)?.[seat - 1] ?? 0;
  const shown = stage === "rest" ? last : stage === "lift" || stage === "draw" ? reveal?.turned : null;
  if (stage === "draw" && drew) return { doing: words("doing.drawing", { count: drew }), strong: true };
  if (shown?.winners.includes(seat)) return { doing: words("doing.won"), strong: true };
  if (shown && drew && stage !== "lift") return { doing: words("doing.drew", { count: drew }), strong: false };
  if (stage !== "rest" || view.outcome || !view.seats_in.includes(seat)) return { doing: "", strong: false };
  if (sealed.includes(seat))
    return { doing: words(seat === sight.seat && sight.sending ? "doing.sealing" : "doing.sealed"), strong: false };
  return sight.turn?.may_seal.includes(seat)
    ? { doing: words("doing.choosing"), strong: false }
    : { doing: words("doing.waiting"), strong: false };
}

/** @param {{seat: number, moment: Moment, count: number}} props */
function Label({ seat, moment, count }) {
  return html`<${SeatLabel}
    sight=${moment.sight}
    view=${moment.view}
    seat=${seat}
    name=${moment.call(seat)}
    count=${count}
    ...${doingAt(seat, moment)}
    words=${moment.words}
  />`;
}

/** @param {TableProps} props */
export function Table(props) {
  if (!props.sight.view)
    return html`<div class="dv" data-empty="true"><p class="dv-asked">${props.words("table.waiting")}</p></div>`;
  return html`<${Playing} ...${props} />`;
}

/** @param {TableProps} props */
function Playing({ sight, act, words, motion }) {
  const reveal = sight.lastReveal ? revealFacts(sight.lastReveal, sight.seat) : null;
  const { stage, next } = useReveal(sight, act, motion, reveal);
  const showing = stage !== "rest";
  const counted = stage === "draw" ? sight.view : showing ? (sight.lastReveal?.before ?? sight.view) : sight.view;
  const light = reveal?.playoff && showing ? sight.lastReveal?.before : sight.view;
  const decision = sight.turn?.decision ?? 0;
  const [raised, setRaised] = useState({ decision, card: "" });
  const { refused, pick } = usePick(act, words);
  const table = useRef(/** @type {HTMLElement|null} */ (null));

  const below = sight.seat || 1;
  const { call, inside } = callers(sight.seat, sight.names, words);
  const sealed = showing ? [] : sealedSeats(sight);
  const last = lastRound(sight.view, sealed);
  /** @type {Moment} */
  const moment = { sight, view: counted, reveal, stage, sealed, last, words, call, inside };

  const placed = showing ? (stage === "draw" ? null : (sight.lastReveal?.placed ?? null)) : sight.placed;
  const gone = placed ? readPick(placed).card : "";
  const hand = held(counted.hand.filter((/** @type {string} */ card) => card !== gone));
  const free = sight.mayPick && !showing;
  const up = free && raised.decision === decision && hand.includes(raised.card) ? raised.card : "";
  const fresh = reveal && !sealed.length ? reveal.fresh.filter(() => stage === "rest") : [];
  const countOf = (/** @type {number} */ seat) =>
    counted.hands[seat - 1] -
    (sealed.includes(seat) || (showing && stage !== "draw" && reveal?.turned?.shown[seat - 1]) ? 1 : 0);

  const play = (/** @type {string} */ choice) => free && sight.legal.includes(choice) && pick(choice);
  const exchange = (/** @type {string} */ card) => play(`x${card}`);
  const mayExchange = up !== "" && sight.legal.includes(`x${up}`);
  const raise = (/** @type {number} */ place) => {
    setRaised({ decision, card: hand[place] });
    /** @type {HTMLElement|null} */ (table.current?.querySelector(`[data-pick="${hand[place]}"]`))?.focus();
  };
  const line = said({
    view: sight.view,
    reveal,
    stage,
    fresh: showing || last !== null || ((reveal?.playoff ?? null) !== null && !sealed.length),
    words,
    call,
    inside,
    you: sight.seat,
  });
  const why = (/** @type {string[]} */ ids, /** @type {string} */ sentence) => act.why(ids, sentence);

  useKeys((key, onControl) => {
    const letter = key.toLowerCase();
    if (letter === "w" && line) return () => why(line.why, `${line.title}. ${line.text}`);
    if (showing) return isSkip(key) ? next : null;
    if (!free) return null;
    const to = keyedPlace(key, hand.indexOf(up), hand.length);
    if (to !== null) return () => raise(to);
    if (key === "Escape" && up) return () => setRaised({ decision, card: "" });
    if (letter === "x" && mayExchange) return () => exchange(up);
    if (key === "Enter" && !onControl && up) return () => play(up);
    return null;
  });

  const others = spots(sight.view.seats, below);
  const asked = askedNow(moment, free);
  return html`<div
    class="dv"
    ref=${table}
    data-stage=${stage}
    data-phase=${light.phase}
    data-seats=${sight.view.seats}
    data-motion=${motion}
    data-hand=${hand.length > 8 ? "many" : "few"}
    style=${{
      "--seats": sight.view.seats,
      "--seat-rows": rowsOf(sight.view.seats),
      "--dv-turn": showing ? `${turnOf(sight.lastReveal?.before)}ms` : "",
    }}
    onClick=${showing ? next : undefined}
  >
    <div class="grain" aria-hidden="true"></div>
    <${Headline} line=${line} asked=${asked} words=${words} why=${why} />
    <section class="dv-oval" data-top=${sight.view.seats % 2 === 0} aria-label=${words("table.around")}>
      <div class="dv-edge" aria-hidden="true"></div>
      <${Piles}
        stock=${counted.stock}
        discards=${counted.discards}
        exchanging=${free && sight.legal.some((each) => each.startsWith("x"))}
        words=${words}
      />
      ${others.map(
        ({ seat, x, y, side, column, row }) => html`<section
          key=${seat}
          class="dv-seat"
          data-side=${side}
          data-column=${column}
          aria-label=${call(seat)}
          style=${{ "--x": x, "--y": y, "--row": row }}
        >
          <${Place} seat=${seat} ...${lyingAt(seat, moment)} words=${words} />
          <div class="dv-home" data-home=${seat}><${Label} seat=${seat} moment=${moment} count=${countOf(seat)} /></div>
        </section>`,
      )}
      <section class="dv-mine" aria-label=${call(below)}>
        <${Place} seat=${below} ...${lyingAt(below, moment)} words=${words} drop=${free ? "table" : undefined} />
        ${!showing && sight.placed ? html`<p class="dv-place-note">${placedNote(sight.placed, words)}</p>` : null}
      </section>
      ${stage === "draw" && motion === "full" ? html`<${Flights} seats=${travels(reveal?.drew ?? [])} />` : null}
    </section>
    <div class="dv-below">
      <div class="dv-home" data-home=${below}><${Label} seat=${below} moment=${moment} count=${countOf(below)} /></div>
      ${
        sight.seat === 0
          ? null
          : html`<${Hand}
            cards=${hand}
            legal=${sight.legal}
            raised=${hand.indexOf(up)}
            free=${free}
            fresh=${fresh}
            words=${words}
            raise=${raise}
            drop=${(/** @type {number} */ place, /** @type {string} */ onto) =>
              onto === "discards" ? exchange(hand[place]) : play(hand[place])}
          />`
      }
      <div class="dv-acts">
        ${refused ? html`<p class="dv-refused" role="alert">${refused}</p>` : null}
        ${
          up
            ? html`<button type="button" class="dv-play" onClick=${() => play(up)}>
              ${words("play", { card: signed(up) })} <kbd aria-hidden="true">↵</kbd>
            </button>`
            : null
        }
        ${
          mayExchange
            ? html`<button type="button" class="dv-exchange" onClick=${() => exchange(up)}>
              ${words("exchange")} <kbd aria-hidden="true">X</kbd>
            </button>`
            : null
        }
      </div>
    </div>
  </div>`;
}

/** @param {string} placed @param {TableProps["words"]} words */
function placedNote(placed, words) {
  const { card, exchange } = readPick(placed);
  return words(exchange ? "placed.exchange" : "placed.play", { card: signed(card) });
}

/** The line above the table while there is no headline.
 * @param {Moment} moment @param {boolean} free */
function askedNow({ view, stage, words }, free) {
  if (stage !== "rest") return "";
  const where = words(view.phase === "playoff" ? "round.playoff" : "round.number", { round: view.round });
  return free ? words("asked.you", { where }) : where;
}
