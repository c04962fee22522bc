// Seats saved in this browser: the seat token, the number that it promised, and what its witness remembers.

import { isLocal } from "../net/place.js";
import { forget, read, readText, storedNames, write } from "../storage.js";

/** @typedef {{token: string|null, entropy: string|null, attempt?: number, over?: boolean, at?: number,
 *   seen?: number}} SavedSeat `attempt`: the deal that came to nothing before this number was promised; `at`: when it
 *   was last changed; `seen`: the last event that was shown */

const DAY = 24 * 3_600_000;
const FINISHED = 7 * DAY;
const MOST_FINISHED = 30; // a memory has about 40 KB, and storage a few MB
const LONG_AGO = 400 * DAY; // as long as the session lasts

/** @param {string} table @param {number} seat */
const name = (table, seat) => `seat.${table}.${seat}`;

/** @param {string} table @param {number} seat @returns {SavedSeat} */
export const savedSeat = (table, seat) => ({
  token: null,
  entropy: null,
  .../** @type {Partial<SavedSeat>} */ (read(name(table, seat), {})),
});

/** The headers of a request for a seat. @param {string} table @param {number} seat @returns {Record<string, string>} */
export function asSeat(table, seat) {
  const { token } = savedSeat(table, seat);
  return token ? { "Facedown-Seat": token } : {};
}

/** @param {string} table @param {number} seat @param {Partial<SavedSeat>} changed */
export const saveSeat = (table, seat, changed) =>
  write(name(table, seat), { ...savedSeat(table, seat), ...changed, at: Date.now() });

/** @param {string} table */
export const savedSeats = (table) =>
  storedNames(`seat.${table}.`)
    .map((each) => Number(each.split(".")[2]))
    .filter((seat) => Number.isInteger(seat) && savedSeat(table, seat).token)
    .sort((a, b) => a - b);

const onServer = () => storedNames("seat.").filter((each) => !isLocal(each.split(".")[1]));

/** Forgets the seats at tables on a server; games on this device stay. */
export function forgetServerSeats() {
  for (const each of onServer()) forget(each);
}

/** The tokens of seats on a server have ended: each seat gets a new one when it is needed. */
export function forgetTokens() {
  for (const each of onServer()) write(each, { .../** @type {object} */ (read(each, {})), token: null });
}

/** Games on this device that are not over, the last one first. @returns {{table: string, at: number}[]} */
export function localGames() {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const each of storedNames("seat.")) {
    const [, table] = each.split(".");
    const { over = false, at = 0 } = /** @type {Partial<SavedSeat>} */ (read(each, {}));
    if (isLocal(table) && !over) found.set(table, Math.max(at, found.get(table) ?? 0));
  }
  return [...found].map(([table, at]) => ({ table, at })).sort((a, b) => b.at - a.at);
}

/** @param {string} table @param {number} seat */
export const forgetSeat = (table, seat) => forget(name(table, seat));

/** What a seat's witness remembers of a table. @param {string} table @param {number} seat
 * @returns {Partial<import("../net/memory.js").Memory>|null} */
export const loadWitnessMemory = (table, seat) => read(`heard.${table}.${seat}`, null);

/** The same as text: it changes when another tab has written. @param {string} table @param {number} seat */
export const keptWitnessMemory = (table, seat) => readText(`heard.${table}.${seat}`);

/** The seats whose witnesses remember a table here. @param {string} table */
export const witnessSeats = (table) => storedNames(`heard.${table}.`).map((each) => Number(each.split(".")[2]));

/** @param {string} table @param {number} seat @param {import("../net/memory.js").Memory} memory */
export const saveWitnessMemory = (table, seat, memory) => write(`heard.${table}.${seat}`, memory);

/** Forgets what is of no more use: seats of games that ended days ago or long before others, anything older than a
 * session, and memories of tables without a saved seat. @param {number} [now] */
export function forgetOldSeats(now = Date.now()) {
  /** @type {{name: string, at: number}[]} */
  const finished = [];
  for (const each of storedNames("seat.")) {
    const { over = false, at = 0 } = /** @type {Partial<SavedSeat>} */ (read(each, {}));
    if (now - at > (over ? FINISHED : LONG_AGO)) forget(each);
    else if (over) finished.push({ name: each, at });
  }
  for (const { name: each } of finished.sort((a, b) => b.at - a.at).slice(MOST_FINISHED)) forget(each);
  const tables = new Set(storedNames("seat.").map((each) => each.split(".")[1]));
  for (const each of storedNames("heard.")) if (!tables.has(each.split(".")[1])) forget(each);
}
