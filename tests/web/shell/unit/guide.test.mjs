// The guided first game: the right hint at its moment, each once, and never again once it is over.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./resolve.mjs";

const { endGuide, guides, hintFor, hintRead, isFirstGame, startGuide } = await import("/app/state/guide.js");

const game = {
  hints: [
    { id: "goal", when: (sight) => sight.mayPick },
    { id: "draw", when: (sight) => sight.mayPick && sight.view.play > 1 },
  ],
};

/** @param {number} play @param {string} [id] */
const sight = (play, id = "T") => ({ table: { game: "duel", id, state: "playing" }, mayPick: true, view: { play } });

/** @param {any} at */
const shown = (at) => hintFor(guides.value, at, /** @type {any} */ (game))?.id;

test("each hint comes at its moment, once, and at that table alone", () => {
  assert.equal(isFirstGame("duel"), true);
  startGuide("duel", "T");

  assert.equal(isFirstGame("duel"), false);
  assert.equal(shown(sight(1)), "goal");
  assert.equal(shown(sight(1, "another")), undefined);
  hintRead("duel", "goal", game.hints);
  assert.equal(shown(sight(1)), undefined);
  assert.equal(shown(sight(2)), "draw");
  hintRead("duel", "draw", game.hints);
  assert.equal(guides.value.duel.done, true);
});

test("after skipping the hints no other one is shown, until the rules page starts the guide again", () => {
  startGuide("duel", "T");
  endGuide("duel");

  assert.equal(shown(sight(1)), undefined);
  assert.equal(shown(sight(2)), undefined);
  startGuide("duel", "U");
  assert.equal(shown(sight(1, "U")), "goal");
});

test("a game without hints has none", () => {
  startGuide("other", "T");

  assert.equal(hintFor(guides.value, { ...sight(1), table: { game: "other", id: "T", state: "playing" } }, {}), null);
});
