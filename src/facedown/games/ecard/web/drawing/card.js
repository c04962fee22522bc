// Cards as they are drawn: a single card that fills its box, a pick, the game's emblem.

import { html, memo, render } from "/app/html.js";
import { Back, Paper, provideDefs, Wax, Weave } from "/app/table/card_back.js";
import { PICTURES, Shades } from "./art.js";
import { Mark } from "./marks.js";

/** @import { Words } from "/app/contract.js" */

/** @param {{card: string}} props */
function Face({ card }) {
  return html`
    <${Paper} />
    <g clip-path="url(#ec-pane)"><${PICTURES[card]} /></g>
    <rect x="12" y="12" width="186" height="228" rx="5" fill="none" stroke="#2a241d" stroke-width="1.6" />
  `;
}

/** @param {string} of a letter, "back", "sealed" or "wax" */
const shapesOf = (of) =>
  of === "wax"
    ? html`<${Wax} cx=${105} cy=${150} r=${37} />`
    : of in PICTURES
      ? html`<${Face} card=${of} />`
      : html`<${Back} sealed=${of === "sealed"} />`;

/** @param {{name: string}} props */
const Name = ({ name }) =>
  html`<text class="ec-card-name" x="105" y="275" text-anchor="middle" fill="#1d1a17">${name}</text>`;

const Drawings = () => html`<${Shades} /><${Weave} />`;

/** @type {Map<string, HTMLImageElement>} */
const images = new Map();

/** The address of a drawing as one image, made when it is first asked for: the hundred shapes of a card would be
 * styled again whenever it moves. @param {string} of */
function imageOf(of) {
  const made = images.get(of) ?? new Image(420, 600);
  if (!images.has(of)) {
    const holder = document.createElement("div");
    render(
      html`<svg viewBox="0 0 210 300" width="420" height="600">
        <defs><${Drawings} /></defs>
        ${shapesOf(of)}
      </svg>`,
      holder,
    );
    const drawing = new XMLSerializer().serializeToString(/** @type {Element} */ (holder.firstElementChild));
    made.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
    images.set(of, made);
  }
  return made.src;
}

/** Makes the images of all cards, one at a time, so that none has to be made when it is turned. */
export function prepareCards() {
  let wait = 0;
  for (const of of [...Object.keys(PICTURES), "back", "sealed", "wax"]) {
    setTimeout(() => imageOf(of), wait);
    wait += 100;
  }
}

/** `card` is a letter, "back" or "sealed"; `name` is what the face says.
 * @param {{card: string, name?: string}} props */
function Drawn({ card, name = "" }) {
  return html`<span class="ec-card" data-card=${card} aria-hidden="true">
    <img src=${imageOf(card)} alt="" decoding="sync" draggable=${false} />
    ${
      card in PICTURES
        ? html`<svg viewBox="0 0 210 300">
          <${Name} name=${name} />
        </svg>`
        : null
    }
  </span>`;
}

export const Card = memo(Drawn);

/** The wax alone, so that it can drop onto a card. */
const Drop = memo(() => html`<img class="card-wax ec-wax" src=${imageOf("wax")} alt="" decoding="sync" />`);

/** A card that can be turned over: `card` is its face, if it may be seen; `back` says whether its sealed back is there.
 * @param {{card: string|null, name?: string, back?: boolean, down?: boolean, beaten?: boolean}} props */
export function TwoSided({ card, name = "", back = false, down = false, beaten = false }) {
  return html`<span class="card-turner ec-turner" data-down=${down} data-sides=${back ? 2 : 1} data-beaten=${beaten}>
    ${back ? html`<span class="card-side ec-side" data-side="back"><${Card} card="back" /><${Drop} /></span>` : null}
    ${card ? html`<span class="card-side ec-side" data-side="face"><${Card} card=${card} name=${name} /></span>` : null}
  </span>`;
}

/** A card as shapes of the page, for a picture that is made of them. @param {{card: string, name: string}} props */
function Shapes({ card, name }) {
  provideDefs("ec-drawings", Drawings);
  return html`<svg class="ec-card" data-card=${card} viewBox="0 0 210 300" aria-hidden="true">
    ${shapesOf(card)} ${card in PICTURES ? html`<${Name} name=${name} />` : null}
  </svg>`;
}

/** @param {{pick: string, size: "card"|"glyph", words?: Words}} props */
export function Pick({ pick, size, words }) {
  if (!"ECS".includes(pick) && pick !== "forfeit") return html`<span class="ec-pick-stake">${pick}</span>`;
  return size === "glyph"
    ? html`<${Mark} of=${pick} />`
    : html`<${Shapes} card=${pick} name=${words?.(`card.${pick}`) ?? ""} />`;
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
