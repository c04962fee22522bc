// The board of E-Card: puts the parts together and keeps which card is raised. Shows views and events, knows no rule.

import { html, useState } from "/app/html.js";
import { isPress, isSkip, keyedPlace, useKeys, usePick } from "/app/table/input.js";
import { callers, sealedSeats } from "/app/table/seats.js";
import { revealFacts, weightOf } from "../reveal/facts.js";
import { Scene } from "../reveal/scene.js";
import { useReveal } from "../reveal/use_reveal.js";
import { Backs, Hand } from "./hand.js";
import { Ledger } from "./ledger.js";
import { Places } from "./places.js";
import { RoundRail } from "./round_rail.js";
import { Seat } from "./seat.js";
import { Stake } from "./stake.js";

/** @import { RevealFacts } from "../reveal/facts.js" */
/** @import { Sight, TableProps } from "/app/contract.js" */

/** Your cards as they lie in the fan: the special one in the middle; without the one that is sealed.
 * @param {any} view @param {string|null} placed */
function handOf(view, placed) {
  const [special, ...others] = view.hand;
  const cards = special
    ? [...others.slice(0, Math.ceil(others.length / 2)), special, ...others.slice(Math.ceil(others.length / 2))]
    : [];
  const gone = placed ? cards.indexOf(placed) : -1;
  return cards.filter((_, place) => place !== gone);
}

/** What lies on a seat's place, and what is said under it. After the game, the cards of its last round stay.
 * @param {number} seat @param {"you"|"other"} who
 * @param {{sight: Sight, view: any, reveal: RevealFacts|null, stage: string, sealed: number[], call: (seat: number) =>
 *   string,
 *   words: TableProps["words"]}} at
 * @returns {any} */
function placeOf(seat, who, { sight, view, reveal, stage, sealed, call, words }) {
  const revealed = reveal?.cards && stage !== "rest" && stage !== "hold";
  if (revealed && reveal?.cards) {
    const card = reveal.cards[seat - 1];
    const beaten = stage === "result" && reveal.winner !== null && reveal.winner !== seat;
    return {
      who,
      state: stage === "turn" ? "turning" : "turned",
      card,
      beaten,
      name: words(`card.${card}`),
      label: stage === "result" ? words(`card.${card}`) : "",
    };
  }
  const last = view.outcome && stage === "rest" ? view.rounds[view.round - 1] : null;
  if (last)
    return {
      who,
      state: "turned",
      card: last.cards[seat - 1],
      beaten: last.winner !== null && last.winner !== seat,
      name: words(`card.${last.cards[seat - 1]}`),
      label: words(`card.${last.cards[seat - 1]}`),
    };
  const name = call(seat);
  const mine = seat === sight.seat;
  if (sealed.includes(seat) && view.stake !== null) {
    return {
      who,
      state: "sealed",
      card: null,
      beaten: false,
      name: "",
      label: words(mine ? (sight.sending ? "place.sending" : "place.you_sealed") : "place.sealed", { name }),
    };
  }
  const due = !view.outcome && sight.turn?.may_seal.includes(seat) && view.stake !== null && stage === "rest";
  const label = due ? words(mine ? "place.your_turn" : "place.their_turn", { name }) : "";
  return { who, state: due ? "due" : "empty", card: null, beaten: false, name: "", label };
}

/** Where the light is.
 * @param {any[]} places @param {string} stage */
function lampOf(places, stage) {
  if (stage !== "rest") return "both";
  const due = places.filter((place) => place.state === "due").map((place) => place.who);
  return due.length === 1 ? due[0] : "both";
}

/** One line in the middle: what is asked or waited for, or *why?* after the end.
 * @param {{sight: Sight, view: any, reveal: RevealFacts|null, stage: string, below: number, call: (seat: number) =>
 *   string,
 *   words: TableProps["words"], why: (sentence: string) => void}} props */
