// Headline over the table: what the last round came to, in a line and a sentence with *why?*, or what is asked now.

import { html } from "/app/html.js";
import { drawn, listed } from "../words/names.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Words } from "/app/contract.js" */

/** @typedef {(seat: number) => string} Call */

/** Rules that have a headline of their own, the stronger first. */
const OWN = ["D11", "D14", "D13", "D17", "D19"];

/** @param {RevealFacts} reveal @param {Words} words @param {Call} call */
function lineOf(reveal, words, call) {
  const turned = /** @type {NonNullable<RevealFacts["turned"]>} */ (reveal.turned);
  const rule = OWN.find((id) => reveal.why.includes(id));
  if (rule && rule !== "D17" && rule !== "D19") return words(`headline.${rule}`);
  if (reveal.eliminated.length) return words("headline.left", { names: listed(reveal.eliminated.map(call), words) });
  const cards = turned.winners.map((seat) => turned.shown[seat - 1] ?? "");
  return words(cards.length > 1 ? "headline.shared" : "headline.highest", {
    rank: words(`rank.${cards[0][0]}`),
    count: cards.length,
  });
}

/** @param {RevealFacts} reveal @param {Words} words @param {Call} call @param {Call} inside */
function sentenceOf(reveal, words, call, inside) {
  const turned = /** @type {NonNullable<RevealFacts["turned"]>} */ (reveal.turned);
  const won = words("headline.won", {
    names: listed(
      turned.winners.map((seat, i) => (i ? inside(seat) : call(seat))),
      words,
    ),
    round: turned.round,
  });
  const draws = reveal.drew.some((n) => n > 0) ? drawn(reveal.drew, inside, words) : "";
  return draws ? words("headline.both", { won, draws }) : `${won}${words("full_stop")}`;
}

/** Title and sentence of what stands above the table.
 * @param {{view: any, reveal: RevealFacts|null, stage: string, fresh: boolean, words: Words, call: Call, inside: Call,
 *   you:
 *   number}} at
 * @returns {{title: string, text: string, why: string[]}|null} */
export function said({ view, reveal, stage, fresh, words, call, inside, you }) {
  if (stage === "hold" || stage === "turn") return null;
  if (view.outcome && stage === "rest") {
    const { winner, termination } = view.outcome;
    return {
      title: words(winner === you ? "end.you" : "end.other", { name: call(winner) }),
      text: words(`termination.${termination}`),
      why: reveal?.rules ?? [],
    };
  }
  if (reveal?.playoff && stage !== "lift" && fresh) {
    const names = listed(
      reveal.playoff.seats.map((seat, i) => (i ? inside(seat) : call(seat))),
      words,
    );
    return {
      title: words("playoff.title"),
      text: words(`playoff.${reveal.playoff.playoff}`, { names, cards: reveal.playoff.cards }),
      why: reveal.rules,
    };
  }
  if (!reveal?.turned || !fresh) return null;
  return { title: lineOf(reveal, words, call), text: sentenceOf(reveal, words, call, inside), why: reveal.rules };
}

/** @param {{line: {title: string, text: string, why: string[]}|null, asked: string, words: Words, why: (ids: string[],
 *   sentence: string) => void}} props */
export function Headline({ line, asked, words, why }) {
  return html`<header class="dv-headline">
    ${
      line
        ? html`
          <h2>${line.title}</h2>
          <p>
            ${line.text} ${
              line.why.length
                ? html`<button
                  type="button"
                  class="dv-link"
                  onClick=${() => why(line.why, `${line.title}. ${line.text}`)}
                >
                  ${words("why")}
                </button>`
                : null
            }
          </p>
        `
        : html`<h2 class="dv-asked">${asked}</h2>`
    }
  </header>`;
}
