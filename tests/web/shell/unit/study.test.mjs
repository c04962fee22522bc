import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import "./environment.mjs";

const { expects, progressOf } = await import("/app/study/drill.js");
const { habitText } = await import("/app/study/habit.js");
const { countAnswer, countDay, dayOf, streakOf } = await import("/app/study/streaks.js");

test("a habit is written with one part changed, and with something to begin with", () => {
  const parts = [
    { name: "side", value: "slave" },
    { name: "chances", value: "" },
  ];
  assert.equal(habitText(parts, "", ""), "side=slave,chances=40");
  assert.equal(habitText(parts, "chances", "10:20"), "side=slave,chances=10:20");
  assert.equal(habitText(parts, "side", "emperor"), "side=emperor,chances=40");
});

test("a streak grows with right answers, ends with a wrong one, and its longest stays", () => {
  assert.deepEqual(streakOf("toy"), { now: 0, most: 0 });
  countAnswer("toy", true);
  assert.deepEqual(countAnswer("toy", true), { now: 2, most: 2 });
  assert.deepEqual(countAnswer("toy", false), { now: 0, most: 2 });
  assert.deepEqual(streakOf("other"), { now: 0, most: 0 });
});

test("a day's points are those of that day", () => {
  countDay("toy", "2026-01-01", 80);
  assert.deepEqual(countDay("toy", "2026-01-01", 100), [80, 100]);
  assert.deepEqual(dayOf("toy", "2026-01-02"), []);
});

test("a habit is gone once the last twenty picks are as mixed as exact play", () => {
  const picks = (/** @type {number} */ did, /** @type {number} */ count) =>
    Array.from({ length: count }, (_, place) => ({ did: place < did, exact: 0.25 }));
  assert.equal(progressOf(picks(5, 19)).gone, false);
  assert.deepEqual(progressOf(picks(5, 20)), { did: 5, exact: 5, count: 20, gone: true });
  assert.equal(progressOf(picks(6, 20)).gone, true);
  assert.equal(progressOf(picks(7, 20)).gone, false);
  assert.equal(progressOf(picks(0, 20)).gone, false, "never is a habit too");
  assert.equal(progressOf([...picks(30, 30), ...picks(5, 20)]).gone, true, "older picks do not count");
});

test("a reader expects what came too often of late", () => {
  assert.equal(expects([], 0.25), false);
  assert.equal(expects(Array(8).fill({ did: true, exact: 0.25 }), 0.25), true);
  assert.equal(expects(Array(8).fill({ did: false, exact: 0.75 }), 0.75), false);
});
