// Hands as fans: your own cards to pick from, and another's as backs, which close up evenly after each pick.

import { html } from "/app/html.js";
import { useDrag } from "/app/table/input.js";
import { Card } from "../drawing/card.js";

/** @import { Words } from "/app/contract.js" */

/** @typedef {object} HandCardProps
 * @property {string} card @property {number} place @property {number} count
 * @property {boolean} raised @property {boolean} free @property {Words} words
 * @property {() => void} raise @property {() => void} seal */

/** @param {HandCardProps} props */
function HandCard({ card, place, count, raised, free, words, raise, seal }) {
  const drag = useDrag({ tap: raised ? seal : raise, drop: seal, idle: !free });
  const name = words(`card.${card}`);
  const label = words(raised ? "hand.raised" : "hand.card", { card: name, place: place + 1, count });
  return html`<li class="ec-held" data-up=${raised} style=${{ "--from-middle": place - (count - 1) / 2 }}>
    <button
      type="button"
      class="hand-card ec-hand-card"
      data-raised=${raised}
      data-pick=${card}
      aria-pressed=${raised}
      aria-label=${label}
      aria-disabled=${!free}
      ...${drag}
    >
      <${Card} card=${card} name=${name} />
    </button>
  </li>`;
}

/** `raised` is the place of the raised card, -1 for none.
 * @param {{cards: string[], legal: string[], raised: number, free: boolean, words: Words,
 *   raise: (place: number) => void, seal: (place: number) => void}} props */
export function Hand({ cards, legal, raised, free, words, raise, seal }) {
  return html`<ul
    class="ec-hand"
    aria-label=${words("hand.yours")}
    data-free=${free}
    style=${{ "--count": cards.length }}
  >
    ${cards.map(
      (card, place) => html`<${HandCard}
        key=${place}
        card=${card}
        place=${place}
        count=${cards.length}
        words=${words}
        raised=${place === raised}
        free=${free && legal.includes(card)}
        raise=${() => raise(place)}
        seal=${() => seal(place)}
      />`,
    )}
  </ul>`;
}

/** @param {{count: number, label: string, where: "above"|"below"|"strip"}} props */
export function Backs({ count, label, where }) {
  const middle = (count - 1) / 2;
  return html`<div class="ec-backs" data-where=${where} role="img" aria-label=${label}>
    ${Array.from(
      { length: count },
      (_, i) => html`<div class="ec-held" style=${{ "--from-middle": i - middle }}>
        <${Card} card="back" />
      </div>`,
    )}
  </div>`;
}
