// A rating over the last games: a line, the band of its error, three levels, and the same as a table of numbers.

import { html } from "../html.js";
import { NumberTable } from "../parts/elements.js";
import { day } from "../phrases.js";
import { lang } from "../words.js";
import { say } from "./words.js";

/** @import { RatingInfo, RatingPoint } from "../net/rest.js" */

const WIDE = 1000;
const HIGH = 240;
const STEPS = [50, 100, 200, 500];
const DATES = 4;

/** The least and the most that a plot of these points shows, and up to three levels between them.
 * @param {Pick<RatingPoint, "points"|"error">[]} course */
export function scaleOf(course) {
  const low = Math.min(...course.map(({ points, error }) => points - error));
  const high = Math.max(...course.map(({ points, error }) => points + error));
  const step = STEPS.find((each) => (high - low) / each < 5) ?? 1000;
  const levels = [];
  for (let each = Math.ceil(low / step) * step; each <= high; each += step) levels.push(each);
  return { low, high: Math.max(high, low + 1), levels };
}

/** The line through the points and the outline of the band around it, in a box of `WIDE` by `HIGH`.
 * @param {Pick<RatingPoint, "points"|"error">[]} course */
export function pathsOf(course) {
  const { low, high } = scaleOf(course);
  const x = (/** @type {number} */ at) => ((at / Math.max(1, course.length - 1)) * WIDE).toFixed(1);
  const y = (/** @type {number} */ value) => (((high - value) / (high - low)) * HIGH).toFixed(1);
  const upper = course.map(({ points, error }, at) => `${x(at)} ${y(points + error)}`);
  const lower = course.map(({ points, error }, at) => `${x(at)} ${y(points - error)}`);
  return {
    line: `M${course.map(({ points }, at) => `${x(at)} ${y(points)}`).join("L")}`,
    band: `M${upper.join("L")}L${lower.reverse().join("L")}Z`,
  };
}

/** @param {{rating: RatingInfo, title: string}} props */
export function RatingPlot({ rating, title }) {
  const { course, points, error } = rating;
  if (course.length < 2) return null;
  const { low, high, levels } = scaleOf(course);
  const { line, band } = pathsOf(course);
  const height = (/** @type {number} */ value) => (high - value) / (high - low);
  const label = say("rating.course", { game: title, n: course.length, from: course[0].points, to: points, error });
  return html`<figure class="rating-plot">
    <div class="rating-lines" role="img" aria-label=${label}>
      <svg viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="rating-band" d=${band} />
        ${levels.map(
          (level) => html`<path
            class="rating-level"
            d=${`M0 ${height(level) * HIGH}H${WIDE}`}
            vector-effect="non-scaling-stroke"
          />`,
        )}
        <path class="rating-line" d=${line} vector-effect="non-scaling-stroke" />
      </svg>
      <i class="rating-end" style=${{ "--y": height(course.at(-1)?.points ?? points) }}></i>
      ${levels.map(
        (level) => html`<span class="rating-mark numbers" style=${{ "--y": height(level) }}>${level}</span>`,
      )}
    </div>
    <p class="rating-dates small quiet" aria-hidden="true">
      ${datesOf(course).map((each) => html`<span>${each}</span>`)}
    </p>
    <details class="rating-numbers">
      <summary class="small"><span class="link">${say("rating.numbers")}</span></summary>
      <${NumberTable}
        caption=${label}
        heads=${["date", "points", "error"].map((each) => say(`rating.${each}`))}
        rows=${course.toReversed().map((each) => [day(each.at), each.points, `±${each.error}`])}
      />
    </details>
  </figure>`;
}

/** Days along the plot, none twice. @param {RatingPoint[]} course */
function datesOf(course) {
  const short = new Intl.DateTimeFormat(lang.value, { month: "short", day: "numeric" });
  const count = Math.min(DATES, course.length);
  const at = Array.from({ length: count }, (_, i) => Math.round((i / (count - 1)) * (course.length - 1)));
  const days = at.map((each) => short.format(course[each].at));
  return days.filter((each, i) => days.indexOf(each) === i);
}
