// One card, drawn to fill its box: a face by its name (rank, then suit), or a back, plain or sealed.
import { html } from "/app/html.js";
import { Back, Weave } from "/app/table/back.js";
import { provide } from "/app/table/drawings.js";
import { still } from "/app/table/still.js";
import { Face, Shades } from "./french.js";

const Drawings = () => html`<${Shades} /><${Weave} />`;

/** `card` is a name like 7H, "back" or "sealed".
 * @param {{card: string}} props */
function Drawn({ card }) {
  provide("dv-drawings", Drawings);
  return html`<svg class="dv-card" data-card=${card} viewBox="0 0 210 300" aria-hidden="true">
    ${card.length === 2 ? html`<${Face} card=${card} />` : html`<${Back} sealed=${card === "sealed"} />`}
  </svg>`;
}

export const Card = still(Drawn);
