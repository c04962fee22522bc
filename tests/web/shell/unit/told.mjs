// Answers of the games' modules to questions in a file: a list of [what, game, …given]. No answer may lack a word.

import "./resolve.mjs";
import { readFileSync } from "node:fs";

Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
const { drawsOf } = await import("/app/net/verify.js");
const { storyText } = await import("/app/parts/story.js");
const { filled } = await import("/app/words.js");

const missing = new Set();

async function wordsOf(game, lang) {
  const { default: texts } = await import(`/words/games/${game}/${lang}.js`);
  return (key, params) => {
    if (texts[key] === undefined) missing.add(`${lang}: ${key}`);
    return filled(texts[key] ?? key, lang, params);
  };
}

const WHAT = {
  /** The sentence of each event, as seat 1 reads it. */
  narrate: async (game, lang, events, names) => {
    const ctx = { you: 1, names: (seat) => names[seat - 1], words: await wordsOf(game.name, lang) };
    return events.map((event) => game.narrate(event, ctx));
  },
  /** What a game tells of its end to each of these readers. */
  tell: async (game, lang, sights) => {
    const words = await wordsOf(game.name, lang);
    return sights.map(({ view, table, seat, names }) => {
      const ctx = { you: seat, names: (each) => names[each - 1], words };
      const story = storyText(table.story, game, ctx);
      return { ...game.outline(view, ctx, table.story.step), stepName: null, story };
    });
  },
  draws: (game, record) => (game.review?.draws ? game.review.draws(record) : drawsOf(record)),
};

const answers = [];
for (const [what, name, ...given] of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const { default: game } = await import(
    new URL(`../../../../src/facedown/games/${name}/web/table.js`, import.meta.url)
  );
  answers.push(await WHAT[what]({ ...game, name }, ...given));
}
process.stdout.write(JSON.stringify({ answers, missing: [...missing] }));
