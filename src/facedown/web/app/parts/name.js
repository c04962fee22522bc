// Names and what people say, made harmless to the page around them: no direction that leaks out, no endless length.

import { html } from "../html.js";
import { gameWord, t } from "../words.js";

/** @import { SeatInfo } from "../contract.js" */

const LONGEST = 40;

/** Control and direction characters are dropped; whatever is too long ends in an ellipsis.
 * @param {unknown} text @param {number} [longest] */
export function calm(text, longest = LONGEST) {
  const plain = String(text ?? "")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const signs = Array.from(plain.slice(0, longest * 4));
  return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : signs.join("");
}

/** What a seat is called. @param {SeatInfo|undefined} seat */
export function seatName(seat) {
  if (!seat) return "";
  return calm(seat.name) || t("seat.number", { seat: seat.seat });
}

/** A machine's name in the language shown; a person's is its own. @param {string} game @param {string} machine */
export function machineName(game, machine) {
  const known = t(`machine.${machine}`); // the one that plays every game
  return gameWord(game, `machine.${machine}.name`, known === `machine.${machine}` ? calm(machine) : known);
}

/** @param {{children?: any}} props */
export const Name = ({ children }) => html`<bdi class="name">${calm(children)}</bdi>`;
