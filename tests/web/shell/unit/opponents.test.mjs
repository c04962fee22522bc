// Who plays next: the house in turn, different characters at one table, and what was chosen before everything else.

import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { choiceOf, chooseOpponent, isResident, nextOpponents } = await import("/app/state/opponents.js");
const { write } = await import("/app/storage.js");

const machine = (name, resident) => ({ name, says: name, resident });
const machines = [...["ann", "bo", "cy", "di"].map((name) => machine(name, true)), machine("plain", false)];
const two = { name: "two", least_seats: 2, most_seats: 2, machines, usual_machine: "ann", house: true };
const many = { ...two, name: "many", least_seats: 2, most_seats: 7 };

test("the house plays in turn: the first that was not beaten", () => {
  write("house", { counted: [], known: {} });
  assert.deepEqual(nextOpponents(two), ["ann"]);
  assert.deepEqual(nextOpponents(two, { beaten: ["ann"] }), ["bo"]);
  write("house", { counted: [], known: { "two/ann": { won: 1 }, "two/bo": { won: 0 } } });
  assert.deepEqual(nextOpponents(two), ["bo"]);
});

test("after the last, the strongest again", () => {
  assert.deepEqual(nextOpponents(two, { beaten: ["ann", "bo", "cy", "di"] }), ["di"]);
});

test("those at one table differ", () => {
  assert.deepEqual(nextOpponents(many, { count: 3 }), ["ann", "bo", "cy"]);
  assert.deepEqual(nextOpponents(many, { count: 3, beaten: ["ann", "bo", "cy"] }), ["di", "cy", "bo"]);
  assert.deepEqual(nextOpponents(many, { count: 3, first: "cy" }), ["cy", "ann", "bo"]);
});

test("a machine that was chosen plays, and stays until the house is chosen again", () => {
  chooseOpponent("many", "plain");
  assert.equal(choiceOf(many), "plain");
  assert.deepEqual(nextOpponents(many, { count: 2 }), ["plain", "plain"]);
  chooseOpponent("many", "");
  assert.deepEqual(nextOpponents(many, { count: 2 }), ["ann", "bo"]);
  assert.deepEqual([isResident(two, "bo"), isResident(two, "plain")], [true, false]);
});

test("a game without a house has its usual machine", () => {
  const plain = { ...many, machines: [machine("plain", false)], usual_machine: "plain", house: false };
  assert.deepEqual(nextOpponents(plain, { count: 2 }), ["plain", "plain"]);
});
