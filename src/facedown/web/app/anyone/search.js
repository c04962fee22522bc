// *Play anyone*: this browser's search for people, from the button to the table. It goes on in every tab and on every
// screen; a page that is closed lets it lapse.

import { signal } from "../html.js";
import { ask, get, guestSession, Problem } from "../net/api.js";
import { place } from "../net/place.js";
import { go, route } from "../router.js";
import { presetOf } from "../state/opponents.js";
import { playNow, sit } from "../state/seating.js";
import { forget, read, write } from "../storage.js";

/** @import { GameInfo, NewTicket, TicketInfo } from "../net/rest.js" */
/** @import { Signal } from "@preact/signals" */

/** @typedef {object} Search
 * @property {NewTicket} wish
 * @property {string} table       the game against machines that is played while waiting
 * @property {number} began
 * @property {number} at          the last answer
 * @property {TicketInfo|null} ticket
 * @property {number} until       when the offered seat is gone, by this device's clock
 * @property {boolean} sat        whether a tab of this browser has sat down there
 * @property {string[]} missed    people who did not come
 * @property {boolean} lost       whether the server cannot be reached
 * @property {any} ended          why it has ended, as an error; null while it goes on */

const NAME = "search";
const TICKET = "/pairing/ticket";
const LASTS = 60_000; // after that long without an answer, a new page does not go on with it
const PAUSE = 5000; // a request waits for as long
const NEAR = 1000;
const SEATING = 20_000;

/** @param {NewTicket} wish */
export const byDays = ({ clock }) => clock.kind === "correspondence";

/** @type {Signal<Search|null>} */
export const search = signal(stored());

/** @returns {Search|null} */
function stored() {
  const found = /** @type {Search|null} */ (read(NAME, null));
  return found && (byDays(found.wish) || Date.now() - found.at < LASTS) ? found : null;
}

/** @param {Search|null} next */
function set(next) {
  search.value = next;
  if (next) write(NAME, next);
  else forget(NAME);
}

/** @param {Partial<Search>} changed */
function change(changed) {
  if (search.value) set({ ...search.value, ...changed });
}

// --- wishes ---------------------------------------------------------------------------------------------

/** @typedef {{days?: boolean, seats?: number}} Wish `seats`: a number of seats; any without one */

/** By game. @type {Signal<Record<string, Wish>>} */
export const wishes = signal(read("wishes", {}));

/** @param {string} game @param {Wish} changed */
export function chooseWish(game, changed) {
  wishes.value = { ...wishes.value, [game]: { ...wishes.value[game], ...changed } };
  write("wishes", wishes.value);
}

/** @param {GameInfo} game @returns {NewTicket} */
export function wishOf(game) {
  const { days = false, seats = 0 } = wishes.value[game.name] ?? {};
  return {
    game: game.name,
    rules: presetOf(game).rules,
    clock: days ? DAYS : { kind: "decision", seconds: 30 },
    ...(seats ? { least_seats: seats, most_seats: seats } : {}),
  };
}

/** @type {NewTicket["clock"]} */
const DAYS = { kind: "correspondence", days: 3 };

// --- the person's part ----------------------------------------------------------------------------------

/** Looks for people, and deals a game against machines in the meantime. @param {GameInfo} game */
export async function playAnyone(game) {
  const wish = wishOf(game);
  const before = search.value;
  if (before && !before.ended && before.table && JSON.stringify(before.wish) === JSON.stringify(wish))
    return go(`/t/${before.table}`);
  await guestSession();
  await begin(wish);
  if (byDays(wish) || search.value?.ended || search.value?.ticket?.table) return;
  const began = search.value?.began;
  const table = await playNow(game.name);
  if (search.value?.began !== began || search.value?.sat) return; // stopped, or at a table with people by now
  change({ table });
  go(`/t/${table}`);
}

/** @param {NewTicket} wish @param {string} [table] */
async function begin(wish, table = "") {
  const now = Date.now();
  set({
    ...{ wish, table, began: now, at: now, ticket: null, until: 0 },
    ...{ sat: false, missed: [], lost: false, ended: null },
  });
  await look(0);
  goOn();
}

/** The same wish with a clock of days: the person need not be there. */
export async function playByDays() {
  const { wish, table } = /** @type {Search} */ (search.value);
  await begin({ ...wish, clock: DAYS }, table);
}

