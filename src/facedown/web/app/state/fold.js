// Fold of WebSocket frames into what one viewer knows of a table. Pure; knows the protocol, no game.

import { viewAfter } from "../net/witness.js";

/** @import { Reveal } from "../contract.js" */
/** @import { Ev, Here, Snap, TableInfo } from "../net/protocol.js" */
/** @import { Frame } from "../net/socket.js" */

/** @typedef {Required<Ev>} Fields  an event with every field, of which its kind has some */

/** @typedef {{v: number, at: number, k: string, [name: string]: any}} Entry  one event as the log keeps it */

/** @typedef {object} Known
 * @property {number} seat
 * @property {TableInfo|null} table
 * @property {any} view
 * @property {string[]} legal
 * @property {string|null} placed
 * @property {Reveal|null} lastReveal
 * @property {Entry[]} log
 * @property {number} ahead   how far the server's clock is ahead of this one, in ms */

const LONGEST_LOG = 500;
const LONGEST_TALK = 200;

/** @type {Known} */
export const NOTHING = {
  seat: 0,
  table: null,
  view: null,
  legal: [],
  placed: null,
  lastReveal: null,
  log: [],
  ahead: 0,
};

/** @param {Known} known @param {Frame} frame @param {number} [now] @returns {Known} */
export function fold(known, frame, now = Date.now()) {
  switch (frame.t) {
    case "welcome":
      return { ...known, seat: seatOf(frame.seat), ahead: ahead(frame, now, known) };
    case "snap":
      return afterSnapshot(known, /** @type {Snap} */ (frame), now);
    case "ev":
      return afterEvent(known, /** @type {Fields} */ (frame));
    case "here":
      return afterPresence(known, /** @type {Here} */ (frame));
    case "ping":
      return { ...known, ahead: ahead(frame, now, known) };
    default:
      return known;
  }
}

/** @param {unknown} seat */
const seatOf = (seat) => (typeof seat === "number" ? seat : 0);

/** @param {Frame|Snap} frame @param {number} now @param {Known} known */
const ahead = (frame, now, known) => (typeof frame.now === "number" ? frame.now - now : known.ahead);

/** @param {Known} known @param {Snap} frame @param {number} now @returns {Known} */
function afterSnapshot(known, frame, now) {
  if (!frame.table || typeof frame.table !== "object") return known;
  return {
    ...known,
    table: frame.table,
    view: frame.view ?? null,
    legal: listOf(frame.legal),
    placed: frame.placed ?? null,
    ahead: ahead(frame, now, known),
  };
}

/** @param {unknown} value @returns {any[]} */
const listOf = (value) => (Array.isArray(value) ? value : []);

/** @param {Known} known @param {Fields} event @returns {Known} */
function afterEvent(known, event) {
  const logged = event.k === "-" ? known.log : [...known.log, entry(event)].slice(-LONGEST_LOG);
  const next = { ...known, log: logged };
  if (!known.table) return next;
  next.table = tableAfter(known.table, event);
  if ("view" in event) next.view = event.view;
  if (event.change && known.view) next.view = viewAfter(known.view, event.change);
  if ("legal" in event) next.legal = listOf(event.legal);
  if (event.k === "revealed") next.lastReveal = revealOf(known, event);
  if (event.k === "sealed" && typeof event.placed === "string") next.placed = event.placed; // the clock chose it
  if (next.table.turn?.decision !== known.table.turn?.decision) next.placed = null;
  return next;
}

/** Without the state parts: the log keeps what happened, not how the table looked.
 * @param {Fields} event @returns {Entry} */
function entry({ t, view, change, legal, turn, seats, state, ...rest }) {
  return rest;
}

/** @param {TableInfo} table @param {Fields} event @returns {TableInfo} */
function tableAfter(table, event) {
  const next = { ...table };
  if ("state" in event) next.state = event.state;
  if (Array.isArray(event.seats)) next.seats = event.seats;
  if ("turn" in event) next.turn = event.turn;
  if (event.k === "said") next.said = [...table.said, event].slice(-LONGEST_TALK);
  if (event.k === "over")
    Object.assign(next, { result: event.result, story: event.story, seed: event.seed ?? table.seed });
  if (event.k === "rematch") next.next = event.next;
  if (event.k === "chat") next.chat = event.on === true;
  return next;
}

/** @param {Known} known @param {Fields} event @returns {Reveal} */
function revealOf(known, event) {
  return {
    decision: event.decision,
    opens: listOf(event.opens),
    events: listOf(event.events),
    before: known.view,
    placed: known.placed,
    clocked: clockedSeats(known, event.decision),
  };
}

/** The seats whose picks of a decision the clock placed. @param {Known} known @param {number} decision */
const clockedSeats = ({ log }, decision) =>
  log
    .filter((each) => each.k === "sealed" && each.decision === decision && each.placer === "clock")
    .map((each) => each.seat);

/** Who is connected, and whom a machine may replace. @param {Known} known @param {Here} frame @returns {Known} */
function afterPresence(known, { seats: here, replaceable }) {
  if (!known.table || !Array.isArray(here)) return known;
  const seats = known.table.seats.map((each) => ({
    ...each,
    here: here.includes(each.seat),
    replaceable: listOf(replaceable).includes(each.seat),
  }));
  return { ...known, table: { ...known.table, seats } };
}
