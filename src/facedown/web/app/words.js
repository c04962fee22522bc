// Translations: `t(key)` for the shell, `wordsOf(game)` for a game; one file of texts per language and package.

import en from "/words/en.js";
import ja from "/words/ja.js";
import { computed, signal } from "./html.js";
import { settings } from "./settings.js";

/** @import { Words } from "./contract.js" */
/** @import { ReadonlySignal, Signal } from "@preact/signals" */

/** @typedef {Record<string, string>} Dictionary */

/** @type {Record<"en"|"ja", Dictionary>} */
const SHELL = { en, ja };

/** @type {Signal<Record<string, Record<"en"|"ja", Dictionary>>>} */
const games = signal({});

/** @returns {"en"|"ja"} */
function preferred() {
  return navigator.language?.startsWith("ja") ? "ja" : "en";
}

/** The language shown. @type {ReadonlySignal<"en"|"ja">} */
export const lang = computed(() => settings.value.lang ?? preferred());

/** `{name}` in a sentence becomes params.name; `{n|one|many}` becomes one of two words.
 * @param {string} sentence @param {Record<string, string|number>} [params] */
export function filled(sentence, params = {}) {
  return sentence.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in params)) return whole;
    if (one === undefined) return String(params[name]);
    return Number(params[name]) === 1 ? one : many;
  });
}

/** The shell's words. @param {string} key @param {Record<string, string|number>} [params] */
export function t(key, params) {
  return filled(SHELL[lang.value][key] ?? SHELL.en[key] ?? key, params);
}

/** @param {string} game @param {Record<"en"|"ja", Dictionary>} words */
export function addGameWords(game, words) {
  games.value = { ...games.value, [game]: words };
}

/** A game's own words, bound to it. @param {string} game @returns {Words} */
export function wordsOf(game) {
  return (key, params) => gameWord(game, key, key, params);
}

/** A word of a game, or the server's own text where the game has none.
 * @param {string} game @param {string} key @param {string} otherwise @param {Record<string, string|number>} [params] */
export function gameWord(game, key, otherwise, params) {
  const own = games.value[game];
  return filled(own?.[lang.value]?.[key] ?? own?.en?.[key] ?? otherwise, params);
}
