// How to play: a few small pictures of a game, each with one sentence; made of the game's own cards and words.

import { html } from "../html.js";
import { Back, provideDefs, Weave } from "../table/card_back.js";

/** @import { GameTable, Words } from "../contract.js" */

/** The signs between two cards, and how they are drawn. */
const SIGNS = /** @type {Record<string, string>} */ ({ ">": "›", "=": "=", "+": "+", swap: "⇄" });

const FACE_DOWN = "face down";

function FaceDown() {
  provideDefs("lesson-backs", Weave);
  return html`<svg viewBox="0 0 210 300"><${Back} sealed=${true} /></svg>`;
}

/** Cards and the signs between them. @param {{game: GameTable, picture: string[], words: Words}} props */
export function Picture({ game, picture, words }) {
  const card = (/** @type {string} */ pick) =>
    pick === FACE_DOWN ? html`<${FaceDown} />` : html`<${game.Pick} pick=${pick} size="card" words=${words} />`;
  return html`<div class="lesson-picture" aria-hidden="true">
    ${picture.map((part) =>
      part in SIGNS
        ? html`<span class="lesson-sign">${SIGNS[part]}</span>`
        : html`<span class="lesson-card">${card(part)}</span>`,
    )}
  </div>`;
}

/** @param {{game: GameTable, words: Words}} props */
export function Lessons({ game, words }) {
  if (!game.lessons) return null;
  return html`<ol class="lessons">
    ${game.lessons.map(
      ({ id, picture }) => html`<li class="lesson" key=${id}>
        <${Picture} game=${game} picture=${picture} words=${words} />
        <p>${words(`lesson.${id}`)}</p>
      </li>`,
    )}
  </ol>`;
}
