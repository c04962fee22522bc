import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
const { filled, sentences } = await import("/app/words.js");
const { distinctNames, resultHeadline, sanitized } = await import("/app/phrases.js");
const { match } = await import("/app/router.js");
const { rulesOptions, rulesText } = await import("/app/state/games.js");
const { leftUntil, timeLeft } = await import("/app/table/seats.js");
const { introduction, sections } = await import("/app/table/rule_text.js");
const { sentencesOf } = await import("/app/frame/narration.js");

test("sentences are filled, and plurals chosen", () => {
  const free = ["{count} seat is free", "{count} seats are free"];
  assert.equal(filled(free, "en", { count: 1 }), "1 seat is free");
  assert.equal(filled(free, "en", { count: 3 }), "3 seats are free");
  assert.equal(filled("{name} won", "en", {}), "{name} won");
  assert.equal(filled("{name}", "en", { name: "{count}", count: 1 }), "{count}"); // a person's name is no template
});

test("a space stands between sentences, but not behind a full stop that brings its own room", () => {
  assert.equal(sentences("One.", "", undefined, "Two."), "One. Two.");
  assert.equal(sentences("一。", false, "二！", "三"), "一。二！三");
});

test("plural forms are in the order of the language's categories", () => {
  const chosen = (language, forms) => [0, 1, 2, 3, 5].map((count) => filled(forms, language, { count }));
  assert.deepEqual(chosen("ja", ["a"]), ["a", "a", "a", "a", "a"]);
  assert.deepEqual(chosen("sl", ["one", "two", "few", "other"]), ["other", "one", "two", "few", "other"]);
  assert.deepEqual(chosen("pl", ["one", "few", "many"]), ["many", "one", "few", "few", "many"]);
  assert.deepEqual(chosen("lt", ["one", "few", "other"]), ["other", "one", "few", "few", "few"]);
  assert.equal(filled(["one", "other"], "fr", { count: 1_000_000 }), "other");
});

test("names keep no direction, no control, no endless length", () => {
  assert.equal(sanitized("\u202Eevil\u202C \u0000\n name"), "evil name");
  assert.equal(Array.from(sanitized("x".repeat(10_000))).length, 40);
  assert.equal(sanitized(null), "");
  assert.equal(sanitized("日本語の名前"), "日本語の名前");
});

test("a result says who resigned, and one's own score first", () => {
  const names = (seat) => ["Ann", "Bo"][seat - 1];
  const headline = (mine, termination) =>
    resultHeadline({ game: "x", result: { winner: 2, score: [3, 0], termination }, mine, names });

  assert.equal(headline(2, "resignation"), "You won: Ann resigned at 0–3.");
  assert.equal(headline(1, "resignation"), "You resigned at 3–0. Bo wins.");
  assert.equal(headline(0, "resignation"), "Ann resigned at 3–0. Bo wins.");
  assert.equal(headline(2, "completed"), "You won, 0 to 3");
  assert.equal(headline(1, "completed"), "You lost, 3 to 0");
  assert.equal(headline(0, "completed"), "Bo won, 0 to 3");
});

test("seats that are called alike have numbers", () => {
  assert.deepEqual(distinctNames("x", ["Ann", "highest", "Bo", "highest"]), ["Ann", "highest 1", "Bo", "highest 2"]);
});

test("who resigned is said once, in the game's words", () => {
  const narration = { you: 1, names: (seat) => `Seat ${seat}`, words: (key) => key };
  const game = { narrate: ({ kind }) => (kind === "resignation" ? "You resigned." : null) };
  const event = { k: "resigned", seat: 1, events: [{ kind: "resignation", facts: {} }] };
  assert.deepEqual(
    sentencesOf(event, game, narration).map(({ say }) => say),
    ["You resigned."],
  );
});

test("a clock shows the time of the pick and the reserve behind it", () => {
  assert.equal(timeLeft(88_000, 60_000), "0:28 +1:00");
  assert.equal(timeLeft(40_000, 60_000), "0:40");
  assert.equal(timeLeft(40_000, 0), "0:40");
});

test("a clock stands still while the result is read", () => {
  const at = (now) => leftUntil({ now: () => now, turn: { since: 4_000 } }, 34_000);
  assert.deepEqual([0, 4_000, 5_000].map(at), [30_000, 30_000, 29_000]);
});

test("addresses lead to screens, unknown ones nowhere", () => {
  assert.deepEqual(match("/t/ABC"), { screen: "table", params: { table: "ABC" } });
  assert.deepEqual(match("/review/ABC?seat=2"), { screen: "review", params: { table: "ABC", seat: "2" } });
  assert.equal(match("/t/%E0%A4%A").screen, "table");
  assert.equal(match("/elsewhere").screen, "lost");
});

test("rules are written as the preset and what differs from it", () => {
  const game = { options: [{ name: "plays" }, { name: "tie" }] };

  assert.equal(rulesText(game, "classic", {}), "classic");
  assert.equal(rulesText(game, "classic", { tie: "pair", plays: 5 }), "classic(plays=5,tie=pair)");
});

test("the options of a rule set are read back from its text", () => {
  const options = [
    { name: "plays", kind: "number" },
    { name: "tie", kind: "choice" },
    { name: "open", kind: "switch" },
  ];
  const game = { options, presets: [{ name: "classic", values: { plays: 3, tie: "draw", open: "off" } }] };

  assert.deepEqual(rulesOptions(game, "classic"), { plays: 3, tie: "draw", open: "off" });
  assert.deepEqual(rulesOptions(game, "classic(plays=5,open=on)"), { plays: 5, tie: "draw", open: "on" });
  assert.deepEqual(rulesOptions(game, "strange rules"), {});
});

test("a page is cut into its sections of rules", () => {
  const page = "# Game\n\nWords.\n\n## Cards\n\n- **X1** One.\n- **X2** Two, see **X9**.\n\n## Nothing\n\nNo rule.";

  assert.deepEqual(introduction(page), ["Words."]);
  assert.deepEqual(sections(page, { X1: "One.", X2: "Two." }), [{ heading: "Cards", rules: ["X1", "X2"] }]);
});

test("events become sentences; unknown ones, and those that break a game's narration, are left out", () => {
  const narration = { you: 1, names: (seat) => `Seat ${seat}`, words: (key) => key };
  const game = { narrate: ({ kind }) => (kind === "bad" ? undefined.x : kind === "won" ? "Somebody won." : null) };
  const event = {
    k: "revealed",
    events: [{ kind: "won", facts: {}, rules: ["X1"] }, { kind: "-" }, { kind: "bad" }, { kind: "new" }, null, 7],
  };

  assert.deepEqual(
    sentencesOf(event, game, narration).map(({ say }) => say),
    ["Somebody won."],
  );
  assert.deepEqual(sentencesOf({ k: "confetti" }, game, narration), []);
  assert.match(
    sentencesOf({ k: "said", seat: 2, name: "\u202Ex", text: "y".repeat(10_000) }, game, narration)[0].say,
    /^x: y{279}…$/,
  );
});
