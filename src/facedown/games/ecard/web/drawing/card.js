// Cards as they are drawn: a single card that fills its box, a pick, the game's emblem.

import { html, memo } from "/app/html.js";
import { Back, provideDefs, Wax, Weave } from "/app/table/card_back.js";
import { PICTURES, Shades } from "./art.js";
import { Mark } from "./marks.js";
import { Molten } from "./wax.js";

/** @import { Words } from "/app/contract.js" */

const Drawings = () => html`<${Shades} /><${Weave} /><${Molten} />`;

/** @param {{name: string, card: string}} props */
function Face({ name, card }) {
  return html`
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
    <g clip-path="url(#ec-pane)"><${PICTURES[card]} /></g>
    <rect x="12" y="12" width="186" height="228" rx="5" fill="none" stroke="#2a241d" stroke-width="1.6" />
    <text class="ec-card-name" x="105" y="275" text-anchor="middle" fill="#1d1a17">${name}</text>
  `;
}

/** `card` is a letter, "back" or "sealed"; `name` is what the face says.
 * @param {{card: string, name?: string}} props */
function Drawn({ card, name = "" }) {
  provideDefs("ec-drawings", Drawings);
  const face = card in PICTURES;
  return html`<svg class="ec-card" data-card=${card} viewBox="0 0 210 300" aria-hidden="true">
    ${face ? html`<${Face} card=${card} name=${name} />` : html`<${Back} sealed=${card === "sealed"} />`}
  </svg>`;
}

export const Card = memo(Drawn);

/** The wax by itself, so that it can drop onto a card. */
const Drop = memo(
  () => html`<svg class="ec-wax" viewBox="0 0 210 300" aria-hidden="true"><${Wax} cx=${105} cy=${150} r=${37} /></svg>`,
);

/** A card that can be turned over: `card` is its face, if it may be seen; `back` and `wax` say whether those are there.
 * @param {{card: string|null, name?: string, back?: boolean, wax?: boolean, down?: boolean}} props */
export function TwoSided({ card, name = "", back = false, wax = false, down = false }) {
  return html`<span class="ec-turner" data-down=${down} data-sides=${back ? 2 : 1}>
    ${
      back
        ? html`<span class="ec-side" data-side="back">
          <${Card} card="back" />${wax ? html`<${Drop} />` : null}
        </span>`
        : null
    }
    ${card ? html`<span class="ec-side" data-side="face"><${Card} card=${card} name=${name} /></span>` : null}
  </span>`;
}

/** @param {{pick: string, size: "card"|"glyph", words?: Words}} props */
export function Pick({ pick, size, words }) {
  if (!"ECS".includes(pick) && pick !== "forfeit") return html`<span class="ec-pick-stake">${pick}</span>`;
  return size === "glyph"
    ? html`<${Mark} of=${pick} />`
    : html`<${Card} card=${pick} name=${words?.(`card.${pick}`)} />`;
}

const FAN = ["E", "C", "S", "sealed"];

/** @param {{size: "fan"|"glyph", words: Words}} props */
export function Emblem({ size, words }) {
  if (size === "glyph") return html`<${Mark} of="E" />`;
  return html`<div class="ec-emblem" aria-hidden="true">
    ${FAN.map(
      (card, place) => html`<div class="ec-held" style=${{ "--from-middle": place - 1.5 }}>
        <${Card} card=${card} name=${card in PICTURES ? words(`card.${card}`) : ""} />
      </div>`,
    )}
  </div>`;
}
