import "./resolve.mjs";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import "./environment.mjs";

const APP = new URL("../../../../src/facedown/web/app/", import.meta.url);
const { default: en } = await import("/app/study/words/en.js");
const { default: ja } = await import("/app/study/words/ja.js");
const { habitText } = await import("/app/study/habit.js");
const { countAnswer, countDay, dayOf, streakOf } = await import("/app/study/streaks.js");

const code = [
  ...readdirSync(new URL("study/", APP))
    .filter((name) => name.endsWith(".js"))
    .map((name) => `study/${name}`),
  "screens/explore.js",
  "screens/train.js",
]
  .map((name) => readFileSync(new URL(name, APP), "utf8"))
  .join("\n");
const slots = (text) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();

test("both languages have the same keys, and the same slots in each", () => {
  assert.deepEqual(Object.keys(ja).sort(), Object.keys(en).sort());
  assert.deepEqual(
    Object.keys(en).filter((key) => slots(ja[key]).join() !== slots(en[key]).join()),
    [],
  );
});

test("every text is asked for, and every text that is asked for is there", () => {
  const asked = [...code.matchAll(/\bsay\([^()"]*"([^"]+)"(?: : "([^"]+)")?/g)].flatMap(([, one, other]) => [
    one,
    other,
  ]);
  const keys = asked.filter((key) => key !== undefined);
  assert.ok(keys.length > 40);
  assert.deepEqual(
    keys.filter((key) => !(key in en)),
    [],
  );
  assert.deepEqual(
    Object.keys(en).filter((key) => !code.includes(`"${key}"`)),
    [],
  );
});

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
