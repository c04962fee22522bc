// Event history of a table from before this page was opened, fetched when the log is opened.

import { ask, tablePath } from "../net/api.js";
import { asSeat } from "./saved_seats.js";

/** @import { Reveal } from "../contract.js" */
/** @import { Entry } from "./fold.js" */

const MOST_ANSWERS = 50;

/** All events that a seat may know, oldest first.
 * @param {string} table @param {number} seat @returns {Promise<Entry[]>} */
export async function fetchHistory(table, seat) {
  /** @type {Entry[]} */
  const found = [];
  for (let after = 0, asked = 0; asked < MOST_ANSWERS; asked++) {
    const path = `${tablePath(table)}/events?after=${after}`;
    const { v, events, more } = await ask("GET", path, undefined, asSeat(table, seat));
    found.push(...events);
    after = v;
    if (!more || events.length === 0) break;
  }
  return found.filter(({ k }) => k !== "-");
}

/** All reveals so far that a seat may know, oldest first; `before` and `placed` are null.
 * @param {string} table @param {number} seat @returns {Promise<Reveal[]>} */
export async function fetchReveals(table, seat) {
  const reveals = (await fetchHistory(table, seat)).filter(({ k }) => k === "revealed");
  return reveals.map(({ decision, opens, events }) => ({
    decision,
    opens: opens ?? [],
    events: events ?? [],
    before: null,
    placed: null,
    clocked: [],
  }));
}

/** The log with the earlier events before it. @param {Entry[]} earlier @param {Entry[]} log */
export const withHistory = (earlier, log) => [...earlier.filter(({ v }) => log.length === 0 || v < log[0].v), ...log];
