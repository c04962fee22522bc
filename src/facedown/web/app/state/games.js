// The games that the server offers, and each game's table module, loaded when it is first needed.
// Names no game: the names come from the server, and every game's table module has the same path.

import { effect, signal } from "../html.js";
import { get } from "../net/api.js";
import { addGameWords, gameWord, lang } from "../words.js";

/** @import { GameTable } from "../contract.js" */
/** @import { Signal } from "@preact/signals" */
/** @import { GameInfo } from "../net/rest.js" */

/** @type {Signal<GameInfo[]|null>} */
export const games = signal(null);

/** The latest request, in the language shown. @type {Promise<GameInfo[]>|null} */
let asked = null;

/** @returns {Promise<GameInfo[]>} */
export function allGames() {
  asked ??= requestGames();
  return asked;
}

/** Only the latest request counts: an answer in the previous language may come after the one in the new language.
 * @returns {Promise<GameInfo[]>} */
function requestGames() {
  const request = get("/games").then(
    (/** @type {GameInfo[]} */ found) => {
      found.sort((a, b) => a.most_seats - b.most_seats); // duels first
      if (asked === request) games.value = found;
      return found;
    },
    (error) => {
      if (asked === request) asked = null;
      throw error;
    },
  );
  return request;
}

let language = lang.value;

effect(() => {
  if (language === lang.value) return;
  language = lang.value;
  if (asked) {
    asked = null; // titles, options and machines are texts of the server, in the language of the request
    allGames().catch(() => {});
  }
});

/** @param {string} name */
export async function findGame(name) {
  return (await allGames()).find((each) => each.name === name) ?? null;
}

/** @type {Map<string, Promise<GameTable>>} */
const tables = new Map();

/** The tables that are loaded, by game. @type {Signal<Record<string, GameTable>>} */
export const loadedTables = signal({});

/** @param {string} name @returns {Promise<GameTable>} */
export function tableOf(name) {
  const loading = tables.get(name) ?? load(name);
  tables.set(name, loading);
  loading.catch(() => tables.delete(name));
  return loading;
}

/** @param {string} name */
async function load(name) {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`no game is called ${name}`);
  const { default: table } = await import(`/games/${name}/table.js`);
  await Promise.all([addGameWords(name, table.words), loadStyles(table.styles)]);
  loadedTables.value = { ...loadedTables.value, [name]: table };
  return table;
}

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** Loads a style sheet of this edition, once.
 * @param {string} address @returns {Promise<void>} */
export function loadStyles(address) {
  const sheet = sheets.get(address) ?? addSheet(import.meta.resolve(address));
  sheets.set(address, sheet);
  return sheet;
}

/** @param {string} href @returns {Promise<void>} */
function addSheet(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((done) => {
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
}

/** @param {string} name */
export function titleOf(name) {
  return gameWord(name, "title", games.value?.find((each) => each.name === name)?.title ?? name);
}

/** A rule set as text: the preset, and in brackets what differs from it.
 * @param {GameInfo} game @param {string} preset @param {Record<string, any>} changed */
export function rulesText(game, preset, changed) {
  const differing = game.options
    .filter((each) => each.name in changed)
    .map((each) => `${each.name}=${changed[each.name]}`);
  return differing.length > 0 ? `${preset}(${differing.join(",")})` : preset;
}

/** The preset that a new game is offered with. @param {GameInfo} game */
export const usualPreset = ({ presets, usual_preset }) =>
  presets.find((each) => each.name === usual_preset) ?? presets[0];

/** What differs from a preset so that no player has chosen who is favoured.
 * @param {GameInfo} game @param {string} preset @param {GameTable["even"]} even @returns {Record<string, string>} */
export function evenly(game, preset, even) {
  const values = game.presets.find((each) => each.name === preset)?.values;
  return even && values && String(values[even.option]) !== even.value ? { [even.option]: even.value } : {};
}

/** A preset as text, changed if that makes the game even for both sides.
 * @param {GameInfo} game @param {string} preset */
export const evenRules = async (game, preset) =>
  rulesText(game, preset, evenly(game, preset, (await tableOf(game.name)).even));

/** The option values of a rule set's text.
 * @param {GameInfo} game @param {string} rules @returns {Record<string, string|number>} */
export function rulesOptions(game, rules) {
  const [, preset, differing = ""] = /^(\w+)(?:\((.*)\))?$/.exec(rules) ?? [];
  const values = { ...game.presets.find((each) => each.name === preset)?.values };
  for (const each of differing.split(",").filter(Boolean)) {
    const [name, value] = each.split("=").map((part) => part.trim());
    const kind = game.options.find((option) => option.name === name)?.kind;
    values[name] = kind === "number" ? Number(value) : value;
  }
  return values;
}
