// The text in the middle: the result of a drawn play, a stake, what the raised card would win or lose.

import { html } from "/app/html.js";

/** @import { Moment } from "./places.js" */
/** @import { Words } from "/app/contract.js" */

/** The one line that is shown at the moment, or null.
 * @param {Moment} moment @returns {{text: string, strong: boolean}|null} */
export function lineOf({ sight, view, reveal, stage, call, words }) {
  if (stage === "result" && reveal?.stake)
    return { text: words("stake.named", { name: call(reveal.stake.seat), stake: reveal.stake.stake }), strong: true };
  if (stage === "result" && reveal?.cards) return { text: words("play.both"), strong: true };
  if (stage === "rest" && view.stake === null && !sight.legal.length)
    return { text: words("stake.waiting", { name: call(3 - view.emperor) }), strong: false };
  return null;
}

/** @param {{moment: Moment, why: (sentence: string) => void}} props */
export function Line({ moment, why }) {
  const line = lineOf(moment);
  if (!line) return null;
  return html`<p class="ec-line" data-strong=${line.strong}>
    ${line.text}
    ${
      line.strong
        ? html` <button type="button" class="ec-link" onClick=${() => why(line.text)}>${moment.words("why")}</button>`
        : null
    }
  </p>`;
}

/** What the raised card would win or lose, in one line: "beats Citizen +1 · loses to Slave −5".
 * @param {{view: any, card: string, you: number, words: Words}} props */
export function Prospect({ view, card, you, words }) {
  const met = (view.meets ?? []).filter((/** @type {any} */ each) => each.card === card);
  const against = (/** @type {any} */ { other, winner, paid }) =>
    words(winner === null ? "prospect.draw" : winner === you ? "prospect.win" : "prospect.lose", {
      card: words(`card.${other}`),
      paid,
    });
  const ranked = [...met].sort((a, b) => rank(a.winner, you) - rank(b.winner, you));
  if (!ranked.length) return null;
  return html`<p class="ec-prospect">${ranked.map(against).join(words("prospect.gap"))}</p>`;
}

/** What is won first, what is lost last. @param {number|null} winner @param {number} you */
const rank = (winner, you) => (winner === you ? 0 : winner === null ? 1 : 2);
