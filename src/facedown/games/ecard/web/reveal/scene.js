// A decided round, large: the winning card before the beaten one, what it paid, one sentence, and how to go on.

import { html, useEffect, useRef } from "/app/html.js";
import { Card } from "../drawing/card.js";
import { Disc } from "../drawing/wax.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Words } from "/app/contract.js" */

/** A small number as a word, where the language has one ready.
 * @param {number} n @param {Words} words */
function worded(n, words) {
  const key = `number.${n}`;
  const word = n >= 1 && n <= 12 ? words(key) : key;
  return word === key ? String(n) : word;
}

/** What the payment was made of.
 * @param {number} paid @param {number} stake @param {Words} words */
function payment(paid, stake, words) {
  if (paid === stake) return words("paid.once", { stake });
  if (paid % stake === 0) return words("paid.times", { stake, times: worded(paid / stake, words) });
  return words("paid.all");
}

/** What the round did to the score, from the point of view of the seat below.
 * @param {RevealFacts} reveal @param {any} before @param {number} below @param {boolean} watching @param {Words} words
 *   @param
 *   {(seat: number) => string} call */
function sentence(reveal, before, below, watching, words, call) {
  const round = /** @type {NonNullable<RevealFacts["round"]>} */ (reveal.round);
  const [mine, theirs] = [round.score[below - 1], round.score[2 - below]];
  if (watching) return words("round.won", { round: round.round, name: call(reveal.winner ?? 1), mine, theirs });
  const taken = words(reveal.winner === below ? "round.yours" : "round.theirs", {
    round: round.round,
    name: call(reveal.winner ?? 1),
  });
  const lead = before.score[below - 1] - before.score[2 - below];
  const from = lead === 0 ? "level" : lead > 0 ? "ahead" : "behind";
  const course = words(`round.from.${from}`, { by: worded(Math.abs(lead), words), mine, theirs });
  return `${taken}${words("sentence.gap")}${course}`;
}

/** @param {{reveal: RevealFacts, before: any, below: number, watching: boolean, words: Words, call: (seat: number) =>
 *   string,
 *   why: (sentence: string) => void, next: () => void}} props */
export function Scene({ reveal, before, below, watching, words, call, why, next }) {
  const go = useRef(/** @type {HTMLButtonElement|null} */ (null));
  useEffect(() => go.current?.focus({ preventScroll: true }), []);
  const round = /** @type {NonNullable<RevealFacts["round"]>} */ (reveal.round);
  const loud = reveal.best === "S";
  const headline = words("beats", { best: words(`card.${reveal.best}`), worst: words(`card.${reveal.worst}`) });
  const text = sentence(reveal, before, below, watching, words, call);
  const on = reveal.end ? words("go.end") : words("go.round", { round: round.round + 1 });
  return html`<section class="ec-scene" data-loud=${loud} data-yours=${reveal.winner === below} aria-label=${headline}>
    <div class="ec-scene-cards" aria-hidden="true">
      <${Disc} loud=${loud} />
      <div class="ec-scene-card" data-beaten="true">
        <${Card} card=${reveal.worst} name=${words(`card.${reveal.worst}`)} />
      </div>
      <div class="ec-scene-card"><${Card} card=${reveal.best} name=${words(`card.${reveal.best}`)} /></div>
    </div>
    <div class="ec-paid">
      <p class="ec-paid-number">+${round.paid}</p>
      <p class="ec-paid-why">${payment(round.paid, before.stake ?? 1, words)}</p>
    </div>
    <div class="ec-scene-words">
      <h2>${headline}</h2><p>${text}</p>
      <p class="ec-scene-go">
        <button type="button" class="ec-quiet" onClick=${() => why(`${headline}. ${text}`)}>
          ${words("why")} <kbd aria-hidden="true">W</kbd>
        </button>
        <button type="button" class="ec-seal" ref=${go} onClick=${next}>${on} <kbd aria-hidden="true">↵</kbd></button>
      </p>
    </div>
  </section>`;
}
