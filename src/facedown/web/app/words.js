// Translations: `t(key)` for the shell, `wordsOf(game)` for a game. The server makes the words from the catalogues, a
// file for each part of the client and language (docs/translating.md).

import { computed, effect, signal } from "./html.js";
import { settings } from "./settings.js";

/** @import { Texts, Words } from "./contract.js" */
/** @import { ReadonlySignal, Signal } from "@preact/signals" */

const ENGLISH = "en"; // it has every message; the files of other languages have its texts where they lack one
const SHELL = "";
const REVIEW = "review/"; // the shell's words that only a review shows
const page = globalThis.document?.documentElement;

/** What each language calls itself, by its tag. @type {Record<string, string>} */
export const languages = JSON.parse(page?.dataset.languages ?? "{}");

/** The language of the page before a choice in the settings. */
const preferred = page?.lang || ENGLISH;

/** The language shown. @type {ReadonlySignal<string>} */
export const lang = computed(() => {
  const chosen = settings.value.lang ?? "";
  return chosen in languages ? chosen : preferred;
});

/** What has been loaded, by part and language. @type {Signal<Record<string, Record<string, Texts>>>} */
const loaded = signal({ [SHELL]: {} });

/** Which words there are to read: another value in another language, and once more texts have come. */
export const vocabulary = computed(() => ({ lang: lang.value, loaded: loaded.value }));

/** Parts that come with the shell's words: those of our own games. @type {Set<string>} */
const brought = new Set();

/** @param {string} part @param {string} language @param {Texts} texts */
function put(part, language, texts) {
  loaded.value = { ...loaded.value, [part]: { ...loaded.value[part], [language]: texts } };
}

/** @param {string} part @param {string} language */
async function load(part, language) {
  if (loaded.value[part]?.[language]) return;
  const { default: texts, games = {} } = await import(`/words/${part}${language}.js`);
  for (const [game, own] of Object.entries(games)) {
    brought.add(partOf(game));
    put(partOf(game), language, own);
  }
  put(part, language, texts);
}

/** What cannot be loaded is shown in English. @param {string} part @param {string} language */
const loadOrEnglish = (part, language) => load(part, language).catch(() => load(part, ENGLISH));

/** Settled once all texts of the language shown are there. */
export function wordsLoaded() {
  const parts = Object.keys(loaded.value).filter((part) => !brought.has(part));
  return Promise.allSettled(parts.map((part) => loadOrEnglish(part, lang.value)));
}

effect(() => {
  wordsLoaded();
});

/** Settled once a part's texts are there in the language shown; the English ones come last, so that they do not appear
 * for a moment. @param {string} part @param {Texts} english */
export async function addWords(part, english) {
  if (lang.value !== ENGLISH) await load(part, lang.value).catch(() => {});
  put(part, ENGLISH, english);
}

/** Settled once the words of reviews are there. @param {Texts} english */
export const addReviewWords = (english) => addWords(REVIEW, english);

/** Settled once a game's words are there. @param {string} game @param {Texts} [english] unless it is one of ours */
export const addGameWords = (game, english) =>
  english ? addWords(partOf(game), english) : loadOrEnglish(SHELL, lang.value);

/** @param {string} game */
const partOf = (game) => `games/${game}/`;

/** A message with its slots filled: `{name}` becomes params.name, and params.count chooses the plural form.
 * @param {string|string[]} message @param {string} language @param {Record<string, string|number>} [params] */
export function filled(message, language, params = {}) {
  const sentence = typeof message === "string" ? message : pluralForm(message, language, Number(params.count));
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];
const SAMPLES = Array.from({ length: 200 }, (_, n) => n); // they reach every category of whole numbers

/** The plural rules of a language, and the categories that whole numbers have: catalogues list forms in this order.
 * @type {Map<string, {rules: Intl.PluralRules, categories: string[]}>} */
const plurals = new Map();

/** @param {string} language */
function pluralsOf(language) {
  const rules = new Intl.PluralRules(language);
  const reached = new Set(SAMPLES.map((n) => String(rules.select(n))));
  return { rules, categories: CATEGORIES.filter((each) => reached.has(each)) };
}

/** @param {string[]} forms @param {string} language @param {number} count */
function pluralForm(forms, language, count) {
  const { rules, categories } = plurals.get(language) ?? pluralsOf(language);
  plurals.set(language, { rules, categories });
  return forms[categories.indexOf(rules.select(count))] ?? forms[forms.length - 1];
}

/** A message of a part in the language shown, else in English or what is loaded; undefined if the part has none.
 * @param {string} part @param {string} key @param {Record<string, string|number>} [params] */
function wording(part, key, params) {
  for (const language of [lang.value, ENGLISH, ...Object.keys(loaded.value[part] ?? {})]) {
    const own = loaded.value[part]?.[language]?.[key];
    const message = own ?? (part === SHELL ? loaded.value[REVIEW]?.[language]?.[key] : undefined);
    if (message !== undefined) return filled(message, language, params);
  }
  return undefined;
}

/** The words of a part, bound to it; a missing one is its key. @param {string} part @returns {Words} */
export function wordsIn(part) {
  return (key, params) => wording(part, key, params) ?? key;
}

/** The shell's words. */
export const t = wordsIn(SHELL);

/** A game's own words, bound to it. @param {string} game */
export const wordsOf = (game) => wordsIn(partOf(game));

/** A word of a game, or the server's own text if the game has none.
 * @param {string} game @param {string} key @param {string} otherwise @param {Record<string, string|number>} [params] */
export const gameWord = (game, key, otherwise, params) => wording(partOf(game), key, params) ?? otherwise;

/** Sentences one after the other; nothing stands behind a full stop that brings its own room.
 * @param {...(string|false|undefined)} parts */
export const sentences = (...parts) =>
  parts
    .filter(Boolean)
    .join(" ")
    .replace(/([。！？”]) /g, "$1");
