// Course of a finished game: a line for each seat that climbs or falls step by step, and below it a cell for each
// step. It draws itself from left to right; readers get a sentence and a table.

import { html } from "../html.js";
import { lump } from "../table/card_back.js";
import { t } from "../words.js";
import { NumberTable } from "./elements.js";

/** @import { GameTable, Outline, Words } from "../contract.js" */

const SPREAD = 0.26; // of the height: so far apart are the labels at the ends of the lines

/** The height of a value, from 0 (top) to 1. @param {Outline["lines"]} lines @returns {(value: number) => number} */
export function heightOf(lines) {
  const highest = Math.max(1, ...lines.flatMap(({ values }) => values));
  return (value) => 1 - value / highest;
}

/** A line in steps that lie in the middle of their cells: its path, in a box as wide as there are steps and 1 high.
 * @param {number[]} values @param {(value: number) => number} height @param {number} steps */
export function stepPath(values, height, steps) {
  const turns = values.slice(1).map((value, i) => `H${i + 0.5}V${height(value)}`);
  const end = values.length > steps ? steps : values.length - 0.5;
  return `M0 ${height(values[0])}${turns.join("")}H${end}`;
}

/** Where the labels at the ends of the lines are, from 0 (top) to 1: beside their line, but not on each other.
 * @param {number[]} ends @param {number} [apart] */
export function spread(ends, apart = SPREAD) {
  const order = ends.map((_, i) => i).sort((a, b) => ends[a] - ends[b]);
  const free = Math.min(apart, 1 / Math.max(1, ends.length - 1));
  const at = [...ends];
  order.forEach((each, i) => {
    if (i > 0) at[each] = Math.max(at[each], at[order[i - 1]] + free);
  });
  order.toReversed().forEach((each, i, all) => {
    at[each] = Math.min(at[each], i > 0 ? at[all[i - 1]] - free : 1);
  });
  return at;
}

/** Where the broken seal lies: on the winner's line, else on the line that moved most in the deciding step.
 * @param {Outline} outline @param {number|null} winner @returns {number} its height */
export function sealHeight({ lines, step }, winner) {
  const height = heightOf(lines);
  const moved = (/** @type {number[]} */ values) => Math.abs((values[step] ?? 0) - (values[step - 1] ?? 0));
  const line =
    lines.find(({ seat }) => seat === winner) ?? [...lines].sort((a, b) => moved(b.values) - moved(a.values))[0];
  return height(line.values[step] ?? line.values.at(-1) ?? 0);
}

/** A small seal, broken in two, on 20 × 20. */
export const BrokenSeal = () => html`
  <path d=${lump(10, 10, 8.6)} fill="#c8321f" /><circle cx="10" cy="10" r="5.6" fill="#a82613" />
  <path class="trace-crack" d="M11.5 -1L8.5 5L11.5 9L8 14L10.5 21" fill="none" stroke="#12100e" stroke-width="2.2" />
`;

/** @param {{outline: Outline, game: GameTable, words: Words, you: number, winner: number|null,
 *   call: (seat: number) => string}} props */
export function Trace({ outline, game, words, you, winner, call }) {
  const { lines, cells = [], parts = [] } = outline;
  const steps = Math.max(...lines.map(({ values }) => values.length)) - 1;
  if (steps < 1) return null;
  const height = heightOf(lines);
  const labels = spread(lines.map(({ values }) => height(values.at(-1) ?? 0)));
  return html`<figure class="trace" style=${{ "--steps": steps }} data-names=${outline.names === true}>
    <figcaption class="unseen">${outline.summary}</figcaption>
    <div class="trace-plot" aria-hidden="true">
      <svg viewBox=${`0 0 ${steps} 1`} preserveAspectRatio="none">
        ${Array.from({ length: steps - 1 }, (_, i) => i + 1).map(
          (at) => html`<path class="trace-rule" data-part=${parts.includes(at)} d=${`M${at} 0V1`} />`,
        )}
        <path class="trace-rule" data-part="true" d=${`M0 1H${steps}`} />
        ${lines.map(
          ({ seat, values }) => html`<path
            class="trace-line"
            data-own=${seat === (you || winner)}
            d=${stepPath(values, height, steps)}
          />`,
        )}
      </svg>
      ${
        outline.step > 0 &&
        html`<svg
          class="trace-seal"
          viewBox="0 0 20 20"
          style=${{ "--x": (outline.step - 0.5) / steps, "--y": sealHeight(outline, winner) }}
        >
          <${BrokenSeal} />
        </svg>`
      }
      ${lines.map(
        ({ seat, values }, i) => html`<span
          class="one-line trace-end"
          data-own=${seat === (you || winner)}
          style=${{ "--y": labels[i] }}
        >${outline.names ? html`<bdi>${call(seat)}</bdi>` : values.at(-1)}</span>`,
      )}
    </div>
    ${
      cells.length > 0 &&
      html`<div class="trace-cells" aria-hidden="true">
        ${cells.map(
          (halves, i) => html`<div class="trace-cell" data-deciding=${i + 1 === outline.step} style=${{ "--i": i }}>
            <div class="trace-halves">
              ${halves.map(
                ({ pick, won, text }, place) => html`<span data-won=${won} data-own=${place === halves.length - 1}>
                  <i><${game.Pick} pick=${pick} size="glyph" words=${words} /></i> <b>${text}</b>
                </span>`,
              )}
              ${halves.every(({ won }) => !won) && html`<em>${outline.nobody}</em>`}
            </div>
            <small>${i + 1}</small>
          </div>`,
        )}
      </div>`
    }
    <${Numbers} outline=${outline} steps=${steps} call=${call} />
  </figure>`;
}

/** The same for readers: what each seat had after each step. @param {{outline: Outline, steps: number,
 *   call: (seat: number) => string}} props */
function Numbers({ outline: { lines, stepName }, steps, call }) {
  const own = [...lines].reverse();
  return html`<div class="unseen">
    <${NumberTable}
      caption=${t("ending.numbers")}
      heads=${["", ...own.map(({ seat }) => call(seat))]}
      rows=${Array.from({ length: steps }, (_, i) => i + 1).map((step) => [
        stepName(step),
        ...own.map(({ values }) => values[step] ?? "–"),
      ])}
    />
  </div>`;
}
