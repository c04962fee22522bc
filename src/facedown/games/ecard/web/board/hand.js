// Hands as fans: your own cards to pick from, and another's as backs, which close up evenly after each pick.

import { html, useRef } from "/app/html.js";
import { Carried } from "/app/table/flights.js";
import { useDrag, useHandFocus } from "/app/table/input.js";
import { Card, TwoSided } from "../drawing/card.js";

/** @import { Words } from "/app/contract.js" */
/** @import { Cards } from "/app/table/flights.js" */

/** A card of the fan: equal cards differ by their id. @typedef {{id: string, card: string}} Held */

let dealt = 0;

/** The cards as they are dealt into the fan: the special one in the middle. Cards that were not played stay the same.
 * @param {string[]} hand @param {Held[]} left @returns {Held[]} */
function deal([special, ...others], left) {
  if (!special) return [];
  const middle = Math.ceil(others.length / 2);
  const cards = [...others.slice(0, middle), special, ...others.slice(middle)];
  const kept = [...left];
  return cards.map((card) => {
    const at = kept.findIndex((each) => each.card === card);
    return at < 0 ? { id: `dealt ${++dealt}`, card } : kept.splice(at, 1)[0];
  });
}

/** @param {Held[]} fan @param {string[]} hand */
const holds = (fan, hand) => String(fan.map(({ card }) => card).sort()) === String([...hand].sort());

/** Your cards without the one that is sealed. Each keeps its identity and its order while a round lasts: no other one
 * stands up, or changes its place, when one leaves. `idOf` names the card that was sealed in a play.
 * @param {any} view @param {string|null} placed the letter of the sealed card @param {string} raised the id of the card
 *   raised last @returns {{held: Held[], idOf: (round: number, play: number) => string|undefined}} */
export function useFan({ hand, round, play }, placed, raised) {
  const kept = useRef({ round: 0, fan: /** @type {Held[]} */ ([]), sealed: /** @type {Held|undefined} */ (undefined) });
  const played = useRef(/** @type {Map<string, string>} */ (new Map()));
  const { fan: before, sealed: gone } = kept.current;
  const left = before.filter((each) => each !== gone);
  const same = kept.current.round === round;
  const fan = same && holds(before, hand) ? before : same && holds(left, hand) ? left : deal(hand, left);
  const alike = fan.filter(({ card }) => card === placed);
  const sealed = alike.find(({ id }) => id === raised) ?? alike[0];
  kept.current = { round, fan, sealed };
  if (sealed) played.current.set(`${round} ${play}`, sealed.id);
  return {
    held: fan.filter((each) => each !== sealed),
    idOf: (inRound, inPlay) => played.current.get(`${inRound} ${inPlay}`),
  };
}

/** A card that was refused comes back. @type {import("/app/table/flights.js").Flight} */
const BACK = { ms: 220, turns: [180, 0] };

/** @typedef {object} HandCardProps
 * @property {Cards} cards @property {string} id @property {string} card @property {number} place
 * @property {number} count
 * @property {boolean} raised @property {boolean} free @property {Words} words
 * @property {() => void} raise @property {() => void} seal */

/** @param {HandCardProps} props */
function HandCard({ cards, id, card, place, count, raised, free, words, raise, seal }) {
  const drag = useDrag({ tap: raised ? seal : raise, drop: seal, idle: !free });
  const name = words(`card.${card}`);
  const label = words(raised ? "hand.raised" : "hand.card", { card: name, place: place + 1, count });
  const at = { "--from-middle": place - (count - 1) / 2, "--place": place };
  return html`<li class="ec-held" data-up=${raised} style=${at}>
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
      <${Carried} cards=${cards} id=${id} flight=${BACK}><${TwoSided} card=${card} name=${name} /><//>
    </button>
  </li>`;
}

/** `raised` is the place of the raised card, -1 for none.
 * `away` puts the hand out of the way of a result.
 * @param {{cards: Cards, held: Held[], away: boolean, legal: string[], raised: number, free: boolean, words: Words,
 *   raise: (place: number) => void, seal: (place: number) => void}} props */
export function Hand({ cards, held, away, legal, raised, free, words, raise, seal }) {
  const list = useHandFocus();
  return html`<ul
    class="ec-hand"
    ref=${list}
    tabindex="-1"
    aria-label=${words("hand.yours")}
    data-free=${free}
    data-away=${away}
    style=${{ "--count": held.length }}
  >
    ${held.map(
      ({ id, card }, place) => html`<${HandCard}
        key=${id}
        cards=${cards}
        id=${id}
        card=${card}
        place=${place}
        count=${held.length}
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
