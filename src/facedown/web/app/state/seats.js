// What this browser keeps of its own seats: the seat token, the random bytes it threw in, the picks on their way.
// Losing it loses no game: a token can be had again, and an unopened seat is dealt without its bytes.

import { kept, read, write } from "../keep.js";

/** @typedef {{id: string, decision: number, pick: string, nonce: string, commit: string}} Sealing */
/** @typedef {{token: string|null, entropy: string|null, sealing: Sealing|null}} Kept */

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
