// A small line over some games.

import { html } from "../html.js";

const WIDE = 400;
const HIGH = 80;

/** @param {{points: number[], label: string, least?: number, level?: number}} props `least`: how much the height stands
 *   for
 *   at least, so that little does not look like much; `level`: where a quiet line lies */
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
