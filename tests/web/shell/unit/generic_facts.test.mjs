import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { eventSentence, fields } = await import("/app/table/generic_facts.js");
const { default: generic } = await import("/words/generic/en.js");
const { filled } = await import("/app/words.js");

const own = { "view.score": "Points", "event.prize": "The next prize is worth {prize}.", "pick.K": "King" };
const words = (key, params) => filled({ ...generic, ...own }[key] ?? key, "en", params);
const telling = { words, names: (seat) => ["", "You", "Bo"][seat], seats: 2 };

test("a view is a list of its fields, by seat where there is one entry for each", () => {
  const view = { viewer: 1, rules: "x", waiting: [], outcome: null, hand: ["K", "7"], score: [3, 0], first_card: null };
  assert.deepEqual(fields(view, telling), [
    { name: "hand", label: "Hand", lines: ["King 7"] },
    { name: "score", label: "Points", lines: ["You 3", "Bo 0"] },
    { name: "first_card", label: "First card", lines: ["none"] },
  ]);
  assert.deepEqual(fields(null, telling), []);
});

test("an event becomes a sentence in the game's own words, or from its facts", () => {
  assert.equal(eventSentence({ kind: "prize", facts: { prize: 8 }, rules: [] }, telling), "The next prize is worth 8.");
  const bids = { kind: "bids", facts: { bids: ["7", null], won: true, winner: null }, rules: [] };
  assert.equal(eventSentence(bids, telling), "Bids: You 7, Bo none, won yes, winner no one.");
  assert.equal(eventSentence({ kind: "deal", facts: {}, rules: [] }, telling), "Deal.");
  assert.equal(eventSentence({ kind: "end", facts: { winner: 2 }, rules: [] }, telling), "The winner: Bo.");
});
