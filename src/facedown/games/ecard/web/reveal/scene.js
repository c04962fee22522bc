// A finished round, large: both cards on their owners' sides, the winner's lifted, what it paid on the winner's side,
// and one sentence. Shown when the round ends, and again whenever the player looks back at it.

import { html, useEffect, useElement, useRef } from "/app/html.js";
import { Carried } from "/app/table/flights.js";
import { TwoSided } from "../drawing/card.js";
import { Disc } from "../drawing/wax.js";
import { headline } from "../words/narration.js";
import { isLoud } from "./use_reveal.js";

/** @import { Words } from "/app/contract.js" */
/** @import { Cards, Flight } from "/app/table/flights.js" */

/** A finished round as it is shown; `score` and `before` are by seat, `before` is null if not known;
 * `decides`: it has decided the game.
 * @typedef {object} Finished
 * @property {number} round @property {string[]} cards @property {number|null} winner
 * @property {number} paid @property {number} stake @property {number} plays
 * @property {number[]} score @property {number[]|null} before @property {boolean} [decides] */

/** A small number as a word, if the language has one.
 * @param {number} n @param {Words} words */
function numberWord(n, words) {
  const key = `number.${n}`;
  const word = n >= 1 && n <= 12 ? words(key) : key;
  return word === key ? String(n) : word;
}

/** What the payment was made of.
 * @param {Finished} round @param {Words} words */
function payment({ paid, stake }, words) {
  if (paid === stake) return words("paid.once", { count: stake });
  if (paid % stake !== 0) return words("paid.all");
  return words(stake === 1 ? "paid.slave" : "paid.times", { paid, stake, times: numberWord(paid / stake, words) });
}

/** Whose the round is, and what it did to the score: from the point of view of the seat below.
 * @param {Finished} round @param {number} below @param {boolean} watching @param {Words} words
 * @param {(seat: number) => string} call */
function sentence({ round, plays, winner, score, before, decides }, below, watching, words, call) {
  const [mine, theirs] = [score[below - 1], score[2 - below]];
  if (!winner) return words("round.undecided", { plays: numberWord(plays, words), mine, theirs });
  const yours = winner === below && !watching;
  const taken = words(yours ? "round.yours" : "round.theirs", { round, name: call(winner) });
  const behind = before ? before[2 - below] - before[below - 1] : 0;
  const comeback = yours && behind > 0 && mine >= theirs;
  const course = words(decides ? "round.decides" : comeback ? "round.comeback" : "round.now", {
    by: numberWord(behind, words),
    mine,
    theirs,
  });
  return words("sentence.join", { first: taken, second: course });
}

/** How a round looks to the seat below.
 * @param {number|null} winner @param {number} below @param {boolean} watching */
export function outcome(winner, below, watching) {
  if (!winner) return "nobody";
  if (watching) return "watched";
  return winner === below ? "won" : "lost";
}

/** Buttons to the previous and the next round while the player looks back.
 * @param {{round: number, turn: {back: (() => void)|null, on: (() => void)|null}, words: Words}} props */
function Turning({ round, turn, words }) {
  if (!turn.back && !turn.on) return null;
  const button = (/** @type {(() => void)|null} */ press, /** @type {number} */ to, /** @type {string} */ sign) =>
    html`<button
      type="button"
      class="ec-quiet ec-turn"
      disabled=${!press}
      aria-label=${words("round.number", { round: to })}
      onClick=${press}
    >
      ${sign}
    </button>`;
  return html`<span class="ec-turning" role="group" aria-label=${words("ledger.rounds")}>
    ${button(turn.back, round - 1, "‹")} ${button(turn.on, round + 1, "›")}
  </span>`;
}

/** The way of both cards into the result. @type {Record<"plain"|"loud", Flight>} */
const WAYS = { plain: { ms: 360 }, loud: { ms: 500, delay: 240, easing: "cubic-bezier(0.3, 0, 0.2, 1)" } };

