// Pictures of the three cards (on a card of 210 × 300), and the gradients they refer to. Knows shapes and colours only.

import { html } from "/app/html.js";

const PANE = { x: 12, y: 12, width: 186, height: 228 };

/** @param {number} n */
const at = (n) => Math.round(n * 100) / 100;

/** A five-pointed crown that stands on `base`.
 * @param {{cx: number, base: number, width: number, height: number}} props */
function Crown({ cx, base, width, height }) {
  const x = (/** @type {number} */ part) => at(cx - width / 2 + width * part);
  const y = (/** @type {number} */ part) => at(base - height + height * part);
  const points = [
    [0, 0.26],
    [0.245, 0.12],
    [0.5, 0],
    [0.755, 0.12],
    [1, 0.26],
  ];
  const p = (/** @type {number} */ a, /** @type {number} */ b) => `${x(a)} ${y(b)}`;
  const cloth = [
    `M${p(0, 0.26)}C${p(0.1, 0.62)} ${p(0.17, 0.62)} ${p(0.245, 0.12)}C${p(0.31, 0.6)} ${p(0.41, 0.58)} ${p(0.5, 0)}`,
    `C${p(0.59, 0.58)} ${p(0.69, 0.6)} ${p(0.755, 0.12)}C${p(0.83, 0.62)} ${p(0.9, 0.62)} ${p(1, 0.26)}`,
    `L${p(0.87, 0.84)}H${x(0.13)}Z`,
  ].join("");
  const band = `M${x(0.12)} ${y(0.89)}H${x(0.88)}V${y(1)}Q${x(0.5)} ${y(1.07)} ${x(0.12)} ${y(1)}Z`;
  const gem = (/** @type {number} */ a) =>
    `M${x(a)} ${y(0.64)}L${x(a + 0.032)} ${y(0.71)}L${x(a)} ${y(0.78)}L${x(a - 0.032)} ${y(0.71)}Z`;
  return html`
    <g fill="#1a1612">
      <path d=${cloth} /><path d=${band} />
      ${points.map(([a, b]) => html`<circle cx=${x(a)} cy=${y(b - 0.06)} r=${at(width * 0.042)} />`)}
    </g>
    <path fill="#c9a227" d=${[0.3, 0.5, 0.7].map(gem).join("")} />
  `;
}

function Emperor() {
  return html`
    <rect ...${PANE} fill="#e9d9ab" /><rect ...${PANE} height="110" fill="url(#ec-dawn)" />
    <circle cx="105" cy="146" r="70" fill="#c9a227" /><circle cx="105" cy="146" r="70" fill="url(#ec-sun)" />
    <path
      d="M12 172.5H93.5M73 184H198M12 197H121M114.5 206.5H198"
      stroke="#e9d9ab"
      stroke-width="5.6"
      stroke-linecap="round"
    />
    <path d="M12 222H198M12 231H64M82 231H198" stroke="#8d6f16" stroke-width="1.6" stroke-linecap="round" />
    <${Crown} cx=${105} base=${128} width=${112} height=${76} />
  `;
}

/** @typedef {{width: number, height: number, tile: string, ridge: string, wall: string, rows: number, deep: number}}
 *   Roof */

/** A roof with its wall and its windows, each `[place, colour]`.
 * @param {{x: number, y: number, roof: Roof, windows?: [number, string][]}} props */
