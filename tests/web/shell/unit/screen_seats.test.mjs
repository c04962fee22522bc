import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { ScreenSeats } = await import("/app/state/screen_seats.js");
const { addGameWords } = await import("/app/words.js");

test("a machine is called by its game's words as soon as they are there", async () => {
  const screen = new ScreenSeats("T");
  const seats = [{ seat: 1, kind: "machine", machine: "habit", name: "habit" }];
  screen.active = () => ({ known: { value: { table: { game: "cards", seats, yours: [] } } } });

  assert.equal(screen.nameOf(1), "habit");
  await addGameWords("cards", { "machine.habit.name": "Habit" });
  assert.equal(screen.nameOf(1), "Habit");
});
