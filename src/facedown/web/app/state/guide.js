// The guided first game of each game on this device: which table it is, and which hints were read. Stored here alone.

import { signal } from "../html.js";
import { read, write } from "../storage.js";

/** @import { GameTable, Hint, Sight } from "../contract.js" */
/** @import { Signal } from "@preact/signals" */

/** @typedef {{table: string, read: string[], done: boolean}} Guide */

/** By game; a game without an entry was never played here, by *Play now* or by joining a table.
 * @type {Signal<Record<string, Guide>>} */
export const guides = signal(read("guides", {}));

/** @param {string} game @param {Guide} guide */
function keep(game, guide) {
  guides.value = { ...guides.value, [game]: guide };
  write("guides", guides.value);
}

/** Whether the next game is the first one. @param {string} game */
export const isFirstGame = (game) => guides.peek()[game] === undefined;

/** @param {string} game @param {string} table */
export const startGuide = (game, table) => keep(game, { table, read: [], done: false });

/** No more hints in this game. @param {string} game */
export const endGuide = (game) => keep(game, { ...(guides.peek()[game] ?? { table: "", read: [] }), done: true });

/** A hint was read; after the last one the guide is over.
 * @param {string} game @param {string} id @param {Hint[]} hints */
export function hintRead(game, id, hints) {
  const guide = guides.peek()[game];
  if (!guide) return;
  const all = [...guide.read, id];
  keep(game, { ...guide, read: all, done: hints.every((each) => all.includes(each.id)) });
}

/** The hint for this moment: the first unread one that is due.
 * @param {Record<string, Guide>} all @param {Sight} sight @param {GameTable|null} game @returns {Hint|null} */
export function hintFor(all, sight, game) {
  const guide = all[sight.table.game];
  if (!game?.hints || !guide || guide.done || guide.table !== sight.table.id || sight.table.state !== "playing")
    return null;
  return game.hints.find((each) => !guide.read.includes(each.id) && each.when(sight)) ?? null;
}
