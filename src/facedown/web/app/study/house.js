// The house: how many rounds were watched of each character, games won, and tells found. Counted on this device, and
// kept by the server for all devices of a person.

import { signal } from "../html.js";
import { ask, get, hadSession } from "../net/api.js";
import { place } from "../net/place.js";
import { read, write } from "../storage.js";
import { lang } from "../words.js";

/** @import { GameTable, Sight } from "../contract.js" */
/** @import { KnownHouse, ResidentInfo } from "../net/rest.js" */
/** @import { Signal } from "@preact/signals" */

/** `asks`: the rounds after which the next guess may be made.
 * @typedef {{rounds: number, games: number, won: number, asks: number, found: string}} Acquaintance */

const FIRST_GUESS = 20; // rounds
const NEXT_GUESS = 10; // more, after a wrong one
const MOST = 100; // characters that one call may name
const COUNTED = 20; // tables that are remembered, so that none is counted twice

/** @type {{counted: string[], known: Record<string, Acquaintance>}} */
const kept = read("house", { counted: [], known: {} });

/** By game and character, as `game/name`. @type {Signal<Record<string, Acquaintance>>} */
export const known = signal(kept.known);

/** @param {Record<string, Acquaintance>} all @param {string} game @param {string} name @returns {Acquaintance} */
export const acquaintance = (all, game, name) =>
  all[`${game}/${name}`] ?? { rounds: 0, games: 0, won: 0, asks: FIRST_GUESS, found: "" };

/** @param {string} game @param {string} name @param {Partial<Acquaintance>} change */
function keep(game, name, change) {
  known.value = { ...known.value, [`${game}/${name}`]: { ...acquaintance(known.value, game, name), ...change } };
  write("house", { counted: kept.counted, known: known.value });
}

/** Counts a finished game with its machines, once. @param {Sight} sight @param {GameTable|null} game */
export function noteMachines({ table, seat, view }, game) {
  if (!game?.rounds || !view || seat === 0 || kept.counted.includes(table.id)) return;
  kept.counted = [table.id, ...kept.counted].slice(0, COUNTED);
  for (const { machine } of table.seats) {
    if (!machine) continue;
    const { rounds, games, won } = acquaintance(known.value, table.game, machine);
    const isWon = table.result?.winner === seat;
    keep(table.game, machine, { rounds: rounds + game.rounds(view), games: games + 1, won: won + (isWon ? 1 : 0) });
  }
  syncHouse().catch(() => {}); // the next game or visit tries again
}

/** Tells the server what is known here, and learns what the person's other devices know. Without a server, or a session
 * on it, everything stays as it is. */
export async function syncHouse() {
  if (place.peek() !== "server" || !hadSession()) return;
  const mine = Object.entries(known.peek()).map(([key, each]) => {
    const [game, machine] = key.split("/");
    return { game, machine, ...each };
  });
  /** @type {KnownHouse} */
  const { known: all = [] } = await ask("PUT", "/house", { known: mine.slice(0, MOST) });
  for (const { game, machine, ...each } of all) keep(game, machine, each);
}

/** @type {Map<string, Promise<ResidentInfo[]>>} */
const asked = new Map();

/** The characters of a game in the language shown, asked for once. @param {string} game */
export function residentsOf(game) {
  const key = `${game} ${lang.peek()}`;
  const found = asked.get(key) ?? get(`/games/${game}/house`);
  asked.set(key, found);
  found.catch(() => asked.delete(key));
  return found;
}

/** The tell was found. @param {string} game @param {string} name @param {string} tell */
export function noteFound(game, name, tell) {
  keep(game, name, { found: tell });
  syncHouse().catch(() => {});
}

/** The guess was wrong: more rounds have to be watched. @param {string} game @param {string} name */
export const noteMissed = (game, name) =>
  keep(game, name, { asks: acquaintance(known.value, game, name).rounds + NEXT_GUESS });
