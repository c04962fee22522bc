// The words of notifications, kept where the service worker finds them: it cannot see which language was chosen.

import { allGames, tableOf } from "../games.js";
import { gameWord, t } from "../words.js";

/** Writes them down in the language of now. */
export async function keepNoticeWords() {
  const all = await allGames();
  await Promise.all(all.map(({ name }) => tableOf(name))); // a game brings its words with its table
  const titles = Object.fromEntries(all.map(({ name, title }) => [name, gameWord(name, "title", title)]));
  const words = { turn: t("notice.turn"), over: t("notice.over"), titles };
  const kept = await caches.open("words");
  await kept.put("/words-of-notices", new Response(JSON.stringify(words)));
}
