// What this browser keeps of its own seats: the seat token, the random bytes it threw in, the picks on their way.
// Losing it loses no game: a token can be had again, and an unopened seat is dealt without its bytes.

import { forget, kept, read, write } from "../keep.js";

/** @typedef {{id: string, decision: number, pick: string, nonce: string, commit: string}} Sealing */
/** @typedef {{token: string|null, entropy: string|null, sealing: Sealing|null, over?: boolean, at?: number}} Kept
 *   `at`: when it was last changed */

const DAY = 24 * 3_600_000;
const FINISHED = 7 * DAY;
const LONG_AGO = 400 * DAY; // as long as the session lasts

/** @param {string} table @param {number} seat */
const name = (table, seat) => `seat.${table}.${seat}`;

/** @param {string} table @param {number} seat @returns {Kept} */
export const keptSeat = (table, seat) => ({
  token: null,
  entropy: null,
  sealing: null,
  .../** @type {Partial<Kept>} */ (read(name(table, seat), {})),
});

/** @param {string} table @param {number} seat @param {Partial<Kept>} changed */
export const keepSeat = (table, seat, changed) =>
  write(name(table, seat), { ...keptSeat(table, seat), ...changed, at: Date.now() });

/** @param {string} table */
export const seatsKept = (table) =>
  kept(`seat.${table}.`)
    .map((each) => Number(each.split(".")[2]))
    .filter((seat) => Number.isInteger(seat) && keptSeat(table, seat).token)
    .sort((a, b) => a - b);

/** @param {string} table @param {number} seat */
export const forgetSeat = (table, seat) => forget(name(table, seat));

/** What is of no use any more goes: seats of games that ended days ago, whatever is older than a session, and the
 * promises of deals of which no seat is kept. @param {number} [now] */
export function tidy(now = Date.now()) {
  for (const each of kept("seat.")) {
    const { over = false, at = 0 } = /** @type {Partial<Kept>} */ (read(each, {}));
    if (now - at > (over ? FINISHED : LONG_AGO)) forget(each);
  }
  const tables = new Set(kept("seat.").map((each) => each.split(".")[1]));
  for (const each of kept("promised.")) if (!tables.has(each.slice(9))) forget(each);
}