/** The seal that bursts where the two cards lay before. @param {{cards: Cards, ids: string[]}} props */
function Burst({ cards, ids }) {
  const seal = useElement();
  const spots = useRef(ids.map((id) => cards.carried.get(id)?.spot));
  useEffect(() => {
    const [one, other] = spots.current;
    const at = seal.current?.getBoundingClientRect(); // after the first frame, when the page has been laid out
    if (!at || !one || !other) return;
    seal.current?.style.setProperty("--ec-from-x", `${(one.x + other.x) / 2 - at.x}px`);
    seal.current?.style.setProperty("--ec-from-y", `${(one.y + other.y) / 2 - at.y}px`);
    seal.current?.style.setProperty("--ec-wide", `${one.wide * 1.9}px`);
  }, []);
  return html`<div class="ec-burst" ref=${seal}><${Disc} /></div>`;
}

/** What was won, in ticks that are counted: none for a single one. @param {Finished} round */
function Ticks({ paid, stake }) {
  const times = paid / stake;
  if (times < 2 || times > 9 || !Number.isInteger(times)) return null;
  return html`<span class="ec-ticks">
    ${Array.from({ length: times }, (_, i) => html`<i style=${{ "--tick": i }}></i>`)}
  </span>`;
}

/** `settling`: the cards are on their way here; `moves`: they fly.
 * @param {{cards: Cards, idOf: (seat: number) => string, settling: boolean, moves: boolean, finished: Finished,
 *   below: number, watching: boolean, words: Words, call: (seat: number) => string, on: string,
 *   why: (sentence: string) => void, next: () => void,
 *   turn?: {back: (() => void)|null, on: (() => void)|null}|null}} props */
export function Scene(props) {
  const { cards, idOf, settling, moves, finished, below, watching, words, call, on, why, next, turn = null } = props;
  const go = useRef(/** @type {HTMLButtonElement|null} */ (null));
  useEffect(() => {
    if (!settling) go.current?.focus({ preventScroll: true });
  }, [settling]);
  const { winner, paid, round } = finished;
  const loud = isLoud(finished);
  const title = winner
    ? headline({ cards: finished.cards, winner, you: watching ? 0 : below, call }, words)
    : words("round.nobody", { round });
  const text = sentence(finished, below, watching, words, call);
  const sides = /** @type {const} */ ([
    ["other", 3 - below],
    ["you", below],
  ]);
  const flight = settling && moves ? WAYS[loud ? "loud" : "plain"] : null;
  return html`<section
    class="ec-scene"
    data-loud=${loud}
    data-settling=${settling}
    data-outcome=${outcome(winner, below, watching)}
    data-winner=${winner ? (winner === below ? "you" : "other") : "nobody"}
    aria-label=${title}
  >
    <div class="ec-scene-picture" aria-hidden="true">
      <div class="ec-scene-cards">
        <div class="ec-light"></div>
        ${sides.map(([who, seat]) => {
          const card = finished.cards[seat - 1];
          return html`<div
            class="ec-scene-card"
            data-who=${who}
            data-state=${winner === null ? "level" : winner === seat ? "won" : "beaten"}
          >
            <${Carried} key=${idOf(seat)} cards=${cards} id=${idOf(seat)} flight=${flight}>
              <${TwoSided} card=${card} name=${words(`card.${card}`)} beaten=${winner !== null && winner !== seat} />
            <//>
          </div>`;
        })}
        ${loud && flight ? html`<${Burst} cards=${cards} ids=${sides.map(([, seat]) => idOf(seat))} />` : null}
      </div>
      ${
        winner
          ? html`<div class="ec-paid" data-who=${winner === below ? "you" : "other"}>
            <p class="ec-plate">
              <span class="one-line ec-paid-name">${call(winner)}</span> <span class="ec-paid-number">+${paid}</span>
              ${loud ? html`<${Ticks} ...${finished} />` : null}
            </p>
            <p class="ec-paid-why">${payment(finished, words)}</p>
          </div>`
          : null
      }
    </div>
    <div class="ec-scene-words">
      <h2>${title}</h2>
      ${winner ? html`<p class="unseen">${call(winner)} +${paid}</p>` : null}
      <p>${text}</p>
      <p class="ec-scene-go">
        ${turn ? html`<${Turning} round=${round} turn=${turn} words=${words} />` : null}
        <button type="button" class="ec-quiet" onClick=${() => why(`${title}${words("sentence.stop")}${text}`)}>
          ${words("why")} <kbd aria-hidden="true">W</kbd>
        </button>
        <button type="button" class="ec-seal" ref=${go} onClick=${next}>${on} <kbd aria-hidden="true">↵</kbd></button>
      </p>
    </div>
  </section>`;
}
