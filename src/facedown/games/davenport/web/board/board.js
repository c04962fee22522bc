// The board of Davenport: puts the parts together and keeps which card is raised. Shows views and events, no rules.

import { html, useElement, useLayoutEffect, useRef, useState } from "/app/html.js";
import { useCards } from "/app/table/flights.js";
import { isPress, isSkip, keyedPlace, nothing, useCalm, useKeys, usePick } from "/app/table/input.js";
import { callers, isMachine, sealedSeats, useSealSounds } from "/app/table/seats.js";
import { isFallen, isSameRound, momentOf, pastFacts, revealFacts, travels, turnedRounds } from "../reveal/facts.js";
import { Flights } from "../reveal/flights.js";
import { Headline, headlineOf } from "../reveal/headline.js";
import { lastCards, turnOf, useReveal } from "../reveal/use_reveal.js";
import { held, readPick, signed } from "../words/names.js";
import { Hand, hintOf } from "./hand.js";
import { Piles, Place, rowsOf, SeatLabel, spots } from "./places.js";
import { BACK, drawnAs, idAt, ownCard, SEALING, toDiscards, toPlace } from "./ways.js";

/** @import { RevealFacts } from "../reveal/facts.js" */
/** @import { Lying } from "./places.js" */
/** @import { Sight, TableProps } from "/app/contract.js" */

/** Everything the parts need to know of this moment. `lying`: the round whose cards lie open on the table; `finals`:
 * the seats that play their last card in a round that is about to be turned; `moves`: cards fly.
 * @typedef {{sight: Sight, view: any, lying: RevealFacts|null, stage: string, sealed: number[], placed: string|null,
 *   hand: string[], peeking: boolean, moves: boolean, finals: number[], words: TableProps["words"],
 *   call: (seat: number) => string}} Moment */

const NOTHING_LIES = {
  card: null,
  won: false,
  lost: false,
  exchanged: false,
  fallen: false,
  last: false,
  flight: null,
};
const UNTURNED = ["hold", "corners"];

/** What lies before a seat.
 * @param {number} seat @param {Moment} moment @returns {Lying} */
function lyingAt(seat, moment) {
  const { sight, view, lying, stage, sealed, moves } = moment;
  const card = lying?.turned?.shown[seat - 1] ?? null;
  const nothing = { ...NOTHING_LIES, id: idAt(seat, moment), last: moment.finals.includes(seat) };
  const down = { ...nothing, card: ownCard(seat, moment), flight: moves ? toPlace(seat, moment) : null };
  if (UNTURNED.includes(stage)) {
    if (!card) return { ...nothing, state: "empty" };
    return { ...down, state: stage === "hold" ? "sealed" : "lifted" };
  }
  if (lying?.turned && card) {
    const turning = stage === "turn";
    const won = !turning && lying.turned.winners.includes(seat);
    return {
      ...nothing,
      state: turning ? "turning" : "shown",
      card,
      won,
      lost: !turning && !won,
      exchanged: !turning && lying.turned.exchanged[seat - 1],
      fallen: !turning && isFallen(lying, seat),
    };
  }
  if (lying?.turned || view.outcome) return { ...nothing, state: "empty" };
  if (sealed.includes(seat)) return { ...down, state: "sealed" };
  return { ...nothing, state: sight.turn?.may_seal.includes(seat) ? "due" : "empty" };
}

/** What a seat is doing, in a word or two; strong if the table waits for it, with what it won or drew in cards.
 * @param {number} seat @param {Moment} moment */
