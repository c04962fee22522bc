// Drawing of cards: faces of a French deck on 210 × 300 (pips, courts, large corner indices), a single card that fills
// its box, a pick, the game's emblem.

import { html, memo } from "/app/html.js";
import { Back, Paper, provideDefs, Wax, Weave } from "/app/table/card_back.js";
import { readPick, signed } from "./words/names.js";

/** Each suit on a grid of 100 × 100.
 * @type {Record<string, string>} */
export const SUITS = {
  S:
    "M50 4C58 24 92 40 92 64C92 80 78 88 66 86C60 85 56 82 54 78C55 88 58 93 66 97H34C42 93 45 88 46 78" +
    "C44 82 40 85 34 86C22 88 8 80 8 64C8 40 42 24 50 4Z",
  H: "M50 95C44 78 6 60 6 31C6 15 18 6 30 6C40 6 47 12 50 21C53 12 60 6 70 6C82 6 94 15 94 31" + "C94 60 56 78 50 95Z",
  D: "M50 3C58 24 70 38 87 50C70 62 58 76 50 97C42 76 30 62 13 50C30 38 42 24 50 3Z",
  C:
    "M50 4C62 4 71 13 71 24C71 32 67 38 61 42C65 40 69 39 73 39C85 39 94 48 94 60C94 72 85 81 73 81" +
    "C64 81 57 76 54 69C55 82 58 91 67 97H33C42 91 45 82 46 69C43 76 36 81 27 81C15 81 6 72 6 60" +
    "C6 48 15 39 27 39C31 39 35 40 39 42C33 38 29 32 29 24C29 13 38 4 50 4Z",
};
const [BLACK, RED, GOLD, BONE] = ["#1d1a17", "#b92c1a", "#c9a227", "#efe6d2"];

/** @type {Record<string, string>} */
const COLOURS = { S: BLACK, C: BLACK, H: RED, D: RED };

/** The heights of a number's pips, from the top (0) to the foot (1): in both outer columns, and in the middle.
 * @type {Record<string, {outer?: number[], middle?: number[]}>} */
const PIPS = {
  2: { middle: [0, 1] },
  3: { middle: [0, 0.5, 1] },
  4: { outer: [0, 1] },
  5: { outer: [0, 1], middle: [0.5] },
  6: { outer: [0, 0.5, 1] },
  7: { outer: [0, 0.5, 1], middle: [0.25] },
  8: { outer: [0, 0.5, 1], middle: [0.25, 0.75] },
  9: { outer: [0, 0.333, 0.667, 1], middle: [0.5] },
  T: { outer: [0, 0.333, 0.667, 1], middle: [0.167, 0.833] },
};

/** @param {{suit: string, x: number, y: number, size: number, turn?: number, colour?: string}} props */
function Pip({ suit, x, y, size, turn = 0, colour = COLOURS[suit] }) {
  return html`<path
    d=${SUITS[suit]}
    fill=${colour}
    transform=${`translate(${x} ${y}) rotate(${turn}) scale(${size / 100}) translate(-50 -50)`}
  />`;
}

/** What a court wears on the head.
 * @type {Record<string, (props: {colour: string}) => any>} */
const HEADS = {
  K: () => html`
    <path d="M90 68Q90 60 105 60Q120 60 120 68L121 74H89Z" fill=${BLACK} />
    <path
      d="M86 51.72C89.8 59.64 92.46 59.64 95.31 48.64C97.78 59.2 101.58 58.76 105 46
        C108.42 58.76 112.22 59.2 114.69 48.64C117.54 59.64 120.2 59.64 124 51.72L119.06 64.48H90.94Z
        M90.56 65.58H119.44V68Q105 69.54 90.56 68Z"
      fill=${GOLD}
    />
    ${[
      [86, 50.4],
      [95.3, 47.3],
      [105, 44.7],
      [114.7, 47.3],
      [124, 50.4],
    ].map(([x, y]) => html`<circle cx=${x} cy=${y} r="1.6" fill=${GOLD} />`)}
  `,
  Q: () => html`
    <path d="M86 84Q82 56 105 56Q128 56 124 84Q121 70 105 69Q89 70 86 84Z" fill=${BLACK} />
    <circle cx="105" cy="54" r="9.5" fill=${BLACK} />
    <path d="M84 49L126 57M84 58L126 50" stroke=${GOLD} stroke-width="2.4" stroke-linecap="round" />
  `,
  J: ({ colour }) => html`
    <path d="M88 74Q88 60 105 60Q122 60 122 74Q105 68 88 74Z" fill=${BLACK} />
    <path d="M84 66Q105 50 128 62L124 70Q105 60 87 72Z" fill=${colour === BLACK ? "#4a433a" : colour} />
    <path d="M122 62Q136 52 134 40Q124 46 118 58Z" fill=${GOLD} />
  `,
};

/** The upper half of a court; the lower one is the same, turned.
 * @param {{rank: string, suit: string}} props */
function Half({ rank, suit }) {
  const colour = COLOURS[suit];
  return html`<g clip-path="url(#dv-half)">
    <path d="M48 152L58 122Q64 108 88 104H122Q146 108 152 122L162 152Z" fill=${colour} />
    <path d="M58 122Q64 108 80 105.5L100 152H48Z" opacity=".16" />
    <path d="M94 92H116V108H94Z" fill=${BONE} />
    <path d="M94 98V106M116 98V106" stroke=${BLACK} stroke-width="1.5" />
    <g fill="none">
      <path d="M79 103L105 158L131 103" stroke=${BONE} stroke-width="10" />
      <path d="M79 103L105 158L131 103" stroke=${GOLD} stroke-width="4.5" />
    </g>
    <path d="M90 102L105 136L120 102Z" fill=${BONE} />
    <path d="M90 102L105 136L120 102" fill="none" stroke=${colour} stroke-width="2" />
    <path d="M90 72Q88 98 105 100Q122 98 120 72Z" fill="#f6efdf" stroke=${BLACK} stroke-width="1.8" />
    <${HEADS[rank]} colour=${colour} />
    ${[77, 133].map((x) => html`<${Pip} suit=${suit} x=${x} y=${134} size=${12} colour=${BONE} />`)}
  </g>`;
}

