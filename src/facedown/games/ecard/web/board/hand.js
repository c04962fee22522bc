// Hands as fans: your own cards to pick from, and another's as backs, which close up evenly after each pick.

import { html, useRef } from "/app/html.js";
import { useDrag, useHandFocus } from "/app/table/input.js";
import { Card } from "../drawing/card.js";

/** @import { Words } from "/app/contract.js" */

/** A card of the fan: equal cards differ by their id. @typedef {{id: string, card: string}} Held */

/** The cards as they are dealt into the fan: the special one in the middle. @param {string[]} hand @returns {Held[]} */
function deal([special, ...others]) {
  if (!special) return [];
  const middle = Math.ceil(others.length / 2);
  const cards = [...others.slice(0, middle), special, ...others.slice(middle)];
  return cards.map((card, place) => ({ id: `${card}${place}`, card }));
}

/** @param {Held[]} fan @param {string[]} hand */
const holds = (fan, hand) => String(fan.map(({ card }) => card).sort()) === String([...hand].sort());

/** Your cards without the one that is sealed. Each keeps its identity and its order while a round lasts: no other one
 * stands up, or changes its place, when one leaves.
 * @param {string[]} hand @param {string|null} placed the letter of the sealed card @param {string} raised the id of
 *   the card raised last @returns {Held[]} */
export function useFan(hand, placed, raised) {
  const fan = useRef(/** @type {Held[]} */ ([]));
  const sealed = useRef(/** @type {Held|undefined} */ (undefined));
  if (!holds(fan.current, hand)) {
    const left = fan.current.filter((each) => each !== sealed.current);
    fan.current = holds(left, hand) ? left : deal(hand);
  }
  const alike = fan.current.filter(({ card }) => card === placed);
  sealed.current = alike.find(({ id }) => id === raised) ?? alike[0];
  return fan.current.filter((each) => each !== sealed.current);
}

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
 * @param {{cards: Held[], legal: string[], raised: number, free: boolean, words: Words,
 *   raise: (place: number) => void, seal: (place: number) => void}} props */
export function Hand({ cards, legal, raised, free, words, raise, seal }) {
  const list = useHandFocus();
  return html`<ul
    class="ec-hand"
    ref=${list}
    tabindex="-1"
    aria-label=${words("hand.yours")}
    data-free=${free}
    style=${{ "--count": cards.length }}
  >
    ${cards.map(
      ({ id, card }, place) => html`<${HandCard}
        key=${id}
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