function House({ x, y, roof, windows = [] }) {
  const { width: w, height: h, deep, ridge } = roof;
  const [left, right, sill] = [x + w * 0.13, x + w * 0.87, y + h + 7];
  const tiles = Array.from({ length: roof.rows - 1 }, (_, i) => {
    const k = (i + 1) / roof.rows;
    const [top, foot] = [left + (right - left) * k, x + w * k];
    return `M${at(top)} ${y + 2}Q${at(top + (foot - top) * 0.3)} ${at(y + h * 0.6)} ${at(foot)} ${at(y + h - 2.4)}`;
  });
  const cover = [
    `M${at(left)} ${y}H${at(right)}Q${at(right + w * 0.035)} ${at(y + h * 0.66)} ${x + w} ${y + h}`,
    `Q${at(x + w * 0.5)} ${at(y + h - 3.2)} ${x} ${y + h}`,
    `Q${at(left - w * 0.035)} ${at(y + h * 0.66)} ${at(left)} ${y}Z`,
  ].join("");
  const eaves = `M${x - 2} ${y + h + 0.5}Q${at(x + w * 0.5)} ${at(y + h - 3)} ${x + w + 2} ${y + h + 0.5}`;
  const top = [
    `M${at(left - 5)} ${y - 3.5}Q${at(left - 1)} ${y + 0.2} ${at(left + 5)} ${y}`,
    `H${at(right - 5)}Q${at(right + 1)} ${y + 0.2} ${at(right + 5)} ${y - 3.5}`,
  ].join("");
  return html`
    <rect x=${at(x + w * 0.1)} y=${y + h - 1} width=${at(w * 0.8)} height=${deep} fill=${roof.wall} />
    ${windows.map(
      ([part, glow]) => html`
        <rect x=${at(x + w * part)} y=${sill} width=${at(w * 0.15)} height=${at(deep * 0.44)} fill=${glow} />
        <path
          d=${[0.05, 0.1].map((bar) => `M${at(x + w * (part + bar))} ${sill}v${at(deep * 0.44)}`).join("")}
          stroke=${roof.wall}
          stroke-width="1.2"
        />
      `,
    )}
    <path d=${cover} fill=${roof.tile} />
    <path d=${tiles.join("")} fill="none" stroke=${ridge} stroke-width="1.15" opacity=".62" />
    <g fill="none" stroke=${ridge} stroke-linecap="round" stroke-linejoin="round">
      <path d=${eaves} stroke-width="3" /><path d=${top} stroke-width="5" />
    </g>
  `;
}

const FAR = { width: 72, height: 22, tile: "#b9c2ad", ridge: "#9aa692", wall: "#ccd0bb", rows: 9, deep: 30 };
const MIDDLE = { width: 99, height: 32, tile: "#8fa08b", ridge: "#66776a", wall: "#a9b4a0", rows: 11, deep: 36 };
const NEAR = { width: 130, height: 44, tile: "#4e5d54", ridge: "#1d231f", wall: "#31392f", rows: 13, deep: 44 };
const [DARK, HAZE, LAMP] = ["#49544a", "#dcdcc6", "#e4cf8e"];

function Citizen() {
  return html`
    <rect ...${PANE} fill=${HAZE} /><rect ...${PANE} height="100" fill="url(#ec-mist)" />
    ${[
      [-8, 86],
      [66, 80],
      [142, 87],
    ].map(([x, y]) => html`<${House} x=${x} y=${y} roof=${FAR} />`)}
    ${[
      [-44, 118],
      [58, 113],
      [166, 119],
    ].map(([x, y]) => html`<${House} x=${x} y=${y} roof=${MIDDLE} windows=${[[0.28, HAZE], [0.58, HAZE]]} />`)}
    <${House} x=${-30} y=${168} roof=${NEAR} windows=${[[0.35, DARK], [0.66, DARK]]} />
    <${House} x=${104} y=${163} roof=${NEAR} windows=${[[0.2, LAMP], [0.5, DARK]]} />
  `;
}

/** A closed link of the chain.
 * @param {{cx: number, cy: number, turn: number, w: number, h: number, thick: number}} props */
function Link({ cx, cy, turn, w, h, thick }) {
  const box = { x: -w / 2, y: -h / 2, width: w, height: h, rx: w / 2, fill: "none" };
  const shine = `M${-w / 2} ${at(h * 0.16)}V${at(-h * 0.16)}A${w / 2} ${w / 2} 0 0 1 ${at(-w * 0.1)} ${at(-h / 2 + 1)}`;
  return html`<g transform=${`translate(${cx} ${cy}) rotate(${turn})`}>
    <rect ...${box} stroke="#1c2226" stroke-width=${thick + 4.5} />
    <rect ...${box} stroke="#6f8794" stroke-width=${thick} />
    <path d=${shine} fill="none" stroke="#a9bcc4" stroke-width="2.6" stroke-linecap="round" />
  </g>`;
}

/** A link seen from its edge.
 * @param {{cx: number, cy: number, turn: number, long: number, w: number}} props */
