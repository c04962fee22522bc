// Hints of the first game of each game on this device: which were read, and whether a game was finished. Stored here
// alone.

import { signal } from "../html.js";
import { read, write } from "../storage.js";

/** @import { GameTable, Hint, Sight } from "../contract.js" */
/** @import { Signal } from "@preact/signals" */

/** `done`: a game was finished here, or the hints were skipped.
 * @typedef {{read: string[], done: boolean}} Guide */

/** By game. @type {Signal<Record<string, Guide>>} */
export const guides = signal(read("guides", {}));

/** @param {Record<string, Guide>} all @param {string} game @returns {Guide} */
const guideOf = (all, game) => all[game] ?? { read: [], done: false };

/** @param {string} game @param {Guide} guide */
function keep(game, guide) {
  guides.value = { ...guides.value, [game]: guide };
  write("guides", guides.value);
}

/** Whether no game was finished here yet. @param {string} game */
export const isFirstGame = (game) => !guideOf(guides.peek(), game).done;

/** All hints again, from the first one. @param {string} game */
export const restartGuide = (game) => keep(game, { read: [], done: false });

/** No more hints in this game. @param {string} game */
export function endGuide(game) {
  const guide = guideOf(guides.peek(), game);
  if (!guide.done) keep(game, { ...guide, done: true });
}

/** @param {string} game @param {Hint[]} hints */
export function markHints(game, hints) {
  const guide = guideOf(guides.peek(), game);
  keep(game, { ...guide, read: [...new Set([...guide.read, ...hints.map(({ id }) => id)])] });
}

/** The unread hints for this moment, the first one to be shown: at any table where this player has a seat.
 * @param {Record<string, Guide>} all @param {Sight} sight @param {GameTable|null} game @returns {Hint[]} */
export function hintsFor(all, sight, game) {
  const guide = guideOf(all, sight.table.game);
  if (!game?.hints || guide.done || sight.seat === 0 || sight.table.state !== "playing") return [];
  return game.hints.filter((each) => !guide.read.includes(each.id) && each.when(sight));
}
