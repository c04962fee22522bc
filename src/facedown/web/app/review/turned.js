// What was turned in a decision, for the review: each seat's card as it lay on the table, and who won it.

/** @import { GameTable, Turned } from "../contract.js" */

/** What lay on the table, as the game tells it from its events; else the picks themselves.
 * @param {any} review @param {any} record @param {GameTable} game @param {number} at @returns {Turned[]} */
export function turnedAt(review, record, game, at) {
  /** @type {(string|number|null)[]} */
  const joint = record.picks[at] ?? [];
  const told = game.review?.turned?.(review?.events?.[at] ?? []) ?? [];
  return joint.flatMap((pick, place) => {
    if (pick === null || pick === "resign") return [];
    const found = told.find(({ seat }) => seat === place + 1);
    if (!found) return [{ seat: place + 1, pick: String(pick), won: false }];
    return [found.pick === String(pick) ? found : { ...found, given: String(pick) }];
  });
}

/** Seats in the order in which they are shown: the one that is reviewed last, nearest to the reader.
 * @param {number} seats @param {number} own */
export const shownOrder = (seats, own) => [
  ...Array.from({ length: seats }, (_, place) => place + 1).filter((seat) => seat !== own),
  own,
];
