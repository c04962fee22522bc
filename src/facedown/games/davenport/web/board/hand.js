// Your own cards in a fan (in rows, if there are many). A tap raises one, a second tap or a drag plays it.

import { html } from "/app/html.js";
import { Carried } from "/app/table/flights.js";
import { useDrag, useHandFocus } from "/app/table/input.js";
import { TwoSided } from "../drawing.js";
import { spoken } from "../words/names.js";

/** @import { Sight, Words } from "/app/contract.js" */
/** @import { Cards, Flight } from "/app/table/flights.js" */

const IN_A_ROW = 8;

/** @typedef {object} HandCardProps
 * @property {Cards} cards @property {Flight|null} flight
 * @property {string} card @property {number} place @property {number} count
 * @property {number} fromMiddle in cards @property {number} columns of the longest row
 * @property {boolean} raised @property {boolean} free @property {boolean} fresh @property {Words} words
 * @property {() => void} raise @property {(onto: string) => void} drop */

/** @param {HandCardProps} props */
function HandCard({ cards, flight, card, place, count, fromMiddle, columns, raised, free, fresh, words, raise, drop }) {
  const drag = useDrag({ tap: raised ? () => drop("table") : raise, drop, idle: !free });
  const label = words(raised ? "hand.raised" : fresh ? "hand.fresh" : "hand.card", {
    card: spoken(card, words),
    place: place + 1,
    count,
  });
  return html`<li
    class="dv-hand-place"
    data-up=${raised}
    style=${{ "--dv-from-middle": fromMiddle, "--dv-columns": columns }}
  >
    <button
      type="button"
      class="hand-card dv-hand-card"
      data-raised=${raised}
      data-fresh=${fresh}
      data-pick=${card}
      aria-pressed=${raised}
      aria-disabled=${!free}
      aria-label=${label}
      ...${drag}
    >
      <${Carried} cards=${cards} id=${card} flight=${flight}>
        <${TwoSided} card=${card} back=${fresh ? "back" : null} />
      <//>
      ${fresh ? html`<span class="dv-fresh" aria-hidden="true">${words("hand.new")}</span>` : null}
    </button>
  </li>`;
}

/** @param {{cards: Cards, hand: string[], wayOf: (card: string) => Flight|null, legal: string[], raised: number,
 *   free: boolean, fresh: string[], words: Words, raise: (place: number) => void,
 *   drop: (place: number, onto: string) => void}} props */
export function Hand({ cards, hand, wayOf, legal, raised, free, fresh, words, raise, drop }) {
  const rows = Math.max(1, Math.ceil(hand.length / IN_A_ROW));
  const each = Math.ceil(hand.length / rows);
  const list = useHandFocus();
  return html`<ul
    class="dv-hand"
    ref=${list}
    tabindex="-1"
    aria-label=${words("hand.yours")}
    data-free=${free}
    style=${{ "--rows": rows, "--dv-columns": each }}
  >
    ${Array.from({ length: rows }, (_, row) => {
      const line = hand.slice(row * each, (row + 1) * each);
      return html`<li class="dv-hand-row" key=${row}>
        <ul>
          ${line.map((card, column) => {
            const place = row * each + column;
            return html`<${HandCard}
              key=${card}
              cards=${cards}
              flight=${wayOf(card)}
              card=${card}
              place=${place}
              count=${hand.length}
              fromMiddle=${column - (line.length - 1) / 2}
              columns=${each}
              words=${words}
              raised=${place === raised}
              free=${free && legal.includes(card)}
              fresh=${fresh.includes(card)}
              raise=${() => raise(place)}
              drop=${(/** @type {string} */ onto) => drop(place, onto)}
            />`;
          })}
        </ul>
      </li>`;
    })}
  </ul>`;
}

/** What the raised card may win or cost, in one sentence: the rules' words; the table judges.
 * @param {string} card @param {Sight} sight @param {Words} words */
export function hintOf(card, sight, words) {
  const { view, options } = sight;
  if (view.phase === "playoff") return words(`hint.playoff.${options.playoff ?? "elimination"}`);
  const hint = words(keyOf(card[0], options.ace === "on"));
  return view.hand.length === 1 ? words("hint.last", { hint }) : hint;
}

/** @param {string} rank @param {boolean} aces whether the Ace rules hold */
function keyOf(rank, aces) {
  if (rank === "A") return aces ? "hint.ace" : "hint.lowest";
  if (aces && "JQK".includes(rank)) return "hint.face";
  return rank === "K" ? "hint.king" : "hint.card";
}