function doingAt(seat, { sight, view, lying, stage, sealed, words }) {
  const early = isEarly(stage);
  if (lying?.turned && !early) {
    const drew = stage === "lift" ? 0 : (lying.drew[seat - 1] ?? 0);
    if (lying.turned.winners.includes(seat)) return { doing: words("doing.won"), strong: true, drew: 0 };
    return drew
      ? { doing: words(stage === "draw" ? "doing.drawing" : "doing.drew", { count: drew }), strong: true, drew }
      : { doing: "", strong: false, drew: 0 };
  }
  if (early || view.outcome || !view.seats_in.includes(seat)) return { doing: "", strong: false, drew: 0 };
  if (sealed.includes(seat)) {
    const sending = seat === sight.seat && sight.sending;
    return { doing: words(sending ? "doing.sealing" : "doing.sealed"), strong: false, drew: 0 };
  }
  const choosing = sight.turn?.may_seal.includes(seat);
  const thinking = choosing && isMachine(sight, seat);
  const doing = words(thinking ? "doing.thinking" : choosing ? "doing.choosing" : "doing.waiting");
  return { doing, strong: false, drew: 0 };
}

/** Whether nothing has been seen yet. @param {string} stage */
const isEarly = (stage) => UNTURNED.includes(stage) || stage === "turn";

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
export function Table({ sight, act, words, motion }) {
  const reveal = sight.lastReveal ? revealFacts(sight.lastReveal, sight.seat) : null;
  const moves = motion === "full";
  const left = useRef({ stage: "rest", ids: /** @type {string[]} */ ([]) }); // what lay there before this was drawn
  const cards = useCards((id, from) =>
    moves && stage === "rest" && left.current.stage === "result" && left.current.ids.includes(id)
      ? toDiscards(from)
      : null,
  );
  const flying = () => (cards.running.size ? SEALING.flight + SEALING.wax : 0);
  const { stage, next: goOn } = useReveal(sight, act, motion, reveal, flying);
  const next = () => {
    cards.finish();
    goOn();
  };
  const showing = stage !== "rest";
  const read = stage === "result"; // it stays until the player goes on
  const moving = showing && !read;
  const late = stage === "draw" || read; // the hands are what the draws have made of them
  const counted = !showing || late ? sight.view : (sight.lastReveal?.before ?? sight.view);
  const light = reveal?.playoff && showing ? sight.lastReveal?.before : sight.view;
  const decision = sight.turn?.decision ?? 0;
  const [raised, setRaised] = useState({ decision, card: "" });
  // The decision in which the player looks back at a round, and which one, counted back from the last.
  const [peeked, setPeeked] = useState({ decision: 0, before: 0 });
  const { refused, pick } = usePick(act, words);
  const table = useElement();
  const calmAfterTurning = useCalm(moving);
  const calmAfterReading = useCalm(showing);

  const { outcome } = sight.view;
  const turned = turnedRounds(sight.view);
  const peeking = !showing && !outcome && turned > 0 && peeked.decision === decision;
  const past = pastFacts(sight.view, peeking ? peeked.before : 0);
  const last = isSameRound(reveal, past) ? reveal : past;
  const lying = showing ? reveal : peeking || outcome ? last : null;
  const below = sight.seat || 1;
  const { call, inside } = callers(sight.seat, sight.names, words);
  const sealed = showing ? [] : sealedSeats(sight);
  const placed = showing ? (late ? null : (sight.lastReveal?.placed ?? null)) : sight.placed;
  const gone = placed ? readPick(placed).card : "";
  const hand = held(counted.hand.filter((/** @type {string} */ card) => card !== gone));
  const finals = isEarly(stage) ? lastCards(reveal, sight.lastReveal?.before) : [];
  /** @type {Moment} */
  const moment = { sight, view: counted, lying, stage, sealed, placed, hand, peeking, moves, finals, words, call };
  const lies = (/** @type {number} */ seat) => lyingAt(seat, moment);
  useLayoutEffect(() => {
    left.current = { stage, ids: Array.from({ length: sight.view.seats }, (_, i) => idAt(i + 1, moment)) };
  });
  useSealSounds(act, sealed, moves ? SEALING.flight : 0, sight.seat);
  const due = sight.table.state === "playing" && sight.placed === null && sight.turn?.may_seal.includes(sight.seat);
  const free = sight.mayPick || (read && due === true);
  const up = sight.mayPick && raised.decision === decision && hand.includes(raised.card) ? raised.card : "";
  const fresh = reveal && (late || !showing) && !sight.placed ? reveal.fresh : [];
  const order = travels(reveal?.drew ?? []);
  /** The way of a card into the hand. @param {string} card */
  const wayOf = (card) => {
    if (!moves) return null;
    const nth = showing ? fresh.indexOf(card) : -1;
    const leaves = order.flatMap((seat, i) => (seat === sight.seat ? [i] : []));
    return nth < 0 ? BACK : drawnAs(leaves[nth] ?? 0);
  };
  const countOf = (/** @type {number} */ seat) =>
    counted.hands[seat - 1] - (sealed.includes(seat) || (showing && !late && reveal?.turned?.shown[seat - 1]) ? 1 : 0);

  const play = (/** @type {string} */ choice) => {
    if (!free || !sight.legal.includes(choice)) return;
    if (read) next();
    pick(choice);
  };
  const exchange = (/** @type {string} */ card) => play(`x${card}`);
  const mayExchange = up !== "" && sight.legal.includes(`x${up}`);
  const raise = (/** @type {number} */ place) => {
    if (read) next();
    setPeeked({ decision: 0, before: 0 });
    setRaised({ decision, card: hand[place] });
    /** @type {HTMLElement|null} */ (table.current?.querySelector(`[data-pick="${hand[place]}"]`))?.focus();
  };
  const peek = () => {
    setRaised({ decision, card: "" });
    setPeeked({ decision: peeking ? 0 : decision, before: 0 });
  };
  const turnTo = (/** @type {number} */ before) =>
    peeking && before >= 0 && before < turned ? () => setPeeked({ decision, before }) : null;
  const [earlier, later] = [turnTo(peeked.before + 1), turnTo(peeked.before - 1)];
  const newPlayoff = !showing && !peeking && sealed.length === 0 && reveal?.playoff != null;
  const line = headlineOf({
    outcome,
    reveal: lying ?? (newPlayoff ? reveal : null),
    stage,
    rests: !showing,
    reader: { you: sight.seat, words, call, inside },
  });
  const why = (/** @type {string[]} */ ids, /** @type {string} */ sentence) =>
    act.why(ids, sentence, sight.lastReveal?.events);
  const mayPeek = !showing && !outcome && past !== null && !newPlayoff;

  useKeys((key, onControl) => {
    const letter = key.toLowerCase();
    if (letter === "w" && line) return () => why(line.why, line.title);
    if (moving) return isSkip(key) ? next : null;
    const pressing = onControl && isPress(key) && !document.activeElement?.matches("[data-pick]");
    if (!up && !pressing && [calmAfterTurning(key), calmAfterReading(key)].includes(true)) return nothing;
    if (peeking && (key === "ArrowLeft" || key === "ArrowRight"))
      return (key === "ArrowLeft" ? earlier : later) ?? nothing;
    const to = free ? keyedPlace(key, hand.indexOf(up), hand.length) : null;
    if (to !== null) return () => raise(to);
    if (read) return key === "Escape" || (isPress(key) && !onControl) ? next : null;
    if (letter === "r" && mayPeek) return peek;
    if (key === "Escape" && peeking) return peek;
    if (!free) return null;
    if (key === "Escape" && up) return () => setRaised({ decision, card: "" });
    if (letter === "x" && mayExchange) return () => exchange(up);
    if (key === "Enter" && !onControl && up) return () => play(up);
    return null;
  });

  const others = spots(sight.view.seats, below);
  return html`<div
    class="dv"
    ref=${table}
    data-stage=${stage}
    data-phase=${light.phase}
    data-seats=${sight.view.seats}
    data-watching=${sight.seat === 0}
    data-motion=${motion}
    data-hand=${hand.length > 8 ? "many" : "few"}
    data-moment=${showing && !isEarly(stage) ? momentOf(reveal) : ""}
    data-last=${finals.length > 0}
    data-fate=${lying?.turned && !isEarly(stage) ? fateOf(sight.seat, lying.turned) : ""}
    style=${{
      "--seats": sight.view.seats,
      "--seat-rows": rowsOf(sight.view.seats),
      "--dv-turn": sight.lastReveal ? `${turnOf(sight.lastReveal.before)}ms` : "",
    }}
    onClick=${moving ? next : undefined}
  >
    <div class="grain" aria-hidden="true"></div>
    <${Headline}
      line=${line}
      asked=${askedNow(moment, free)}
      hint=${up ? hintOf(up, sight, words) : ""}
      words=${words}
      why=${why}
      past=${mayPeek ? { word: words(peeking ? "past.close" : "past.open"), press: peek, earlier, later } : null}
    />
    <section class="dv-oval" data-top=${sight.view.seats % 2 === 0} aria-label=${words("table.around")}>
      <div class="dv-edge" aria-hidden="true"></div>
      <${Piles}
        cards=${cards}
        given=${placed && readPick(placed).exchange ? readPick(placed).card : ""}
        moves=${moves}
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
          <${Place} cards=${cards} seat=${seat} ...${lies(seat)} words=${words} />
          <div class="dv-home" data-home=${seat}><${Label} seat=${seat} moment=${moment} count=${countOf(seat)} /></div>
        </section>`,
      )}
      <section class="dv-mine" aria-label=${call(below)}>
        <${Place} cards=${cards} seat=${below} ...${lies(below)} words=${words} drop=${free ? "table" : undefined} />
        ${
          !showing && !peeking && sight.placed
            ? html`<p class="dv-place-note">${placedNote(sight.placed, words)}</p>`
            : null
        }
      </section>
      ${stage === "draw" && moves ? html`<${Flights} seats=${order} own=${sight.seat} />` : null}
    </section>
    <div class="dv-below">
      <div class="dv-home" data-home=${below}><${Label} seat=${below} moment=${moment} count=${countOf(below)} /></div>
      ${
        sight.seat === 0
          ? null
          : html`<${Hand}
            cards=${cards}
            hand=${hand}
            wayOf=${wayOf}
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
        ${
          read && !outcome
            ? html`<button type="button" class="dv-play dv-on" onClick=${next}>
              ${onWord(sight.view, reveal, words)} <kbd aria-hidden="true">↵</kbd>
            </button>`
            : null
        }
      </div>
    </div>
    <div class="departing" ref=${cards.layer} aria-hidden="true"></div>
  </div>`;
}

