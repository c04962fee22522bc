// Statistics of a player: a rating with its uncertainty in words, and small plots of results over time.

import { html } from "../html.js";
import { t } from "../words.js";

/** @import { RatingInfo } from "../net/rest.js" */

const WIDE = 400;
const HIGH = 80;

/** @param {{points: number[], label: string, least?: number, level?: number}} props `least`: the smallest
 *   range of the plot, so that small changes look small; `level`: where a reference line is drawn */
export function Plot({ points, label, least = 1, level }) {
  const all = level === undefined ? points : [...points, level];
  const middle = (Math.min(...all) + Math.max(...all)) / 2;
  const range = Math.max(least, Math.max(...all) - Math.min(...all));
  const y = (/** @type {number} */ value) => (HIGH / 2 - ((value - middle) / range) * (HIGH - 8)).toFixed(1);
  const line = points.map((value, at) => `${((at / (points.length - 1)) * WIDE).toFixed(1)} ${y(value)}`).join("L");
  return html`
    <svg class="course" viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" aria-label=${label}>
      ${
        level !== undefined &&
        html`<path class="chances-even" d=${`M0 ${y(level)}H${WIDE}`} vector-effect="non-scaling-stroke" />`
      }
      <path class="chances-line" d=${`M${line}`} vector-effect="non-scaling-stroke" />
    </svg>
    <p class="small quiet">${label}</p>
  `;
}

const START = 25; // the rating of a new player
const REMEMBERED = 100; // most games in the course of a rating

/** @param {{rating: RatingInfo|null|undefined}} props */
export function Rating({ rating }) {
  if (!rating)
    return html`<div class="rating"><h3>${t("rating.title")}</h3><p class="small quiet">${t("rating.none")}</p></div>`;
  const { mean, deviation, games, course } = rating;
  const [low, high] = [mean - 2 * deviation, mean + 2 * deviation].map((each) => Math.max(0, Math.round(each)));
  const points = [...(games < REMEMBERED ? [START] : []), ...course.map((each) => each.mean)];
  const label = t("rating.course", { n: course.length, from: Math.round(points[0]), to: Math.round(mean) });
  return html`<div class="rating">
    <h3>${t("rating.title")}</h3>
    <p class="big-number">
      <span class="display numbers">${Math.round(mean)}</span> <span class="quiet">
        ${t("rating.between", { low, high })}
      </span>
    </p>
    <p class="small quiet">${t(`rating.${sureness(deviation)}`, { count: games })}</p>
    ${course.length > 1 && html`<${Plot} points=${points} label=${label} least=${10} level=${START} />`}
  </div>`;
}

/** How far a rating can be trusted, in one of three words. @param {number} deviation */
const sureness = (deviation) => (deviation > 5 ? "guess" : deviation > 2.5 ? "surer" : "sure");
