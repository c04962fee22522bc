// Chart of the winning chances over the game, with the picks of each decision below it.

import { html } from "../html.js";
import { t } from "../words.js";

/** @import { GameTable } from "../contract.js" */

const HIGH = 200;
const WIDE = 1200;

/** @param {{review: any, record: any, seat: number, game: GameTable, at: number,
 *   step: (to: number) => void}} props */
export function ChancesLine({ review, record, seat, game, at, step }) {
  const chances = review.chances;
  const rounds = cells(review, record);
  const points = [chances[0].before, ...chances.map((/** @type {any} */ each) => each.after)];
  const places = [0, ...rounds.flatMap(({ first, last }, round) => within(round, last - first + 1, rounds.length))];
  const x = (/** @type {number} */ point) => (places[point] ?? 1) * WIDE;
  const y = (/** @type {number} */ chance) => (1 - chance) * HIGH;
  const line = points.map((chance, point) => `${x(point).toFixed(1)} ${y(chance).toFixed(1)}`).join("L");
  const here = chances[at];
  return html`<figure class="chances">
    <figcaption class="unseen">${t("review.chances")}</figcaption>
    <div class="chances-scale small quiet numbers" aria-hidden="true">
      <span>100</span><span>${t("review.even")}</span><span>0</span>
    </div>
    <div class="chances-plot">
      <svg
        viewBox=${`0 0 ${WIDE} ${HIGH}`}
        preserveAspectRatio="none"
        role="img"
        aria-label=${t("review.chances_of", { from: percent(points[0]), to: percent(points[points.length - 1]) })}
      >
        <path class="chances-fill" d=${`M0 ${HIGH}L${line}L${WIDE} ${HIGH}Z`} />
        <path class="chances-even" d=${`M0 ${HIGH / 2}H${WIDE}`} vector-effect="non-scaling-stroke" />
        <path class="chances-line" d=${`M${line}`} vector-effect="non-scaling-stroke" />
        ${here && html`<path class="chances-here" d=${`M${x(at + 1)} 0V${HIGH}`} vector-effect="non-scaling-stroke" />`}
      </svg>
      ${
        here &&
        html`
          <span
            class="chances-dot"
            style=${{ "--x": `${(places[at + 1] ?? 1) * 100}%`, "--y": `${(1 - here.after) * HIGH}px` }}
          ></span>
          <p
            class="chances-say small"
            style=${{ "--x": `${(places[at + 1] ?? 1) * 100}%` }}
            data-late=${(places[at + 1] ?? 1) > 0.5}
          >
            <b class="numbers">${percent(here.before)} → ${percent(here.after)}</b>
          </p>
        `
      }
      <${Strip} cells=${rounds} seat=${seat} game=${game} at=${at} step=${step} />
    </div>
  </figure>`;
}

/** Where the decisions of a round end, as parts of the whole width; all rounds are equally wide.
 * @param {number} round @param {number} decisions @param {number} rounds */
const within = (round, decisions, rounds) =>
  Array.from({ length: decisions }, (_, place) => (round + (place + 1) / decisions) / rounds);

/** @typedef {{first: number, last: number, joint: any[], won: boolean|null|undefined, result: string}} Cell */

/** What stands together under the line: a round of several decisions, or one decision.
 * @param {any} review @param {any} record @returns {Cell[]} */
function cells(review, record) {
  const rounds = review.rounds?.length > 0 ? review.rounds : record.picks.map(() => ({ decisions: 1, result: "" }));
  let next = 0;
  return rounds.map((/** @type {any} */ { decisions, won, result }) => {
    const first = next;
    next += decisions;
    return { first, last: next - 1, joint: record.picks[next - 1] ?? [], won, result };
  });
}

/** @param {{cells: Cell[], seat: number, game: GameTable, at: number, step: (to: number) => void}} props */
function Strip({ cells: all, seat, game, at, step }) {
  return html`<div
    class="strip"
    style=${{ "--columns": `repeat(${all.length}, minmax(0, 1fr))` }}
    data-many=${all.length > 16}
  >
    ${all.map(({ first, last, joint, won, result }, round) => {
      const others = joint.map((_, place) => place + 1).filter((each) => each !== seat);
      const here = first <= at && at <= last;
      return html`<button
        class="strip-cell"
        aria-pressed=${here}
        aria-label=${t("review.go_to", { n: last + 1 })}
        onClick=${() => step(last)}
      >
        <${Half} joint=${joint} seats=${others} game=${game} won=${won === false} result=${result} />
        <${Half} joint=${joint} seats=${[seat]} game=${game} won=${won === true} result=${result} />
        ${won === null && html`<span class="strip-none">${t("review.no_one")}</span>`}
        <span class="strip-number numbers" aria-hidden="true">${round + 1}</span>
      </button>`;
    })}
  </div>`;
}

/** Above the others, below oneself; the winner's half is filled.
 * @param {{joint: any[], seats: number[], game: GameTable, won: boolean, result: string}} props */
function Half({ joint, seats, game, won, result }) {
  const picks = seats.map((seat) => joint[seat - 1]).filter((pick) => pick !== null && pick !== "resign");
  return html`<span class=${won ? "strip-half strip-won" : "strip-half"}>
    ${picks.slice(0, 2).map((pick) => html`<${game.Pick} pick=${String(pick)} size="glyph" />`)}
    ${won && html`<b class="numbers">${result}</b>`}
  </span>`;
}

/** @param {number} chance */
export const percent = (chance) => String(Math.round(chance * 100));
