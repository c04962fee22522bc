// What every table asks about its seats: what they are called, and who has sealed. Reads a sight, knows no game.

/** @import { Sight, Words } from "../contract.js" */

/** @typedef {(seat: number) => string} Call */

/** A seat's name, as it begins a sentence (`call`) or stands inside one (`inside`).
 * @param {number} you @param {Call} names @param {Words} words @returns {{call: Call, inside: Call}} */
export function callers(you, names, words) {
  const by = (/** @type {string} */ key) => (/** @type {number} */ seat) => (seat === you ? words(key) : names(seat));
  return { call: by("you"), inside: by("you.inside") };
}

/** Who has sealed in the open decision: one's own pick counts before the server has confirmed it.
 * @param {Sight} sight */
export function sealedSeats(sight) {
  const sealed = sight.turn?.sealed.map((each) => each.seat) ?? [];
  return sight.placed && !sealed.includes(sight.seat) ? [...sealed, sight.seat] : sealed;
}

/** Whether a seat's person is elsewhere at the moment.
 * @param {Sight} sight @param {number} seat */
export function isAway(sight, seat) {
  const person = sight.table.seats.find((each) => each.seat === seat);
  return person?.kind === "person" && person.taken && !person.here && seat !== sight.seat;
}
