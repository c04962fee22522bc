// The board of E-Card: puts the parts together and keeps which card is raised. Shows views and events, knows no rule.

import { html, useEffect, useRef, useState } from "/app/html.js";
import { useCards } from "/app/table/flights.js";
import { isPress, isSkip, keyedPlace, nothing, useCalm, useKeys, usePick } from "/app/table/input.js";
import { callers, sealedSeats, useSealSounds } from "/app/table/seats.js";
import { prepareCards } from "../drawing/card.js";
import { finishedNow, revealFacts, weightOf } from "../reveal/facts.js";
import { outcome, Scene } from "../reveal/scene.js";
import { isLoud, SEALING, useReveal } from "../reveal/use_reveal.js";
import { Backs, Hand, useFan } from "./hand.js";
import { Ledger } from "./ledger.js";
import { useLookBack } from "./look_back.js";
import { Line, lineOf, Prospect } from "./middle.js";
import { lampOf, Places, placeOf, Seat, Swap, useSwap } from "./places.js";
import { RoundLine, RoundRail } from "./rounds.js";
import { Stake } from "./stake.js";

/** @import { Finished } from "../reveal/scene.js" */
/** @import { Sight, TableProps } from "/app/contract.js" */

/** Whether this seat has something to choose, even behind the result of the previous play.
 * @param {Sight} sight @param {boolean} open */
const isDue = (sight, open) =>
  sight.mayPick || (open && sight.placed === null && sight.turn?.may_seal.includes(sight.seat) === true);

