// Translations: `t(key)` for the shell, `wordsOf(game)` for a game; one file of texts per language and package.

import en from "/words/en.js";
import { computed, effect, signal } from "./html.js";
import { settings } from "./settings.js";

/** @import { Texts, Words } from "./contract.js" */
/** @import { ReadonlySignal, Signal } from "@preact/signals" */

/** @typedef {Record<string, string>} Dictionary */

const SHELL = "";

/** Where texts come from: English is at hand, another language is loaded by whoever reads it.
 * @type {Signal<Record<string, Texts>>} */
const sources = signal({ [SHELL]: { en, ja: () => import("/words/ja.js") } });

/** What has been loaded, by package and language. @type {Signal<Record<string, Record<string, Dictionary>>>} */
const loaded = signal({ [SHELL]: { en } });

/** @returns {"en"|"ja"} */
function preferred() {
  return navigator.language?.startsWith("ja") ? "ja" : "en";
}

/** The language shown. @type {ReadonlySignal<"en"|"ja">} */
export const lang = computed(() => settings.value.lang ?? preferred());

/** Which words there are to read: another value in another language, and once more texts have come. */
export const vocabulary = computed(() => ({ lang: lang.value, loaded: loaded.value }));

/** @param {string} name @param {"en"|"ja"} language */
async function load(name, language) {
  if (loaded.value[name]?.[language]) return;
  const texts = sources.value[name][language];
  const words = typeof texts === "function" ? (await texts()).default : texts;
  loaded.value = { ...loaded.value, [name]: { ...loaded.value[name], [language]: words } };
}

/** Settled once all texts of the language shown are there; what cannot be loaded stays English. */
export function wordsLoaded() {
  return Promise.allSettled(Object.keys(sources.value).map((name) => load(name, lang.value)));
}

effect(() => {
  wordsLoaded();
});

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
  const { [lang.value]: own, en: english } = loaded.value[SHELL];
  return filled(own?.[key] ?? english[key] ?? key, params);
}

/** Settled once they are there in the language shown; English comes after it, so that nobody sees it for a moment.
 * @param {string} game @param {Texts} texts */
export async function addGameWords(game, texts) {
  sources.value = { ...sources.value, [game]: texts };
  await load(game, lang.value).catch(() => {});
  await load(game, "en");
}

/** A game's own words, bound to it. @param {string} game @returns {Words} */
export function wordsOf(game) {
  return (key, params) => gameWord(game, key, key, params);
}

/** A word of a game, or the server's own text where the game has none.
 * @param {string} game @param {string} key @param {string} otherwise @param {Record<string, string|number>} [params] */
export function gameWord(game, key, otherwise, params) {
  const own = loaded.value[game];
  return filled(own?.[lang.value]?.[key] ?? own?.en?.[key] ?? otherwise, params);
}
