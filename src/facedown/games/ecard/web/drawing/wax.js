// The seal that bursts in front of the cards when the Slave wins: two halves of a disc, and shards.

import { html } from "/app/html.js";
import { provideDefs } from "/app/table/card_back.js";

/** Where the shards fly: `[x, y, size, turn]`. */
const SHARDS = [
  [-44, -306, 18, 20],
  [12, -322, 16, -30],
  [48, -300, 10, 10],
  [-322, -148, 10, 30],
  [-346, -126, 6, 0],
  [-286, 220, 8, 12],
  [-256, 202, 14, -12],
  [268, 184, 16, 6],
  [296, 204, 9, 40],
  [322, 126, 7, 15],
];

/** The two halves share the crack. */
const LEFT =
  "M-22 -292C-110 -300 -196 -262 -240 -196C-300 -120 -292 -30 -288 40C-286 150 -236 240 -150 276" +
  "C-96 306 -40 296 -4 292L-12 240L0 190L-14 140L-4 96L-30 -150L2 -236L-26 -268Z";
const RIGHT =
  "M6 -296C96 -296 150 -262 200 -214C264 -150 292 -86 290 -2C296 110 258 214 176 256" +
  "C110 290 60 288 8 290L-2 240L12 190L-2 140L8 96L-14 -150L22 -240L-4 -266Z";

const BOX = "-360 -330 720 660";

function Left() {
  provideDefs("ec-wax-colour", Molten);
  return html`
  <path d=${LEFT} fill="#8f2211" transform="translate(0 8)" /><path d=${LEFT} fill="url(#ec-molten)" />
  <path d="M-30 -226A226 226 0 0 0 -160 160" fill="none" stroke="#8c2110" stroke-width="9" />
  <path
    d="M-262 -34A270 270 0 0 1 -120 -238"
    fill="none"
    stroke="#e9826c"
    stroke-width="11"
    stroke-linecap="round"
    opacity=".6"
  />
  <path d="M-92 -246L-76 -216M-70 206L-94 238L-136 250" fill="none" stroke="#2a0d07" stroke-width="2.5" />
`;
}

const Right = () => html`
  <path d=${RIGHT} fill="#8f2211" transform="translate(0 8)" /><path d=${RIGHT} fill="url(#ec-molten)" />
  <path d="M20 -228A228 228 0 0 1 120 194" fill="none" stroke="#a02815" stroke-width="6" />
  <path d="M232 10A232 232 0 0 1 24 224" fill="none" stroke="#e0664f" stroke-width="3" opacity=".85" />
  <path d="M122 -214L112 -196M70 196L104 238" fill="none" stroke="#2a0d07" stroke-width="2.5" />
`;

const Shards = () =>
  SHARDS.map(
    ([x, y, size, turn]) => html`<path
      d="M-.5 -.4L.5 -.5L.4 .5L-.3 .4Z"
      transform=${`translate(${x} ${y}) rotate(${turn}) scale(${size})`}
      fill="#c0301d"
    />`,
  );

/** Each half is a drawing of its own, so that it can fly on its own. */
export const Disc = () => html`
  <svg class="ec-disc" data-half="left" viewBox=${BOX}><${Left} /></svg>
  <svg class="ec-disc" data-half="right" viewBox=${BOX}><${Right} /></svg>
  <svg class="ec-disc" data-half="shards" viewBox=${BOX}><${Shards} /></svg>
`;

/** The same as it lies broken behind the cards, at the end of a game. */
export const Seal = () => html`<svg viewBox=${BOX} aria-hidden="true">
  <g transform="translate(-10 4) rotate(-2)"><${Left} /></g><g transform="translate(12 -4) rotate(3)"><${Right} /></g>
  <${Shards} />
</svg>`;

/** The colour of the wax: lit from above. */
const Molten = () => html`<radialGradient id="ec-molten" gradientUnits="userSpaceOnUse" cx="-60" cy="-200" r="560">
    <stop offset="0" stop-color="#d53a26" />
    <stop offset=".55" stop-color="#bb2c19" />
    <stop offset="1" stop-color="#9a2412" />
  </radialGradient>`;