/** @param {TableProps} props */
export function Table({ sight, act, words, motion }) {
  const reveal = sight.lastReveal ? revealFacts(sight.lastReveal) : null;
  const moves = motion === "full";
  const lying = useRef(/** @type {Map<string, "you"|"other">} */ (new Map()));
  const cards = useCards((id, from) => (moves ? departure(lying.current.get(id), stage, from) : null));
  const { stage, moment: staging, next: goOn } = useReveal(sight, act, motion, reveal, () => cards.running.size > 0);
  const next = () => {
    cards.finish();
    goOn();
  };
  const showing = stage !== "rest";
  const settling = stage === "settle";
  // The round goes on, and its next decision is open behind the result that is still shown.
  const open = stage === "result" && !reveal?.round && !reveal?.end;
  const live = !showing || open;
  const view = live ? sight.view : (sight.lastReveal?.before ?? sight.view);
  const counted = stage === "result" || settling ? sight.view : view; // what was won counts as soon as it is shown
  const decision = sight.turn?.decision ?? 0;
  const [raised, setRaised] = useState({ decision, id: "" });
  const { refused, pick } = usePick(act, words);
  const calm = useCalm(showing);
  useEffect(prepareCards, []);
  const back = useLookBack(sight, act, showing);

  const below = sight.seat || 1;
  const { call, inside } = callers(sight.seat, sight.names, words);
  const placed = live ? sight.placed : (sight.lastReveal?.placed ?? null);
  const sealed = live || view.stake === null ? sealedSeats(sight) : [1, 2];
  const { held, idOf: ownId } = useFan(view, view.stake === null ? null : placed, raised.id);
  const idOf = (/** @type {number} */ seat, /** @type {number} */ round, /** @type {number} */ play) =>
    (seat === sight.seat ? ownId(round, play) : undefined) ?? `${round} ${play} ${seat}`;
  const hand = held.map(({ card }) => card);
  const staking = sight.mayPick && view.stake === null && !back.finished;
  const free = isDue(sight, open) && live && view.stake !== null && !back.finished;
  const up = free && !showing && raised.decision === decision ? held.findIndex(({ id }) => id === raised.id) : -1;
  const swapped = useSwap(sight, showing) && up < 0 && !back.finished;

  /** A player who raises a card has read the result. @param {number} place */
  const raise = (place) => {
    setRaised({ decision, id: held[place]?.id ?? "" });
    if (showing) next();
  };
  const seal = (/** @type {number} */ place) => {
    if (!free || !sight.legal.includes(hand[place])) return;
    if (showing) next();
    pick(hand[place]);
  };
  const why = (/** @type {string} */ sentence) => reveal && act.why(reveal.rules, sentence, sight.lastReveal?.events);
  const raiseAndFocus = (/** @type {number} */ place) => {
    raise(place);
    /** @type {HTMLElement|null} */ (document.querySelectorAll(".ec-hand-card")[place])?.focus();
  };

  const isRead = useIsRead(open);
  useSealSounds(act, view.stake === null || (open && !isRead) ? [] : sealed, moves ? SEALING.flight : 0);
  const moment = { sight, view, reveal, stage, sealed, call, words, placed, idOf, isRead };
  const finished =
    stage === "result" || settling ? finishedNow(reveal, sight.lastReveal?.before, staging) : back.finished;
  const loud = finished !== null && isLoud(finished);
  if (finished && showing)
    for (const seat of [1, 2]) lying.current.set(idOf(seat, finished.round, finished.plays), whose(seat, below));
  useKeys((key, onControl) => {
    const letter = key.toLowerCase();
    const pressing = onControl && isPress(key) && !document.activeElement?.matches("[data-pick]");
    if (letter === "w")
      return press(".ec-scene .ec-quiet:not(.ec-turn), .ec-middle .ec-link") ?? (() => why(words("why.last")));
    if (showing) {
      const to = free ? keyedPlace(key, -1, hand.length) : null;
      if (to !== null) return () => raiseAndFocus(to);
      if (stage !== "result") return isSkip(key) ? next : null;
      // Enter on a card goes on as well: it raises nothing yet.
      return (isPress(key) || key === "Escape") && !pressing ? next : null;
    }
    if (up < 0 && !staking && !pressing && calm(key)) return nothing; // a stake asks for itself
    if (back.finished) {
      if (key === "ArrowLeft") return back.turn.back ?? nothing;
      if (key === "ArrowRight") return back.turn.on ?? nothing;
      return key === "Escape" || letter === "b" ? back.leave : null;
    }
    if (letter === "b" && back.look) return back.look;
    if (!free) return null;
    const to = keyedPlace(key, up, hand.length);
    if (to !== null) return () => raiseAndFocus(to);
    if (key === "Escape" && up >= 0) return () => raise(-1);
    if (key === "Enter" && !onControl && up >= 0) return () => seal(up);
    return null;
  });

  /** Beside all controls: hurries a reveal, goes on from a drawn play, puts a raised card back.
   * @param {MouseEvent} event */
  const tapped = (event) => {
    const onControl = event.target instanceof Element && event.target.closest("button, input") !== null;
    if (showing && (open ? !onControl : stage !== "result")) next();
    else if (up >= 0 && !onControl) raise(-1);
  };

  const backs = (/** @type {number} */ seat) =>
    Math.max(0, view.cards_left - (view.stake !== null && sealed.includes(seat) ? 1 : 0));
  const fan = (/** @type {number} */ seat, /** @type {any} */ where) =>
    html`<${Backs}
      where=${where}
      count=${backs(seat)}
      label=${words("hand.of", { name: call(seat), count: backs(seat) })}
    />`;
  const label = (/** @type {number} */ seat, /** @type {"above"|"below"} */ where) =>
    html`<${Seat}
      sight=${sight}
      view=${view}
      emperor=${back.emperor ?? view.emperor}
      score=${counted.score[seat - 1]}
      slow=${settling && moves && loud && finished?.winner === seat}
      rises=${settling && staging === "comeback" && finished?.winner === seat}
      seat=${seat}
      name=${call(seat)}
      where=${where}
      words=${words}
      fan=${where === "above" ? fan(seat, "strip") : null}
    />`;
  const goesOn = (/** @type {Finished} */ { round }) => {
    if (!showing) return words("look.leave", { round: view.round });
    return reveal?.end ? words("go.end") : words("go.round", { round: round + 1 });
  };

  return html`<div
    class="ec"
    data-stage=${stage}
    data-scene=${Boolean(finished)}
    data-lost=${finished !== null && outcome(finished.winner, below, sight.seat === 0) === "lost"}
    data-staking=${staking}
    data-loud=${loud}
    data-moment=${finished && showing ? staging : ""}
    data-motion=${motion}
    onClick=${tapped}
  >
    <aside class="ec-rail" data-side="start" aria-label=${words("game.this")}>
      ${label(3 - below, "above")}
      <${Ledger}
        view=${counted}
        below=${below}
        sealed=${sealed}
        latest=${finished && showing ? finished.round : 0}
        words=${words}
        call=${call}
      />
      <${RoundLine} view=${view} words=${words} look=${finished ? null : back.look} /> ${label(below, "below")}
    </aside>
    <div class="ec-stage">
      <div class="grain" aria-hidden="true"></div>
      ${fan(3 - below, "above")}
      ${
        finished
          ? html`<${Scene}
            cards=${cards}
            idOf=${(/** @type {number} */ seat) => idOf(seat, finished.round, finished.plays)}
            settling=${settling}
            moves=${moves}
            finished=${finished}
            below=${below}
            watching=${sight.seat === 0}
            words=${words}
            call=${call}
            on=${goesOn(finished)}
            why=${showing ? why : back.why}
            next=${showing ? next : back.leave}
            turn=${showing ? null : back.turn}
          />`
          : html`
            <${Laid} cards=${cards} moves=${moves} moment=${moment} below=${below} lying=${lying.current}>
              ${
                swapped
                  ? html`<${Swap} view=${view} you=${sight.seat} below=${below} words=${words} call=${call} />`
                  : null
              }
            <//>
            <div class="ec-middle" style=${{ "--ec-above": up < 0 ? 0 : up - (hand.length - 1) / 2 }}>
              <${Line} moment=${moment} why=${why} />
              ${staking ? html`<${Stake} legal=${sight.legal} words=${words} name=${pick} calm=${calm} />` : null}
              ${
                open && sight.shared && reveal?.cards
                  ? html`<button type="button" class="ec-seal" onClick=${next}>
                    ${words("go.play", { play: reveal.play + 1 })} <kbd aria-hidden="true">↵</kbd>
                  </button>`
                  : null
              }
              ${refused ? html`<p class="ec-refused" role="alert">${refused}</p>` : null}
              ${
                up >= 0
                  ? html`
                    <${Prospect} view=${view} card=${hand[up]} you=${sight.seat} words=${words} />
                    <button type="button" class="ec-seal" onClick=${() => seal(up)}>
                      ${words("seal", { card: words(`card.${hand[up]}`) })} <kbd aria-hidden="true">↵</kbd>
                    </button>
                  `
                  : null
              }
              ${free && up < 0 && !lineOf(moment) ? html`<p class="ec-hint">${hintOf(view, words)}</p>` : null}
            </div>
          `
      }
      ${
        sight.seat === 0
          ? fan(below, "below")
          : html`<${Hand}
            cards=${cards}
            held=${held}
            away=${finished !== null}
            legal=${sight.legal}
            raised=${up}
            free=${free}
            words=${words}
            raise=${raise}
            seal=${seal}
          />`
      }
    </div>
    <${RoundRail}
      view=${view}
      you=${sight.seat}
      below=${below}
      sealed=${sealed}
      raised=${up >= 0 ? hand[up] : ""}
      words=${words}
      call=${call}
      inside=${inside}
    />
    <div class="departing" ref=${cards.layer} aria-hidden="true"></div>
  </div>`;
}