/** The same wish again, after the search has ended. */
export async function lookAgain() {
  const { wish, table } = /** @type {Search} */ (search.value);
  await begin(wish, table);
}

/** Ends the search, or declines the seat that was found. */
export async function stopLooking() {
  const isOver = search.value?.ended;
  set(null);
  if (!isOver) await withdraw();
}

const withdraw = () => ask("DELETE", TICKET).catch(() => {}); // it lapses on its own

/** Takes the seat that was found. */
export async function sitDown() {
  const { wish, ticket } = /** @type {Search} */ (search.value);
  const { table = "", seat = 0 } = ticket ?? {};
  change({ sat: true });
  try {
    await sit(table, seat);
  } catch (error) {
    change({ sat: false });
    throw error;
  }
  if (byDays(wish)) set(null);
  go(`/t/${table}`);
}

/** The person did not sit down in time. */
export function missSeat() {
  end(new Problem({ code: "seat_missed" }));
  withdraw();
}

/** @param {any} error */
function end({ code, message }) {
  change({ ended: { code, message }, ticket: null });
}

// --- the server's part ----------------------------------------------------------------------------------

let isRunning = false;

/** Repeats the ticket until the search is over. */
export async function goOn() {
  if (isRunning) return;
  isRunning = true;
  for (let now = search.value; now && !now.ended; now = search.value) {
    const asked = Date.now();
    await look(PAUSE / 1000);
    const rest = (isOffered(now) && !byDays(now.wish) ? NEAR : PAUSE) - (Date.now() - asked);
    if (rest > 0) await new Promise((next) => setTimeout(next, rest)); // another tab may have asked, too
  }
  isRunning = false;
}

/** Whether there is a table with a seat for this person. @param {Search} now */
export const isOffered = ({ ticket }) => ticket?.state === "found";

/** One request, and what follows from its answer. @param {number} wait in seconds */
async function look(wait) {
  const { wish, ticket, began, sat } = /** @type {Search} */ (search.value);
  const isKept = ticket !== null && (byDays(wish) || ticket.state === "found"); // it needs no repeating
  let isPut = false;
  try {
    if (place.value === "device") throw new Problem({ code: "unreachable" });
    /** @type {TicketInfo} */
    let next = isKept ? await get(TICKET) : { state: "none" };
    if (next.state === "none" && (!isKept || sat)) {
      isPut = true;
      next = await ask("PUT", `${TICKET}?wait=${wait}`, wish);
    }
    if (search.value?.began === began) take(next);
    else if (!search.value && isPut && next.state === "waiting") await withdraw(); // it has come after the withdrawal
  } catch (error) {
    if (search.value?.began === began) fail(/** @type {Problem} */ (error));
  }
}

/** @param {TicketInfo} ticket */
function take(ticket) {
  const { wish, ticket: before, sat, table } = /** @type {Search} */ (search.value);
  if (ticket.state === "none") {
    if (before?.state === "found" && !byDays(wish)) end(new Problem({ code: "seat_missed" }));
    else set(null); // it was stopped elsewhere
    return;
  }
  if (ticket.state === "playing") {
    set(null);
    if (!sat && !byDays(wish)) go(`/t/${ticket.table}`); // the game that this person plays already
    return;
  }
  const isNew = ticket.state === "found" && before?.table !== ticket.table;
  const isGone = before?.state === "found" && ticket.state === "waiting";
  change({
    ...{ ticket, at: Date.now(), lost: false },
    ...(isNew ? { until: Date.now() + SEATING, sat: false, missed: [] } : {}),
    ...(isGone ? { sat: false, missed: sat ? othersOf(before) : [] } : {}),
  });
  const { screen, params } = route.value;
  if (isGone && sat && screen === "table" && params.table === before.table) go(table ? `/t/${table}` : "/");
}

/** @param {Problem} error */
function fail(error) {
  if (error.status >= 400 && error.status < 500 && error.status !== 429) end(error);
  else change({ lost: true });
}

/** @param {TicketInfo} ticket */
const othersOf = ({ people = [], seat }) => people.filter((each) => each.seat !== seat).map(({ name }) => name);

addEventListener("storage", ({ key, newValue }) => {
  if (key !== `facedown.${NAME}`) return;
  if (newValue) search.value = stored();
  else set(null);
  goOn();
});