function Middle({ sight, view, reveal, stage, below, call, words, why }) {
  if (view.outcome && stage === "rest") {
    return (
      reveal &&
      html`<button type="button" class="ec-link" onClick=${() => why(ending({ sight, view, below, call, words }))}>
        ${words("why")}
      </button>`
    );
  }
  const line = middleLine({ view, sight, reveal, stage, call, words });
  if (!line) return null;
  return html`<p class="ec-line" data-strong=${line.strong}>
    ${line.text}
    ${
      line.why
        ? html` <button type="button" class="ec-link" onClick=${() => why(line.text)}>${words("why")}</button>`
        : null
    }
  </p>`;
}

/** @param {any} props @returns {{text: string, strong: boolean, why: boolean}|null} */
function middleLine({ sight, view, reveal, stage, call, words }) {
  if (stage === "result" && reveal.stake)
    return {
      text: words("stake.named", { name: call(reveal.stake.seat), stake: reveal.stake.stake }),
      strong: true,
      why: true,
    };
  if (stage === "result" && reveal.round && !reveal.winner)
    return { text: words("round.nobody", { round: reveal.round.round }), strong: true, why: true };
  if (stage === "result" && reveal.cards && !reveal.winner)
    return { text: words("play.both", { card: words("card.C") }), strong: true, why: true };
  if (stage !== "rest") return null;
  if (view.stake === null && !sight.legal.length)
    return { text: words("stake.waiting", { name: call(3 - view.emperor) }), strong: false, why: false };
  return null;
}

/** How the game ended, in two sentences. @param {any} at @returns {string} */
function ending({ sight, view, below, call, words }) {
  const { winner, termination, score } = view.outcome;
  const kind = winner === null ? "end.drawn" : winner === sight.seat ? "end.you" : "end.other";
  const [mine, theirs] = [score[(winner ?? below) - 1], score[2 - (winner ?? below)]];
  const result = words(kind, { name: winner ? call(winner) : "", mine, theirs });
  return `${result}${words("sentence.gap")}${words(`termination.${termination}`)}`;
}

/** @param {TableProps} props */
export function Table(props) {
  if (!props.sight.view)
    return html`<div class="ec" data-empty="true"><p class="ec-line">${props.words("table.waiting")}</p></div>`;
  return html`<${Playing} ...${props} />`;
}

