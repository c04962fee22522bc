// What *Play now* plays: the machines, each with its name and sentence, the length of the game, and the player's first
// side. The choices are remembered. Without one, the house plays: who has not been beaten yet, in turn.

import { signal } from "../html.js";
import { machineName } from "../phrases.js";
import { read, write } from "../storage.js";
import { lang, t, wordsOf } from "../words.js";
import { loadedTables, usualPreset } from "./games.js";

/** @import { GameInfo, MachineInfo } from "../net/rest.js" */
/** @import { Signal } from "@preact/signals" */

const BLIND = "uniform"; // plays every game at random; hidden if a game has machines of its own

/** Chosen for *Play now*, by game; "" for the house. @type {Signal<Record<string, string>>} */
const chosen = signal(read("opponents", {}));

/** @param {GameInfo} game @returns {MachineInfo[]} */
export function opponents(game) {
  const own = game.machines.filter((each) => each.name !== BLIND);
  return own.length > 0 ? own : game.machines;
}

/** Whether a machine is a character of the house. @param {GameInfo} game @param {string} machine */
export const isResident = (game, machine) => game.machines.some(({ name, resident }) => resident && name === machine);

/** The address of a character's small portrait. @param {string} game @param {string} machine
 * @param {""|"hit"|"pleased"} [mood] */
export const faceUrl = (game, machine, mood = "") =>
  import.meta.resolve(`/games/${game}/faces/${machine}-small${mood && `-${mood}`}.svg`);

/** The machine chosen for *Play now*; "" if the house plays, or the usual machine of a game without one.
 * @param {GameInfo} game */
export function choiceOf(game) {
  const wanted = chosen.value[game.name] ?? "";
  return opponents(game).some(({ name }) => name === wanted) ? wanted : "";
}

/** What one may choose: the house in turn, each of its characters, then the other machines. @param {GameInfo} game */
export const opponentChoices = (game) => [
  ...(game.house ? [{ value: "", label: t("home.house_in_turn") }] : []),
  ...opponents(game).map(({ name }) => ({ value: name, label: opponentLabel(game, name) })),
];

/** Whether a character was ever beaten on this device. @param {string} game @param {string} machine */
const isBeaten = (game, machine) =>
  read("house", { known: /** @type {Record<string, any>} */ ({}) }).known[`${game}/${machine}`]?.won > 0;

/** The machines of the next game, as many as it has other seats, and different ones if they are of the house: those
 * that have not been beaten yet come first, from easy to hard, then the strongest of the others.
 * @param {GameInfo} game @param {{first?: string, beaten?: string[], count?: number}} [how] `first`: who has to be
 *   there, `beaten`: just now */
export function nextOpponents(game, { first = choiceOf(game), beaten = [], count = otherSeats(game) } = {}) {
  const house = game.machines.flatMap(({ name, resident }) => (resident ? [name] : []));
  if (house.length === 0 || (first && !house.includes(first))) return Array(count).fill(first || game.usual_machine);
  const isOver = (/** @type {string} */ name) => beaten.includes(name) || isBeaten(game.name, name);
  const ranked = [...house.filter((name) => !isOver(name)), ...house.filter(isOver).reverse()];
  const wanted = first ? [first, ...ranked.filter((name) => name !== first)] : ranked;
  return Array.from({ length: count }, (_, place) => wanted[place % wanted.length]);
}

/** How many seats a table of *Play now* has besides one's own. @param {GameInfo} game */
function otherSeats({ name, least_seats: least, most_seats: most }) {
  return Math.min(most, Math.max(least, loadedTables.value[name]?.seats ?? least)) - 1;
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

/** "Easy: Habit"; the name alone if the game names no level. @param {GameInfo} game @param {string} machine */
export function opponentLabel(game, machine) {
  const name = machineName(wordsOf(game.name), machine);
  const level = levelOf(game, machine);
  return level ? t("level.name", { level: t(`level.${level}`), name }) : name;
}

/** The machines of *Play now* by their names: "Pip", "Jorun, Bee and Sabine". @param {GameInfo} game
 * @param {string[]} [machines] */
export function opponentName(game, machines = nextOpponents(game)) {
  const names = [...new Set(machines)].map((each) => machineName(wordsOf(game.name), each));
  return new Intl.ListFormat(lang.value, { type: "conjunction" }).format(names);
}

/** How hard it is to beat; "" if the game does not say. @param {GameInfo} game @param {string} machine */
export const levelOf = (game, machine) => game.machines.find((each) => each.name === machine)?.level ?? "";

/** One sentence on how it plays. @param {GameInfo} game @param {string} machine */
export function opponentSays(game, machine) {
  return game.machines.find((each) => each.name === machine)?.says ?? "";
}
