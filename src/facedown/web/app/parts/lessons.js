// How to play: a few small pictures of a game, each with one sentence; made of the game's own cards and words.

import { html, useEffect, useElement, useState } from "../html.js";
import { Back, provideDefs, Weave } from "../table/card_back.js";
import { t } from "../words.js";

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

/** Two cards, and the question which of them wins; then the lesson that says so, and the next.
 * @param {{game: GameTable, words: Words}} props */
export function WhichWins({ game, words }) {
  const [asked, ask] = useState(0);
  const [tapped, tap] = useState("");
  const cards = useElement();
  useEffect(() => {
    if (asked > 0) cards.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [asked]);
  const asking = (game.lessons ?? []).filter(({ picture }) => picture[1] === ">");
  if (asking.length === 0) return null;
  const { id, picture } = asking[asked % asking.length];
  const best = picture[0];
  const both = asked % 2 ? [best, picture[2]] : [picture[2], best];
  const next = () => {
    ask(asked + 1);
    tap("");
  };
  return html`<section class="which-wins" aria-label=${t("lobby.try")}>
    <h3>${t("lobby.try")}</h3>
    <div class="which-cards" ref=${cards}>
      ${both.map(
        (card) => html`<button
          key=${`${asked}/${card}`}
          data-best=${tapped !== "" && card === best}
          data-beaten=${tapped !== "" && card !== best}
          aria-pressed=${tapped === card}
          aria-disabled=${tapped !== ""}
          aria-label=${game.pickName(card, { you: 0, names: () => "", words })}
          onClick=${() => tap(tapped || card)}
        >
          <${game.Pick} pick=${card} size="card" words=${words} />
        </button>`,
      )}
    </div>
    <p role="status">
      ${tapped && html`<b>${t(tapped === best ? "lobby.try.right" : "lobby.try.wrong")}</b> ${words(`lesson.${id}`)}`}
    </p>
    ${tapped && html`<button class="button second" onClick=${next}>${t("lobby.try.next")}</button>`}
  </section>`;
}