function Edge({ cx, cy, turn, long, w }) {
  return html`<g transform=${`translate(${cx} ${cy}) rotate(${turn})`}>
    <rect
      x=${-w / 2 - 2.25}
      y=${-long / 2 - 2.25}
      width=${w + 4.5}
      height=${long + 4.5}
      rx=${w / 2 + 2}
      fill="#1c2226"
    />
    <rect x=${-w / 2} y=${-long / 2} width=${w} height=${long} rx=${w / 2} fill="#5b717d" />
    <path
      d=${`M${at(-w * 0.18)} ${at(-long * 0.3)}V${at(long * 0.24)}`}
      stroke="#93a9b3"
      stroke-width="2.4"
      stroke-linecap="round"
    />
  </g>`;
}

function BrokenLink() {
  return html`<g transform="translate(105 117) rotate(4) scale(.96)" fill="none">
    <path d="M33 3L24 -16A24.5 24.5 0 0 0 -24 -14V18A24 24 0 0 0 13 38" stroke="#1c2226" stroke-width="17.5" />
    <path d="M32.2 1.4L24 -16A24.5 24.5 0 0 0 -24 -14V18A24 24 0 0 0 11.4 38.8" stroke="#6f8794" stroke-width="13" />
    <path d="M-24 12V-12A24 24 0 0 1 -4 -37" stroke="#a9bcc4" stroke-width="2.6" stroke-linecap="round" />
  </g>`;
}

function Slave() {
  return html`
    <rect ...${PANE} fill="#cdd3cf" /><rect ...${PANE} fill="url(#ec-iron)" />
    <path d="M12 216H198V240H12Z" fill="#a3b0b1" /><path d="M12 216H198" stroke="#1c2226" stroke-width="1.6" />
    <path
      d="M22 226H78M92 226H118M140 226H190M12 233H40M60 233H150M166 233H198"
      stroke="#6f8794"
      stroke-width="1.5"
      stroke-linecap="round"
    />
    <${Edge} cx=${105} cy=${2} turn=${0} long=${52} w=${14} />
    <${Link} cx=${105} cy=${40} turn=${0} w=${44} h=${64} thick=${13} />
    <${Edge} cx=${105} cy=${76} turn=${0} long=${48} w=${14} /><${BrokenLink} />
    <path d="M143 134l10 3-7 7zM161 122l6 1-3 6zM133 160l5 6-8 1zM152 162l4 2-3 4z" fill="#1c2226" />
    <ellipse cx="122" cy="219" rx="62" ry="5" fill="#1c2226" opacity=".22" />
    <${Link} cx=${147} cy=${204} turn=${76} w=${34} h=${58} thick=${11} />
    <${Edge} cx=${107} cy=${210} turn=${86} long=${48} w=${11} />
    <${Link} cx=${68} cy=${206} turn=${98} w=${32} h=${56} thick=${11} />
  `;
}

/** The picture of each card, without its frame and name.
 * @type {Record<string, () => any>} */
export const PICTURES = { E: Emperor, C: Citizen, S: Slave };

/** @param {{id: string, stops: [number, string, number][]}} props */
const Fade = ({ id, stops }) => html`<linearGradient id=${id} x1="0" y1="0" x2="0" y2="1">
  ${stops.map(
    ([offset, colour, opacity]) => html`<stop offset=${offset} stop-color=${colour} stop-opacity=${opacity} />`,
  )}
</linearGradient>`;

/** What the pictures refer to. */
export const Shades = () => html`
  <${Fade} id="ec-dawn" stops=${[[0, "#b8861a", 0.55], [1, "#e9d9ab", 0]]} />
  <${Fade} id="ec-sun" stops=${[[0, "#a3480f", 0.55], [0.55, "#c9a227", 0]]} />
  <${Fade} id="ec-mist" stops=${[[0, "#8fa08b", 0.62], [1, HAZE, 0]]} />
  <${Fade} id="ec-iron" stops=${[[0, "#536a77", 0.55], [0.5, "#cdd3cf", 0]]} />
  <clipPath id="ec-pane"><rect ...${PANE} rx="5" /></clipPath>
`;
