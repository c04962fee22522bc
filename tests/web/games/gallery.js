// Shows one game's table with a recorded sight, and records what it asks the shell to do.
import { h, render } from "preact";
import { filled } from "/app/words.js";

const home = document.getElementById("stage");
const acts = [];

/** Records missing words, so that a test can name them. */
export const missing = new Set();
const wordsOf = async (game, lang) => {
  const { default: texts } = await import(`/words/games/${game}/${lang}.js`);
  return (key, params) => {
    if (texts[key] === undefined) missing.add(`${lang}: ${key}`);
    return filled(texts[key] ?? key, lang, params);
  };
};

async function dress(game) {
  if (document.querySelector(`link[href="${game.styles}"]`)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: game.styles });
  const loaded = new Promise((done) => (link.onload = done));
  document.head.append(link);
  await loaded;
}

const live = (sight) => ({ ...sight, names: (seat) => sight.names[seat - 1], now: () => sight.now });

window.gallery = {
  acts,
  missing,
  async show(name, sight, options) {
    await window.gallery.hold(name, sight, options);
    await document.fonts.ready;
  },
  /** Puts a table into the page, whether it has been laid out or not. */
  async hold(name, sight, { lang = "en", motion = "less", refuse = null } = {}) {
    const { default: game } = await import(`/games/${name}/table.js`);
    await dress(game);
    document.documentElement.lang = lang;
    const act = new Proxy(
      {},
      {
        get:
          (_, does) =>
          (...given) => {
            acts.push([does, ...given]);
            if (does === "revealed")
              return window.gallery.show(
                name,
                { ...sight, revealing: false, mayPick: sight.turn?.may_seal.includes(sight.seat) ?? false },
                { lang, motion, refuse },
              );
            return does === "pick" && refuse
              ? Promise.reject({ code: "illegal_pick", say: refuse })
              : Promise.resolve();
          },
      },
    );
    render(h(game.Table, { sight: live(sight), act, words: await wordsOf(name, lang), motion }), home);
  },
  /** Shows the end of a game, as the shell shows it to people who play each other. */
  async end(name, sight) {
    const [{ default: game }, { Ending }] = await Promise.all([
      import(`/games/${name}/table.js`),
      import("/app/frame/ending.js"),
    ]);
    await dress(game);
    await dress({ styles: "/app/styles/ending.css" });
    const words = await wordsOf(name, "en");
    const { outcome } = sight.view;
    const seen = live({ ...sight, table: { ...sight.table, result: outcome, series: { number: 1, wins: [] } } });
    const narration = { you: sight.seat, names: seen.names, words, view: sight.view };
    const outline = game.outline(sight.view, narration);
    const screenSeats = { active: () => ({ known: { value: { log: [] } } }) };
    render(h(Ending, { sight: seen, screenSeats, game, narration, outline }), home);
    await document.fonts.ready;
  },
  /** Shows many sights one after the other, without painting them; returns the faces in the page with each. */
  async tour(name, sights, options) {
    const seen = [];
    home.hidden = true;
    for (const sight of sights) {
      await window.gallery.hold(name, sight, options);
      seen.push([...home.querySelectorAll("[data-card]")].map((card) => card.dataset.card));
    }
    home.hidden = false;
    return seen;
  },
  async parts(name, lang = "en") {
    const { default: game } = await import(`/games/${name}/table.js`);
    await dress(game);
    await dress({ styles: "/app/table/examples.css" });
    document.documentElement.lang = lang;
    const words = await wordsOf(name, lang);
    const parts = game.rulesExamples.map((each) =>
      h(
        "section",
        { id: each.id, key: each.id, class: "example" },
        h("h2", null, words(each.title)),
        h(each.Component, { words, motion: "less", sound: () => {} }),
      ),
    );
    const emblems = ["fan", "glyph"].map((size) =>
      h("div", { class: `emblem ${size}`, key: size }, h(game.Summary, { size, words })),
    );
    render(h("div", { class: "page" }, emblems, parts), home);
    await document.fonts.ready;
  },
  async cards(name, picks, size = "card") {
    const { default: game } = await import(`/games/${name}/table.js`);
    await dress(game);
    const words = await wordsOf(name, "en");
    render(
      h(
        "div",
        { class: "page cards" },
        picks.map((pick) => h("div", { class: "one", key: pick }, h(game.Pick, { pick, size, words }))),
      ),
      home,
    );
    await document.fonts.ready;
  },
  clear() {
    render(null, home);
    acts.length = 0;
    missing.clear();
  },
};
document.documentElement.dataset.ready = "true";
