// What one is worth in a game: a number, how far it may be off in words, and its course.

import { html } from "../html.js";
import { t } from "../words.js";
import { Plot } from "./plot.js";

/** @typedef {{mean: number, deviation: number, games: number, course: {at: number, mean: number}[]}} Rated */

const START = 25; // where everybody starts
const REMEMBERED = 100; // so many games the course holds at most

/** @param {{rating: Rated|null|undefined}} props */
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
    <p class="small quiet">${t(`rating.${sureness(deviation)}`, { n: games })}</p>
    ${course.length > 1 && html`<${Plot} points=${points} label=${label} least=${10} level=${START} />`}
  </div>`;
}

/** How far a rating can be trusted, in one of three words. @param {number} deviation */
const sureness = (deviation) => (deviation > 5 ? "guess" : deviation > 2.5 ? "surer" : "sure");