/** @param {{rank: string, suit: string}} props */
function Court({ rank, suit }) {
  return html`
    <rect x="62" y="30" width="86" height="240" rx="4" fill="#e2d5b6" /><${Half} rank=${rank} suit=${suit} />
    <g transform="rotate(180 105 150)"><${Half} rank=${rank} suit=${suit} /></g>
    <path d="M62 150H148" stroke=${BONE} stroke-width="3" />
    <rect x="62" y="30" width="86" height="240" rx="4" fill="none" stroke="#2a241d" stroke-width="1.5" />
  `;
}

/** @param {{rank: string, suit: string}} props */
function Middle({ rank, suit }) {
  if ("JQK".includes(rank)) return html`<${Court} rank=${rank} suit=${suit} />`;
  if (rank === "A") return html`<${Pip} suit=${suit} x=${105} y=${150} size=${92} />`;
  const { outer = [], middle = [] } = PIPS[rank];
  const columns = [
    outer.map((height) => [-1, height]),
    outer.map((height) => [1, height]),
    middle.map((height) => [0, height]),
  ];
  return columns.flat().map(
    ([column, height]) =>
      html`<${Pip}
        suit=${suit}
        x=${105 + column * 23}
        y=${78 + height * 144}
        size=${27}
        turn=${height > 0.5 ? 180 : 0}
      />`,
  );
}

/** The corner: large enough to be read in a fan on a small phone.
 * @param {{rank: string, suit: string}} props */
function Corner({ rank, suit }) {
  const ten = rank === "T" ? { textLength: 50, lengthAdjust: "spacingAndGlyphs" } : {};
  return html`
    <text class="dv-index" x="33" y="60" text-anchor="middle" fill=${COLOURS[suit]} ...${ten}>
      ${rank === "T" ? "10" : rank}
    </text>
    <${Pip} suit=${suit} x=${33} y=${88} size=${33} />
  `;
}

/** @param {{card: string}} props */
export function Face({ card }) {
  const [rank, suit] = card;
  return html`
    <${Paper} />
    <${Middle} rank=${rank} suit=${suit} /><${Corner} rank=${rank} suit=${suit} />
    <g transform="rotate(180 105 150)"><${Corner} rank=${rank} suit=${suit} /></g>
  `;
}

/** What the courts refer to. */
export const Shades = () => html`<clipPath id="dv-half"><rect x="62" y="30" width="86" height="120" /></clipPath>`;

const Drawings = () => html`<${Shades} /><${Weave} />`;

/** `card` is a name like 7H, "back" or "sealed".
 * @param {{card: string}} props */
function Drawn({ card }) {
  provideDefs("dv-drawings", Drawings);
  return html`<svg class="dv-card" data-card=${card} viewBox="0 0 210 300" aria-hidden="true">
    ${card.length === 2 ? html`<${Face} card=${card} />` : html`<${Back} sealed=${card === "sealed"} />`}
  </svg>`;
}

export const Card = memo(Drawn);

/** The wax alone, so that it can drop onto a card. */
const Drop = memo(
  () =>
    html`<svg class="card-wax" viewBox="0 0 210 300" aria-hidden="true"><${Wax} cx=${105} cy=${150} r=${37} /></svg>`,
);

/** A card that can be turned over: `card` is its face, if it may be seen; `back` is `"sealed"` with wax on it.
 * @param {{card: string|null, back?: "back"|"sealed"|null, down?: boolean, lost?: boolean}} props */
export function TwoSided({ card, back = null, down = false, lost = false }) {
  return html`<span class="card-turner dv-turner" data-down=${down} data-lost=${lost}>
    ${card ? html`<span class="card-side dv-side" data-side="face"><${Card} card=${card} /></span>` : null}
    ${
      back
        ? html`<span class="card-side dv-side" data-side="back">
          <${Card} card="back" />${back === "sealed" ? html`<${Drop} />` : null}
        </span>`
        : null
    }
  </span>`;
}

/** @param {{pick: string, size: "card"|"glyph"}} props */
export function Pick({ pick, size }) {
  const { card, exchange } = readPick(pick);
  if (size === "glyph") return html`<span class="dv-pick">${exchange ? "⇄ " : ""}${signed(card)}</span>`;
  return html`<div class="dv-pick-card" data-exchange=${exchange}>
    <${Card} card=${card} />${exchange ? html`<span aria-hidden="true">⇄</span>` : null}
  </div>`;
}

const FAN = ["8D", "JC", "KH", "AS", "sealed"];

/** @param {{size: "fan"|"glyph"}} props */
export function Emblem({ size }) {
  if (size === "glyph")
    return html`<svg class="dv-mark" viewBox="0 0 100 100" fill="currentColor" aria-hidden="true">
      <path d=${SUITS.S} />
    </svg>`;
  return html`<div class="dv-emblem" aria-hidden="true">
    ${FAN.map(
      (card, place) => html`<div class="dv-emblem-card" style=${{ "--dv-from-middle": place - 2 }}>
        <${Card} card=${card} />
      </div>`,
    )}
  </div>`;
}
