// The review's numbers and sentences: what is shown adds up, and nothing is claimed that is not clear.

import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
const { inPoints, formatSigned } = await import("/app/numbers.js");
const { cost } = await import("/app/review/columns.js");
const { caption } = await import("/app/review/chances.js");
const { turnedAt } = await import("/app/review/columns.js");
const { addReviewWords } = await import("/app/words.js");
const { default: english } = await import("/words/review/en.js");
await addReviewWords(english);

const pick = { cost: 0, error: 0, forced: false, decided: "", pick: "C", clear: true };

test("rounded shares add up to the end, whatever rounding leaves", () => {
  const account = [
    { part: "start", value: 0.4444, error: 0 },
    { part: "choices", value: -0.0049, error: 0 },
    { part: "read", value: -0.3149, error: 0.03 },
    { part: "luck", value: -0.1246, error: 0 },
    { part: "end", value: 0, error: 0 },
  ];
  const shown = inPoints(account);
  const points = shown.map((each) => each.points);

  assert.deepEqual(points, [44, 0, -31, -13, 0]);
  assert.equal(
    points.slice(0, -1).reduce((sum, each) => sum + each, 0),
    points.at(-1),
  );
  assert.deepEqual([formatSigned(0), formatSigned(56), formatSigned(-3)], ["±0", "+56", "−3"]);
});

test("the sentence about a cost names the player, and comes only if the cost is clear", () => {
  assert.equal(cost(pick, true, "Ann", false), "A perfect choice.");
  assert.equal(cost({ ...pick, cost: 0.01 }, true, "Ann", false), "This cost you 1 point in 100.");
  assert.equal(cost({ ...pick, cost: 0.034 }, false, "Ann", false), "This cost Ann 3.4 points in 100.");
  assert.equal(
    cost({ ...pick, cost: 0.2, error: 0.06, clear: false }, true, "Ann", true),
    "Not clearly worse than the machine’s choice.",
  );
  assert.equal(
    cost({ ...pick, cost: 0.2, error: 0.06 }, true, "Ann", true),
    "This cost you about 20 points in 100 (±12).",
  );
  assert.equal(cost(pick, true, "Ann", true), "The same choice as the machine’s.");
});

test("a sentence says that nothing could be chosen", () => {
  assert.match(cost({ ...pick, decided: "decided" }, true, "Ann", false), /^Already decided/);
  assert.match(cost({ ...pick, decided: "lost" }, true, "Ann", false), /^Lost, in theory/);
  assert.equal(cost({ ...pick, forced: true }, true, "Ann", false), "There was no choice.");
});

test("an exchange shows the card that was played, and what it was exchanged for", () => {
  const turned = [
    { seat: 1, pick: "KD", won: true },
    { seat: 2, pick: "TS", won: false },
  ];
  const game = /** @type {any} */ ({
    review: { turned: () => turned },
    pickName: (/** @type {string} */ card) => card,
  });
  const record = { picks: [["x3H", "TS", null]], seats: ["Ann", "Bo", "Cy"] };
  const found = turnedAt({ events: [[{}]] }, record, game, 0);
  const narration = /** @type {any} */ ({ names: (/** @type {number} */ seat) => record.seats[seat - 1] });

  assert.deepEqual(found, [{ seat: 1, pick: "KD", won: true, given: "x3H" }, turned[1]]);
  assert.equal(caption(found, 2, false, game, narration), "Bo’s TS, Ann’s KD");
  assert.equal(caption(found, 2, true, game, narration), "your TS, Ann’s KD");
});
