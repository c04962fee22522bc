// Columns of a review: one play with its judgement, the timing of special cards, predictability.

import { html } from "../html.js";
import { Sign } from "../parts/marks.js";
import { t } from "../words.js";
import { percent } from "./chances.js";

/** @import { GameTable, NarrationContext } from "../contract.js" */

/** One decision: what was turned, what the pick gave away, what the judge would have done.
 * @param {{record: any, review: any, seat: number, game: GameTable,
 *   narration: NarrationContext, at: number, step: (by: number) => void, children?: any}} props */
export function ReviewedPlay({ record, review, seat, game, narration, at, step, children }) {
  const joint = record.picks[at] ?? [];
  const judged = review?.picks?.find((/** @type {any} */ each) => each.decision === at + 1);
  const shown = joint.map((/** @type {any} */ pick, /** @type {number} */ place) => ({ pick, seat: place + 1 }));
  const ordered = [
    ...shown.filter((/** @type {any} */ each) => each.seat !== seat),
    ...shown.filter((/** @type {any} */ each) => each.seat === seat),
  ];
  return html`<section class="review-play" aria-live="polite">
    <h2>${t("review.play", { n: at + 1 })}</h2>
    <div class="review-cards">
      ${ordered.map(
        ({ pick, seat: whose }) =>
          pick !== null &&
          pick !== "resign" &&
          html`<figure>
            <div class="review-card"><${game.Pick} pick=${String(pick)} size="card" words=${narration.words} /></div>
            <figcaption class="small quiet">
              <bdi>${whose === seat ? t("you") : narration.names(whose)}</bdi>
              <span class="unseen">${game.pickName(String(pick), narration)}</span>
            </figcaption>
          </figure>`,
      )}
    </div>
    ${
      joint.includes("resign") &&
      html`<p>
        ${t("event.resigned", { name: narration.names(joint.indexOf("resign") + 1) })}
      </p>`
    }
    ${review?.told?.[at] && html`<p>${review.told[at]}</p>`}
    ${judged && html`<p>${gaveAway(judged)}</p><p class="small quiet">${advice(judged, game, narration)}</p>`}
    <p class="review-steps">
      <button class="button second" aria-label=${t("review.before")} onClick=${() => step(-1)}>
        <${Sign} of="back" />
      </button>
      <button class="button second" aria-label=${t("review.after")} onClick=${() => step(1)}>
        <${Sign} of="on" />
      </button>
      <span class="quiet numbers">${t("review.of", { n: at + 1, of: record.picks.length })}</span>
    </p>
    ${children}
  </section>`;
}

/** @param {{cost: number}} judged */
function gaveAway({ cost }) {
  const points = Math.round(cost * 1000) / 10;
  return points > 0 ? t("review.gave", { points }) : t("review.gave_nothing");
}

/** @param {any} judged @param {GameTable} game @param {NarrationContext} narration */
function advice(judged, game, narration) {
  const likely = Object.entries(judged.advice ?? {}).sort((a, b) => Number(b[1]) - Number(a[1]));
  if (likely.length === 0) return "";
  const words = likely
    .slice(0, 3)
    .map(([pick, chance]) => t("review.advised", { pick: game.pickName(pick, narration), n: percent(Number(chance)) }));
  return t("review.advice", { words: words.join(t("list.comma")) });
}

/** @param {{timing: {title: string, labels: string[], yours: number[], judges: number[]}}} props */
export function Timing({ timing }) {
  const most = Math.max(1, ...timing.yours, ...timing.judges);
  return html`<section>
    <h2>${timing.title}</h2>
    <div
      class="bars"
      role="img"
      aria-label=${timing.labels
        .map((label, place) => `${label}: ${timing.yours[place]} / ${timing.judges[place].toFixed(1)}`)
        .join(", ")}
    >
      ${timing.labels.map(
        (label, place) => html`<div class="bars-pair">
          <span class="bar-own" style=${{ "--h": timing.yours[place] / most }}>
            <b class="numbers">${timing.yours[place]}</b>
          </span>
          <span class="bar-judge" style=${{ "--h": timing.judges[place] / most }}>
            <b class="numbers">${timing.judges[place].toFixed(1)}</b>
          </span>
          <span class="bars-label small quiet">${label}</span>
        </div>`,
      )}
    </div>
    <p class="small quiet bars-legend">
      <span class="key-own"></span>${t("you")} <span class="key-judge"></span>${t("review.equilibrium")}
    </p>
  </section>`;
}

/** How readable one was, and where the chances came from, in numbers and one sentence.
 * @param {{review: any}} props */
export function Predictability({ review }) {
  const { readable, luck_and_skill: parts, say } = review;
  const number = readable ? Math.round(readable.number) : null;
  return html`<section>
    <h2>${t("review.readable")}</h2>
    ${
      number !== null &&
      html`
        <p class="big-number">
          <span class="display numbers">${number}</span> <span class="quiet">${t("review.of_100")}</span>
        </p>
        <div class="scale" style=${{ "--x": `${number}%` }} aria-hidden="true"><span></span></div>
        <p class="scale-words small quiet"><span>${t("review.closed")}</span><span>${t("review.open_book")}</span></p>
        <p class="small quiet">
          ${t("review.interval", { low: Math.round(readable.low), high: Math.round(readable.high), n: readable.picks })}
        </p>
      `
    }
    ${say?.habit && html`<p>${say.habit}</p>`}
    ${parts && html`<p class="small">${luck(parts)}</p>`}
  </section>`;
}

/** @param {any} parts */
function luck({ start, skill, gifts, luck: rest, end }) {
  const signed = (/** @type {{value: number}} */ part) => {
    const points = Math.abs(part.value * 100).toFixed(1);
    return points === "0.0" ? "±0" : `${part.value > 0 ? "+" : "−"}${points}`;
  };
  const params = { start: percent(start.value), skill: signed(skill), luck: signed(rest), end: percent(end.value) };
  return gifts ? t("review.luck_gifts", { ...params, gifts: signed(gifts) }) : t("review.luck", params);
}