/** @param {number} seat @param {number} below @returns {"you"|"other"} */
const whose = (seat, below) => (seat === below ? "you" : "other");

/** How a played card leaves the table: to its owner's side.
 * @param {"you"|"other"|undefined} who whose played card it is @param {string} stage
 * @param {import("/app/table/flights.js").Spot} from @returns {import("/app/table/flights.js").Departure|null} */
function departure(who, stage, from) {
  if (!who || (stage !== "rest" && stage !== "result")) return null;
  const side = who === "you" ? 1 : -1;
  return { ms: 340, x: side * innerWidth * 0.5, y: side * from.wide * 0.5, turn: side * 32 };
}

const READING = 1000;

/** Whether a drawn play has been shown long enough for the next card to take its place. @param {boolean} open */
function useIsRead(open) {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    if (!open) return setRead(false);
    const timer = setTimeout(() => setRead(true), READING);
    return () => clearTimeout(timer);
  }, [open]);
  return open && isRead;
}

/** The two places as they lie.
 * @param {{cards: import("/app/table/flights.js").Cards, moves: boolean, moment: import("./places.js").Moment,
 *   below: number, lying: Map<string, "you"|"other">, children?: any}} props `lying`: notes whose cards lie there */
function Laid({ cards, moves, moment, below, lying, children }) {
  const { reveal, stage } = moment;
  const places = [placeOf(3 - below, "other", moment), placeOf(below, "you", moment)];
  for (const { id, who, state } of places) if (state === "turned") lying.set(id, who);
  return html`<${Places}
    cards=${cards}
    moves=${moves}
    places=${places}
    lamp=${stage === "rest" ? lampOf(places) : "both"}
    turn=${weightOf(reveal?.play ?? 1).turn}
  >
    ${children}
  <//>`;
}

/** What to do, and in the last play what is at stake. @param {any} view @param {TableProps["words"]} words */
function hintOf(view, words) {
  const last = view.play === view.last_play && view.cards_left > 1;
  return words(last ? "hint.last" : "hint.choose");
}

/** Presses the first control that answers to this; null if there is none. @param {string} where */
function press(where) {
  const found = document.querySelector(where);
  return found instanceof HTMLElement ? () => found.click() : null;
}
