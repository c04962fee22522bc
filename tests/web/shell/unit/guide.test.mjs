// The guided first game: the right hint at its moment, each once, at any table, until a game was finished.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./resolve.mjs";

const { endGuide, guides, hintsFor, isFirstGame, markHints, restartGuide } = await import("/app/state/guide.js");

const game = {
  hints: [
    { id: "goal", when: (sight) => sight.mayPick },
    { id: "seal", when: (sight) => sight.mayPick && sight.view.play === 1 },
    { id: "draw", when: (sight) => sight.mayPick && sight.view.play > 1 },
  ],
};

/** @param {number} play @param {string} [name] @param {number} [seat] */
const sight = (play, name = "duel", seat = 1) => ({
  table: { game: name, id: "T", state: "playing" },
  seat,
  mayPick: true,
  view: { play },
});

/** @param {any} at */
const shown = (at) => hintsFor(guides.value, at, /** @type {any} */ (game)).map(({ id }) => id);

test("each hint comes at its moment, once", () => {
  assert.equal(isFirstGame("duel"), true);
  assert.deepEqual(shown(sight(1)), ["goal", "seal"]);
  markHints("duel", [game.hints[0]]);
  assert.deepEqual(shown(sight(1)), ["seal"]);
  assert.deepEqual(shown(sight(2)), ["draw"]);
  markHints("duel", game.hints);
  assert.deepEqual(shown(sight(2)), []);
  assert.equal(isFirstGame("duel"), true); // until it is over
});

test("a spectator has none", () => {
  assert.deepEqual(shown(sight(1, "watched", 0)), []);
});

test("after a finished game no other one is shown, until the rules page starts the guide again", () => {
  endGuide("duel");

  assert.equal(isFirstGame("duel"), false);
  assert.deepEqual(shown(sight(1)), []);
  restartGuide("duel");
  assert.deepEqual(shown(sight(1)), ["goal", "seal"]);
});

test("a game without hints has none", () => {
  assert.deepEqual(hintsFor(guides.value, sight(1, "other"), {}), []);
});
