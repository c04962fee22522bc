// Opening tables and joining them: everything between a button and the first view.

import { ask, guestSession, Problem, tablePath, ulid } from "../net/api.js";
import { entropyCommitment, hex, random32 } from "../net/commitments.js";
import { findGame, tableOf } from "./games.js";
import { choiceOf, nextOpponents, presetOf, sideOf } from "./opponents.js";
import { asSeat, savedSeat, savedSeats, saveSeat } from "./saved_seats.js";

/** @import { SeatInfo } from "../net/protocol.js" */
/** @import { CreatedTable, GameInfo, SeatOrder, TableOrder } from "../net/rest.js" */

/** The clocks that people choose from. @type {Record<string, object>} */
export const CLOCKS = {
  none: { kind: "none" },
  quick: { kind: "decision", seconds: 30, bank: 60, ready: 60 },
  slow: { kind: "decision", seconds: 120, bank: 300, ready: 60 },
  days: { kind: "correspondence", days: 1, bank: 3 },
};

/** @param {Partial<TableOrder> & {game: string, rules: string, seats: SeatOrder[]}} wanted @returns
 *   {Promise<CreatedTable>} */
export async function makeTable(wanted) {
  await guestSession();
  const usual = { clock: { kind: "none" }, flag: "random", public: false, watch: "nobody", hotseat: false };
  return ask("POST", "/tables", { ...usual, ...wanted }, { "Idempotency-Key": ulid() });
}

/** Sends a command for a seat of this browser, from a page that is not at the table.
 * @param {string} table @param {number} seat @param {string} what */
export const commandAs = (table, seat, what) =>
  ask("POST", `${tablePath(table)}/commands`, { id: ulid(), do: what }, asSeat(table, seat));

/** Closes a table that has not started, as its host on seat 1. @param {string} table */
export async function closeTable(table) {
  await tokenOf(table, 1);
  return commandAs(table, 1, "close");
}

/** Takes a seat: commits to this browser's random bytes, which it keeps first, and opens them once every seat is taken.
 * @param {string} table @param {number} seat @param {{code?: string|null, name?: string}} [how] `code`: of an
 *   invitation; `name`: of a person who shares this device */
export async function sit(table, seat, { code, name } = {}) {
  await guestSession();
  const entropy = random32();
  const commit = hex(entropyCommitment(table, seat, entropy));
  const before = savedSeat(table, seat).entropy;
  saveSeat(table, seat, { entropy: hex(entropy) });
  try {
    const more = { ...(code ? { invite: code } : {}), ...(name?.trim() ? { name: name.trim() } : {}) };
    const sat = await ask("POST", `${tablePath(table)}/join`, { seat, commit, ...more });
    saveSeat(table, seat, { token: sat.token });
    return sat;
  } catch (error) {
    if (error instanceof Problem && error.status > 0) saveSeat(table, seat, { entropy: before }); // it was refused
    throw error;
  }
}

/** *Play now*: creates a table against these machines and sits down at it, on the side chosen.
 * @param {string} game @param {{side?: number, against?: (info: GameInfo) => string[]}} [how] `side`: a seat, 0 for a
 *   random one */
export async function playNow(game, { side = sideOf(game), against = (info) => nextOpponents(info) } = {}) {
  const [info] = await Promise.all([findGame(game), tableOf(game)]);
  if (!info) throw new Problem({ code: "unknown_game" });
  /** @type {SeatOrder[]} */
  const others = against(info).map((machine) => ({ kind: "machine", machine }));
  const seat = side || 1 + Math.floor(Math.random() * (others.length + 1));
  /** @type {SeatOrder[]} */
  const seats = [...others.slice(0, seat - 1), { kind: "person" }, ...others.slice(seat - 1)];
  const made = await makeTable({ game, rules: presetOf(info).rules, seats });
  await sit(made.table, seat);
  return made.table;
}

/** Continues from a position of a finished game against the machines of *Play now*, at a new table.
 * @param {string} table @param {string} game @param {number} keep how many decisions stay as they were @param {number}
 *   seat */
export async function continueGame(table, game, keep, seat) {
  await guestSession();
  const info = await findGame(game);
  if (!info) throw new Problem({ code: "unknown_game" });
  const machine = choiceOf(info) || (info.most_seats === 2 ? nextOpponents(info)[0] : undefined);
  const wanted = { keep, seat, machine };
  const made = await ask("POST", `${tablePath(table)}/continue`, wanted, { "Idempotency-Key": ulid() });
  await sit(made.table, seat);
  return made.table;
}

/** Sits down at the table of the next game. Seats are kept for those who played, one further than before; else takes
 * the next free one.
 * @param {string} table @param {{seat: number, name?: string}[]} players of this screen, with their seats before */
export async function sitAtNext(table, players) {
  const { table: info } = await ask("GET", tablePath(table));
  /** @type {SeatInfo[]} */
  const seats = info.seats;
  const taken = new Set(savedSeats(table));
  if (taken.size > 0) return;
  for (const { seat: old, name } of players) {
    const wanted = seats.map((_, more) => ((old + more) % seats.length) + 1);
    const free = wanted.filter(
      (seat) => !taken.has(seat) && !seats[seat - 1].taken && seats[seat - 1].kind === "person",
    );
    taken.add(await sitOnFirst(table, free, name));
  }
}

/** @param {string} table @param {number[]} free @param {string} [name] @returns {Promise<number>} */
async function sitOnFirst(table, [seat, ...others], name) {
  try {
    return (await sit(table, seat, { name })).seat;
  } catch (error) {
    if (others.length === 0) throw error;
    return sitOnFirst(table, others, name);
  }
}

/** The token of one's own seat: the saved one, or a new one.
 * @param {string} table @param {number} seat @returns {Promise<string|null>} */
export async function tokenOf(table, seat) {
  const kept = savedSeat(table, seat).token;
  return kept ?? renewToken(table, seat);
}

/** @param {string} table @param {number} [seat] @returns {Promise<string|null>} */
export async function renewToken(table, seat) {
  const resumed = await ask("POST", `${tablePath(table)}/resume`, seat ? { seat } : {});
  saveSeat(table, resumed.seat, { token: resumed.token });
  return resumed.token;
}