/** @param {TableProps} props */
function Playing({ sight, act, words, motion }) {
  const reveal = sight.lastReveal ? revealFacts(sight.lastReveal) : null;
  const { stage, next } = useReveal(sight, act, motion, reveal);
  const showing = stage !== "rest";
  const view = showing ? (sight.lastReveal?.before ?? sight.view) : sight.view;
  const decision = sight.turn?.decision ?? 0;
  const [raised, setRaised] = useState({ decision, place: -1 });
  const { refused, pick } = usePick(act, words);

  const below = sight.seat || 1;
  const { call, inside } = callers(sight.seat, sight.names, words);
  const placed = showing ? (sight.lastReveal?.placed ?? null) : sight.placed;
  const sealed = showing && view.stake !== null ? [1, 2] : sealedSeats(sight);
  const hand = handOf(view, view.stake === null ? null : placed);
  const staking = sight.mayPick && !showing && view.stake === null;
  const free = sight.mayPick && !showing && !staking;
  const up = free && raised.decision === decision && raised.place < hand.length ? raised.place : -1;
  const raise = (/** @type {number} */ place) => setRaised({ decision, place });

  const seal = (/** @type {number} */ place) => free && sight.legal.includes(hand[place]) && pick(hand[place]);
  const why = (/** @type {string} */ sentence) => reveal && act.why(reveal.rules, sentence);
  const raiseAndFocus = (/** @type {number} */ place) => {
    raise(place);
    /** @type {HTMLElement|null} */ (document.querySelectorAll(".ec-hand-card")[place])?.focus();
  };

  useKeys((key, onControl) => {
    if (key.toLowerCase() === "w" && (reveal || showing)) return () => reveal && why(narrateAgain(reveal, words));
    if (showing) return isSkip(key) && !(stage === "result" && onControl && isPress(key)) ? next : null;
    if (!free) return null;
    const to = keyedPlace(key, up, hand.length);
    if (to !== null) return () => raiseAndFocus(to);
    if (key === "Escape" && up >= 0) return () => raise(-1);
    if (key === "Enter" && !onControl && up >= 0) return () => seal(up);
    return null;
  });

  const at = { sight, view, reveal, stage, sealed, call, words };
  const places = [placeOf(3 - below, "other", at), placeOf(below, "you", at)];
  const scene = stage === "result" && reveal?.round && reveal.winner;
  const backs = (/** @type {number} */ seat) =>
    Math.max(0, view.cards_left - (view.stake !== null && sealed.includes(seat) ? 1 : 0));
  const fan = (/** @type {number} */ seat, /** @type {any} */ where) =>
    html`<${Backs}
      where=${where}
      count=${backs(seat)}
      label=${words("hand.of", { name: call(seat), count: backs(seat) })}
    />`;
  const counted = stage === "result" ? sight.view : view;

  return html`<div
    class="ec"
    data-stage=${stage}
    data-scene=${Boolean(scene)}
    data-over=${Boolean(view.outcome)}
    data-motion=${motion}
    style=${{ "--ec-turn": `${weightOf(reveal?.play ?? 1).turn}ms` }}
    onClick=${showing && stage !== "result" ? next : undefined}
  >
    <aside class="ec-rail" data-side="start" aria-label=${words("game.this")}>
      <${Seat}
        sight=${sight}
        view=${counted}
        seat=${3 - below}
        name=${call(3 - below)}
        where="above"
        words=${words}
        fan=${fan(3 - below, "strip")}
      />
      <${Ledger}
        view=${counted}
        below=${below}
        sealed=${sealed}
        latest=${stage === "result" ? (reveal?.round?.round ?? 0) : 0}
        words=${words}
        call=${call}
      />
      <${Seat}
        sight=${sight}
        view=${counted}
        seat=${below}
        name=${call(below)}
        where="below"
        words=${words}
        fan=${null}
      />
    </aside>
    <div class="ec-stage">
      <div class="grain" aria-hidden="true"></div>
      ${fan(3 - below, "above")}
      ${
        scene
          ? html`<${Scene}
            reveal=${reveal}
            before=${view}
            below=${below}
            watching=${sight.seat === 0}
            words=${words}
            call=${call}
            why=${why}
            next=${next}
          />`
          : html`
            <${Places} places=${places} lamp=${lampOf(places, stage)} />
            <div class="ec-middle" style=${{ "--ec-above": up < 0 ? 0 : up - (hand.length - 1) / 2 }}>
              <${Middle} ...${at} below=${below} why=${why} />
              ${staking ? html`<${Stake} legal=${sight.legal} words=${words} name=${pick} />` : null}
              ${refused ? html`<p class="ec-refused" role="alert">${refused}</p>` : null}
              ${
                up >= 0
                  ? html`<button type="button" class="ec-seal" onClick=${() => seal(up)}>
                    ${words("seal", { card: words(`card.${hand[up]}`) })} <kbd aria-hidden="true">↵</kbd>
                  </button>`
                  : null
              }
              ${free && up < 0 ? html`<p class="ec-hint">${words("hint.choose")}</p>` : null}
            </div>
            ${
              sight.seat === 0
                ? fan(below, "below")
                : html`<${Hand}
                  cards=${hand}
                  legal=${sight.legal}
                  raised=${up}
                  free=${free}
                  words=${words}
                  raise=${raise}
                  seal=${seal}
                />`
            }
          `
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
  </div>`;
}

/** The last reveal in one sentence, for *why?*.
 * @param {RevealFacts} reveal @param {TableProps["words"]} words */
function narrateAgain(reveal, words) {
  if (reveal.winner)
    return words("beats", { best: words(`card.${reveal.best}`), worst: words(`card.${reveal.worst}`) });
  return reveal.cards ? words("play.both", { card: words("card.C") }) : words("why.last");
}
