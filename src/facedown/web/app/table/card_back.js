// The paper of a card, and its back: a woven pattern with a closed eye, and the wax that covers the eye once a pick is
// sealed.

import { html, render } from "../html.js";

/** @param {number} n */
const at = (n) => Math.round(n * 100) / 100;

/** @type {Map<string, string>} */
const lumps = new Map(); // cached: a table draws the same few again with every change

/** The rim of a lump of wax.
 * @param {number} cx @param {number} cy @param {number} r */
export function lump(cx, cy, r) {
  const key = `${cx} ${cy} ${r}`;
  const found = lumps.get(key) ?? waxRim(cx, cy, r);
  lumps.set(key, found);
  return found;
}

/** @param {number} cx @param {number} cy @param {number} r */
function waxRim(cx, cy, r) {
  const points = Array.from({ length: 72 }, (_, i) => {
    const a = (i / 72) * Math.PI * 2;
    const k = 1 + 0.05 * (Math.sin(a * 3 + 2.2) * 0.6 + Math.sin(a * 5 + 5.06) * 0.5 + Math.sin(a * 8 + 9.02) * 0.28);
    return `${at(cx + Math.cos(a) * r * k)} ${at(cy + Math.sin(a) * r * k)}`;
  });
  return `M${points.join("L")}Z`;
}

/** The logo: a closed eye.
 * @param {{cx: number, cy: number, s: number, colour: string, weight?: number}} props */
export function Eye({ cx, cy, s, colour, weight = 1 }) {
  const x = (/** @type {number} */ n) => at(cx + n * s);
  const y = (/** @type {number} */ n) => at(cy + n * s);
  const lid = `M${x(-1)} ${y(-0.28)}C${x(-0.55)} ${y(0.34)} ${x(0.55)} ${y(0.34)} ${x(1)} ${y(-0.28)}`;
  const lashes = [
    [-0.66, 0.13, -0.86, 0.44],
    [-0.24, 0.28, -0.31, 0.66],
    [0.24, 0.28, 0.31, 0.66],
    [0.66, 0.13, 0.86, 0.44],
  ];
  const drawn = lashes.map(([a, b, c, d]) => `M${x(a)} ${y(b)}L${x(c)} ${y(d)}`).join("");
  return html`<path
    d=${lid + drawn}
    fill="none"
    stroke=${colour}
    stroke-width=${at(0.17 * s * weight)}
    stroke-linecap="round"
  />`;
}

/** Wax with the eye pressed into it.
 * @param {{cx: number, cy: number, r: number}} props */
export function Wax({ cx, cy, r }) {
  const [rim, half] = [at(r * 0.74), r * 0.52];
  const dark = `M${at(cx - rim)} ${cy}A${rim} ${rim} 0 0 1 ${at(cx + half)} ${at(cy - half)}`;
  const light = `M${at(cx + rim)} ${cy}A${rim} ${rim} 0 0 1 ${at(cx - half)} ${at(cy + half)}`;
  const bow = `${at(r * 0.86)} ${at(r * 0.86)} 0 0 1`;
  const shine = `M${at(cx - r * 0.84)} ${at(cy - r * 0.18)}A${bow} ${at(cx - r * 0.1)} ${at(cy - r * 0.86)}`;
  return html`
    <path d=${lump(cx + 1, cy + 4, r * 1.03)} opacity=".38" />
    <path d=${lump(cx, cy, r)} fill="#b92c1a" /><path d=${lump(cx - 0.6, cy - 1.2, r * 0.97)} fill="#c8321f" />
    <circle cx=${cx} cy=${cy} r=${rim} fill="#b02917" />
    <g fill="none">
      <path d=${dark} stroke="#86200f" stroke-width=${at(r * 0.06)} />
      <path d=${light} stroke="#e0664f" stroke-width=${at(r * 0.045)} opacity=".85" />
      <path d=${shine} stroke="#e9826c" stroke-width=${at(r * 0.05)} stroke-linecap="round" opacity=".75" />
    </g>
    <${Eye} cx=${cx} cy=${cy + r * 0.03} s=${r * 0.42} colour="#7d1c0d" weight=${1.15} />
    <${Eye} cx=${cx} cy=${cy + r * 0.065} s=${r * 0.42} colour="#ea8a74" weight=${0.35} />
  `;
}

/** The paper that faces are drawn on, 210 × 300. */
export const Paper = () => html`
  <rect width="210" height="300" rx="13" fill="#efe6d2" />
  <rect
    x=".75"
    y=".75"
    width="208.5"
    height="298.5"
    rx="12.4"
    fill="none"
    stroke="#fffaf0"
    stroke-opacity=".55"
    stroke-width="1.5"
  />
`;

/** The back; the wax is a group of its own, so that it can be pressed on.
 * @param {{sealed: boolean}} props */
export function Back({ sealed }) {
  return html`
    <rect width="210" height="300" rx="13" fill="#2b241e" />
    <rect x=".75" y=".75" width="208.5" height="298.5" rx="12.4" fill="none" stroke="#6d6151" stroke-width="1.5" />
    <rect x="13" y="13" width="184" height="274" rx="6" fill="url(#weave)" stroke="#8d8069" stroke-width="1.6" />
    <circle cx="105" cy="150" r="45" fill="#2b241e" stroke="#8d8069" stroke-width="1.6" />
    ${
      sealed
        ? html`<g class="wax"><${Wax} cx=${105} cy=${150} r=${37} /></g>`
        : html`
          <circle cx="105" cy="150" r="37" fill="none" stroke="#8d8069" />
          <${Eye} cx=${105} cy=${151} s=${17} colour="#a89a80" />
        `
    }
  `;
}

/** The woven pattern that backs refer to. */
export const Weave = () => html`<pattern
  id="weave"
  width="28"
  height="28"
  patternUnits="userSpaceOnUse"
  patternTransform="translate(105 150) rotate(45)"
>
  <rect width="28" height="28" fill="#1a1511" />
  ${[0, 4.5, 9].map(
    (i) => html`
      <g fill="#574a3c">
        <rect x=".7" y=${0.9 + i} width="12.6" height="3.3" rx=".8" />
        <rect x="14.7" y=${14.9 + i} width="12.6" height="3.3" rx=".8" />
      </g>
      <g fill="#45392e">
        <rect x=${14.9 + i} y=".7" width="3.3" height="12.6" rx=".8" />
        <rect x=${0.9 + i} y="14.7" width="3.3" height="12.6" rx=".8" />
      </g>
    `,
  )}
</pattern>`;

/** Puts what drawings refer to into the document, once.
 * @param {string} id @param {() => any} Shades */
export function provideDefs(id, Shades) {
  if (document.getElementById(id)) return;
  const holder = document.createElement("div");
  holder.id = id;
  holder.style.position = "absolute";
  render(html`<svg width="0" height="0" aria-hidden="true"><defs><${Shades} /></defs></svg>`, holder);
  document.body.append(holder);
}
