// A hidden game comes back with the player's next turn, and not before.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./resolve.mjs";

const { isPutAway, toggle } = await import("/app/state/put_away.js");

const table = (/** @type {boolean} */ yours, since = 0) =>
  /** @type {any} */ ({
    table: "T",
    yours: [1],
    your_turn: yours,
    waiting: [{ seat: yours ? 1 : 2, since, deadline: null }],
  });

test("a game hidden in the other's turn comes back with one's own turn", () => {
  const away = toggle(table(false, 10), []);
  assert.equal(isPutAway(table(false, 10), away), true);
  assert.equal(isPutAway(table(true, 20), away), false);
});

test("a game hidden in one's own turn stays hidden until the next one", () => {
  const away = toggle(table(true, 20), []);
  assert.equal(isPutAway(table(true, 20), away), true);
  assert.equal(isPutAway(table(false, 30), away), true);
  assert.equal(isPutAway(table(true, 40), away), false);
});

test("bringing back forgets it", () => {
  const away = toggle(table(true, 20), []);
  assert.deepEqual(toggle(table(true, 20), away), []);
});
