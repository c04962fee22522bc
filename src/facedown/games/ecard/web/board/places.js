// The two places under the lamp, the other's on the left and yours on the right: sealed, turning or turned.

import { html } from "/app/html.js";
import { Eye } from "/app/table/card_back.js";
import { Card } from "../drawing/card.js";

/** One place. `card` is the letter once it may be seen; `state` is what lies there.
 * @typedef {{who: "other"|"you", state: "empty"|"due"|"sealed"|"turning"|"turned", card: string|null, beaten: boolean,
 *   label: string, name: string}} PlaceProps
 * @param {PlaceProps} props */
function Place({ who, state, card, beaten, label, name }) {
  const shown = state === "turning" || state === "turned";
  return html`<div
    class="ec-place"
    data-who=${who}
    data-state=${state}
    data-beaten=${beaten}
    data-drop=${who === "you" ? "table" : undefined}
  >
    <div class="ec-slot">
      ${
        state === "empty" || state === "due"
          ? html`<svg class="ec-slot-eye" viewBox="-24 -24 48 48" aria-hidden="true">
            <circle r="23" fill="none" stroke="currentColor" stroke-width="1.4" />
            <${Eye} cx=${0} cy=${1} s=${11} colour="currentColor" />
          </svg>`
          : html`<div class="ec-turner">
            <div class="ec-side" data-side="back"><${Card} card="sealed" /></div>
            ${
              shown && card
                ? html`<div class="ec-side" data-side="face"><${Card} card=${card} name=${name} /></div>`
                : null
            }
          </div>`
      }
    </div>
    <p class="ec-place-label">${label}</p>
  </div>`;
}

/** @param {{places: PlaceProps[], lamp: string}} props */
export function Places({ places, lamp }) {
  return html`<div class="ec-places" data-lamp=${lamp}>
    <div class="ec-light" aria-hidden="true"></div>
    ${places.map((place) => html`<${Place} key=${place.who} ...${place} />`)}
  </div>`;
}
