// What *Play now* plays: the machine, from easy to hard, each with its name and sentence, the length of the game, and
// the player's first side. The choices are remembered.

import { signal } from "../html.js";
import { machineName } from "../phrases.js";
import { read, write } from "../storage.js";
import { t, wordsOf } from "../words.js";
import { loadedTables, usualPreset } from "./games.js";

/** @import { GameInfo, MachineInfo } from "../net/rest.js" */
/** @import { Signal } from "@preact/signals" */

const BLIND = "uniform"; // plays every game at random; hidden if a game has machines of its own

/** Chosen for *Play now*, by game. @type {Signal<Record<string, string>>} */
const chosen = signal(read("opponents", {}));

/** @param {GameInfo} game @returns {MachineInfo[]} */
export function opponents(game) {
  const own = game.machines.filter((each) => each.name !== BLIND);
  return own.length > 0 ? own : game.machines;
}

/** The machine of *Play now*: the one chosen here, else the game's usual one. @param {GameInfo} game */
export function opponentOf(game) {
  const offered = opponents(game).map((each) => each.name);
  const wanted = [chosen.value[game.name], game.usual_machine];
  return wanted.find((name) => name !== undefined && offered.includes(name)) ?? offered[0];
}

/** The machine after this one, from easy to hard; null after the last.
 * @param {GameInfo} game @param {string} machine */
export function nextOpponent(game, machine) {
  const offered = opponents(game).map((each) => each.name);
  return offered[offered.indexOf(machine) + 1] ?? null;
}

/** @param {string} game @param {string} machine */
export function chooseOpponent(game, machine) {
  chosen.value = { ...chosen.value, [game]: machine };
  write("opponents", chosen.value);
}

/** The side chosen for *Play now*, as its seat, by game; 0: a random one. @type {Signal<Record<string, number>>} */
const sides = signal(read("sides", {}));

/** The seat of the side chosen for *Play now*; 0, a random one, without a choice. @param {string} game */
export const sideOf = (game) => sides.value[game] ?? 0;

/** @param {string} game @param {number} seat */
export function chooseSide(game, seat) {
  sides.value = { ...sides.value, [game]: seat };
  write("sides", sides.value);
}

/** The preset chosen for *Play now*, by game. @type {Signal<Record<string, string>>} */
const lengths = signal(read("lengths", {}));

/** The preset of *Play now*: the one chosen here, else the game's usual one. @param {GameInfo} game */
export const presetOf = (game) =>
  game.presets.find((each) => each.name === lengths.value[game.name]) ?? usualPreset(game);

/** @param {string} game @param {string} preset */
export function chooseLength(game, preset) {
  lengths.value = { ...lengths.value, [game]: preset };
  write("lengths", lengths.value);
}

/** "Easy: Habit"; the name alone if the game names no level. @param {string} game @param {string} machine */
export function opponentLabel(game, machine) {
  const name = machineName(wordsOf(game), machine);
  const level = loadedTables.value[game]?.levels?.[machine];
  return level ? t("level.name", { level: t(`level.${level}`), name }) : name;
}

/** The machine of *Play now* by its name. @param {GameInfo} game */
export const opponentName = (game) => machineName(wordsOf(game.name), opponentOf(game));

/** One sentence on how it plays. @param {GameInfo} game @param {string} machine */
export function opponentSays(game, machine) {
  return game.machines.find((each) => each.name === machine)?.says ?? "";
}