/** The outcome of a round for a seat. @param {number} seat @param {NonNullable<RevealFacts["turned"]>} turned */
function fateOf(seat, { shown, winners }) {
  if (!shown[seat - 1]) return "";
  return winners.includes(seat) ? "won" : "lost";
}

/** The label of the button that goes on from a result. @param {any} view @param {RevealFacts|null} reveal
 * @param {TableProps["words"]} words */
const onWord = (view, reveal, words) =>
  reveal?.playoff ? words("on.playoff") : words("on.round", { round: view.round });

/** @param {string} placed @param {TableProps["words"]} words */
function placedNote(placed, words) {
  const { card, exchange } = readPick(placed);
  return words(exchange ? "placed.exchange" : "placed.play", { card: signed(card) });
}

/** The line above the table while there is no headline.
 * @param {Moment} moment @param {boolean} free */
function askedNow({ sight, view, stage, finals, words, call }, free) {
  if (isEarly(stage)) return finals.length ? lastWord(finals, sight.seat, words, call) : ""; // the headline comes later
  const where = words(view.phase === "playoff" ? "round.playoff" : "round.number", { round: view.round });
  return free ? words("asked.you", { where }) : where;
}

/** @param {number[]} seats @param {number} you @param {TableProps["words"]} words
 * @param {(seat: number) => string} call */
function lastWord(seats, you, words, call) {
  if (seats.length > 1) return words("last.several", { count: seats.length });
  return seats[0] === you ? words("last.you") : words("last", { name: call(seats[0]) });
}
