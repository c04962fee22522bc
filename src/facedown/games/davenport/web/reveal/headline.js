// Headline over the table: what the last round came to, in a line and a sentence with *why?*, or what is asked now.

import { html } from "/app/html.js";
import { opened } from "/app/table/rule_text.js";
import { drawn, listed, yoursFirst } from "../words/names.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Words } from "/app/contract.js" */

/** @typedef {(seat: number) => string} Call */

/** Rules that have a headline of their own, the stronger first. */
const OWN = ["D11", "D14", "D13"];
const FEW = 3;

/** One seat's own form of a phrase, or that of another one, with the name. @typedef {{you: number, words: Words, call:
 *   Call, inside: Call}} Reader */

/** Whose card it is: yours, one other's, or several's. @param {string} key @param {number[]} seats
 * @param {Record<string, string|number>} params @param {Reader} reader */
function whose(key, seats, params, { you, words, call }) {
  if (seats.length !== 1) return words(`${key}.several`, { ...params, count: seats.length });
  return seats[0] === you ? words(`${key}.you`, params) : words(key, { ...params, name: call(seats[0]) });
}

/** @param {number[]} seats @param {Reader} reader */
const namesOf = (seats, { call, inside, words }) =>
  listed(
    seats.map((seat, i) => (i ? inside(seat) : call(seat))),
    words,
  );

/** @param {RevealFacts} reveal @param {Reader} reader */
function lineOf(reveal, reader) {
  const { words } = reader;
  const { shown, winners } = /** @type {NonNullable<RevealFacts["turned"]>} */ (reveal.turned);
  const aces = shown.flatMap((card, i) => (card?.[0] === "A" ? [i + 1] : []));
  const rule = OWN.find((id) => reveal.why.includes(id));
  if (rule === "D14") return words("headline.D14");
  if (rule) return whose(`headline.${rule}`, aces, {}, reader);
  if (reveal.eliminated.length)
    return words("headline.left", { names: listed(reveal.eliminated.map(reader.inside), words) });
  const rank = words(`rank.${shown[winners[0] - 1]?.[0]}`);
  if (winners.length === 1) return whose("headline.highest", winners, { rank }, reader);
  if (winners.length > FEW) return words("headline.highest.several", { count: winners.length, rank });
  return words("headline.shared", { names: namesOf(winners, reader) });
}

/** @param {RevealFacts} reveal @param {Reader} reader */
function sentenceOf(reveal, reader) {
  const { words, inside } = reader;
  const turned = /** @type {NonNullable<RevealFacts["turned"]>} */ (reveal.turned);
  const won = words(turned.phase === "playoff" ? "headline.won.playoff" : "headline.won", {
    names: namesOf(yoursFirst(turned.winners, reader.you), reader),
    round: turned.round,
  });
  const draws = reveal.drew.some((n) => n > 0) ? opened(drawn(reveal.drew, reader.you, inside, words)) : "";
  return `${won}${draws ? words("headline.draws", { draws }) : ""}`;
}

/** Title and sentence above the table; `rests`: nothing is being turned.
 * @param {{outcome: any, reveal: RevealFacts|null, stage: string, rests: boolean, reader: Reader}} at
 * @returns {{title: string, text: string, why: string[]}|null} */
export function headlineOf({ outcome, reveal, stage, rests, reader }) {
  const { words, call, you } = reader;
  if (stage === "hold" || stage === "corners" || stage === "turn") return null;
  if (outcome && rests) {
    const { winner, termination } = outcome;
    return {
      title: words(winner === you ? "end.you" : "end.other", { name: call(winner) }),
      text: words(`ending.${termination}`),
      why: reveal?.rules ?? [],
    };
  }
  if (reveal?.playoff && stage !== "lift") {
    return {
      title: words("playoff.title"),
      text: words(`playoff.${reveal.playoff.playoff}`, {
        names: namesOf(reveal.playoff.seats, reader),
        count: reveal.playoff.cards,
      }),
      why: reveal.rules,
    };
  }
  if (!reveal?.turned) return null;
  return { title: lineOf(reveal, reader), text: sentenceOf(reveal, reader), why: reveal.rules };
}

/** The way to the last round and back; `earlier` and `later`: from it to others, if there are any.
 * @typedef {{word: string, press: () => void, earlier: (() => void)|null, later: (() => void)|null}} Past */

/** @param {{past: Past, words: Words}} props */
function PastLinks({ past: { word, press, earlier, later }, words }) {
  /** @param {"earlier"|"later"} way @param {(() => void)|null} does @param {string} sign */
  const step = (way, does, sign) =>
    html`<button
      type="button"
      class="dv-link dv-step"
      disabled=${!does}
      aria-label=${words(`past.${way}`)}
      onClick=${does}
    >
      ${sign}
    </button> `;
  return html`
    ${earlier || later ? html`${step("earlier", earlier, "‹")}${step("later", later, "›")}` : null}
    <button type="button" class="dv-link" onClick=${press}>${word}</button>
  `;
}

/** @param {{line: {title: string, text: string, why: string[]}|null, asked: string, hint: string, words: Words,
 *   why: (ids: string[], sentence: string) => void, past: Past|null}} props */
export function Headline({ line, asked, hint, words, why, past }) {
  const link = past ? html`<${PastLinks} past=${past} words=${words} />` : null;
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
                  onClick=${() => why(line.why, line.title)}
                >
                  ${words("why")}
                </button>`
                : null
            } ${link}
          </p>
        `
        : html`<h2 class="dv-asked">${asked}</h2><p>${hint} ${link}</p>`
    }
  </header>`;
}
