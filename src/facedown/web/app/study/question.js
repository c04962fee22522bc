// One question of the trainer: what is known, the way to answer it, and the mark.

import { html, onSubmit, onValue, useEffect, useRef, useState } from "../html.js";
import { Link } from "../parts/elements.js";
import { useGame } from "../parts/hooks.js";
import { wordsOf } from "../words.js";
import { share } from "./position.js";
import { say } from "./words.js";

/** @param {{game: string, exercise: any, busy: boolean, marked: boolean, answer: (text: string) => void}} props */
export function Question({ game, exercise, busy, marked, answer }) {
  const table = useGame(game);
  const words = wordsOf(game);
  return html`<section class="panel study-question">
    <h2>${exercise.place}</h2>
    ${
      exercise.kind === "pick"
        ? html`<pre class="study-table">${exercise.say.join("\n")}</pre>`
        : exercise.say.map((/** @type {string} */ each) => html`<p>${each}</p>`)
    }
    ${
      exercise.hand.length > 0 &&
      table &&
      html`<ul class="wrap study-hand" aria-label=${say("train.hand")}>
        ${exercise.hand.map(
          (/** @type {string} */ card, /** @type {number} */ place) => html`<li key=${place}>
            <${table.Pick} pick=${card} size="card" words=${words} />
            <span class="unseen">${table.pickName(card, { you: 0, names: () => "", words })}</span>
          </li>`,
        )}
      </ul>`
    }
    <p class="study-asked display">${exercise.question}</p>
    ${
      !marked &&
      (exercise.kind === "share"
        ? html`<${ShareAnswer} busy=${busy} answer=${answer} label=${exercise.question} />`
        : html`<div class="wrap study-answers" role="group" aria-label=${exercise.question}>
          ${exercise.picks.map(
            (/** @type {any} */ each) => html`<button
              key=${each.pick}
              class="button second"
              disabled=${busy}
              onClick=${() => answer(each.pick)}
            >
              ${each.name}
            </button>`,
          )}
        </div>`)
    }
  </section>`;
}

/** @param {{busy: boolean, label: string, answer: (text: string) => void}} props */
function ShareAnswer({ busy, label, answer }) {
  const [value, set] = useState(50);
  const change = onValue((entered) => set(Math.min(100, Math.max(0, Math.round(Number(entered))))));
  return html`<form class="wrap study-percent" onSubmit=${onSubmit(() => answer(String(value)))}>
    <input type="range" min="0" max="100" value=${value} aria-label=${label} onInput=${change} />
    <label class="with-unit">
      <span class="unseen">${say("train.percent")}</span>
      <input type="number" inputmode="numeric" min="0" max="100" value=${value} onInput=${change} />
      <span aria-hidden="true">%</span>
    </label>
    <button class="button first" disabled=${busy}>${say("train.answer")}</button>
  </form>`;
}

/** @param {{game: string, mark: any, rules: string, explorer: boolean, next: () => void}} props */
export function Mark({ game, mark, rules, explorer, next }) {
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  useEffect(() => button.current?.focus(), [mark]);
  const explore = `/explore/${game}?${new URLSearchParams({ rules, at: mark.at })}`;
  return html`<section class="panel study-mark" role="status" data-right=${mark.right}>
    <p class="study-result display">
      ${say(mark.right ? "train.right" : "train.wrong")}
      <span class="numbers">${say("train.points", { points: mark.points })}</span>
    </p>
    ${mark.say.map((/** @type {string} */ each) => html`<p>${each}</p>`)}
    ${
      mark.picks.length > 1 &&
      mark.picks.some((/** @type {any} */ each) => each.chosen) &&
      html`<ul class="list">
        ${mark.picks.map(
          (/** @type {any} */ each) => html`<li key=${each.pick}>
            <span>${each.name}</span>
            <span class="quiet">${say(each.chosen ? "train.yours" : "train.theirs")}</span>
            <span class="numbers">${say("train.wins", { share: share(each.value) })}</span>
          </li>`,
        )}
      </ul>`
    }
    <p class="row">
      <button class="button first" ref=${button} onClick=${next}>${say("train.next")}</button>
      ${explorer && mark.at && html`<${Link} class="link" href=${explore}>${say("train.explore")}<//>`}
    </p>
  </section>`;
}
