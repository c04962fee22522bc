// A person's page: the scale of a rating's plot, results added up, and the score of two people over time.

import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
const { scaleOf, pathsOf } = await import("/app/people/plot.js");
const { balance, grouped } = await import("/app/people/results.js");

test("a plot holds the whole band, with few levels in it", () => {
  for (const error of [0, 20, 90, 250, 400]) {
    const { low, high, levels } = scaleOf([
      { points: 1500, error: 400 },
      { points: 1612, error },
    ]);
    assert.ok(low <= 1100 && high >= 1612 + error && low < high);
    assert.ok(levels.length >= 1 && levels.length <= 5, String(levels));
    assert.ok(levels.every((each) => each >= low && each <= high));
  }
  assert.ok(scaleOf([{ points: 1500, error: 0 }]).high > 1500, "one point is no empty range");
});

test("the line runs through the middle of the band", () => {
  const { line, band } = pathsOf([
    { points: 1400, error: 100 },
    { points: 1500, error: 100 },
  ]);
  assert.equal(line, "M0.0 160.0L1000.0 80.0");
  assert.equal(band, "M0.0 80.0L1000.0 0.0L1000.0 160.0L0.0 240.0Z");
});

test("results that are alike are added up, those with most games first", () => {
  const row = { game: "a", rules: "x", side: 1, won: 1, tied: 0, lost: 1 };
  const found = grouped([row, { ...row, side: -1, tied: 2 }, { ...row, game: "b", won: 9 }], ({ game }) => game);
  assert.deepEqual(
    found.map(({ game, won, tied, lost }) => [game, won, tied, lost]),
    [
      ["b", 9, 0, 1],
      ["a", 2, 2, 2],
    ],
  );
});

test("a score goes up and down with the games, and stays with a draw", () => {
  assert.deepEqual(balance("wwtl"), [0, 1, 2, 2, 1]);
});
