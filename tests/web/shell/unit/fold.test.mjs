import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { fold, NOTHING } = await import("/app/state/fold.js");

const TABLE = {
  id: "T",
  state: "playing",
  seats: [{ seat: 1, here: false }],
  said: [],
  turn: { decision: 1, may_seal: [1, 2] },
  next: null,
  result: null,
  seed: null,
};
const snap = (more = {}) =>
  fold(
    { ...NOTHING, seat: 1 },
    { t: "snap", v: 1, now: 1_000, table: TABLE, view: { hand: 5 }, legal: ["C"], placed: null, ...more },
    400,
  );

test("a snapshot replaces everything, and sets the clock", () => {
  const known = snap({ placed: "C" });

  assert.equal(known.placed, "C");
  assert.equal(known.ahead, 600);
});

test("a reveal keeps how the table looked before, and clears what was placed", () => {
  const event = {
    t: "ev",
    v: 2,
    k: "revealed",
    decision: 1,
    opens: [{ seat: 1, pick: "C", nonce: "" }],
    events: [],
    view: { hand: 4 },
    legal: ["D"],
    turn: { decision: 2, may_seal: [1] },
  };
  const known = fold(snap({ placed: "C" }), event);

  assert.deepEqual(known.lastReveal.before, { hand: 5 });
  assert.equal(known.lastReveal.placed, "C");
  assert.deepEqual([known.view.hand, known.legal, known.placed, known.table.turn.decision], [4, ["D"], null, 2]);
});

test("a pick that the clock placed is known to its seat, and marked in the reveal", () => {
  const turn = { decision: 1, may_seal: [2] };
  const flagged = { t: "ev", v: 2, k: "sealed", seat: 1, commit: "", decision: 1, placer: "clock", placed: "D", turn };
  const other = { t: "ev", v: 3, k: "sealed", seat: 2, commit: "", decision: 1 };
  const reveal = { t: "ev", v: 4, k: "revealed", decision: 1, opens: [], events: [], turn: { decision: 2 } };
  const known = fold(snap({ placed: null }), flagged);

  assert.equal(known.placed, "D");
  assert.deepEqual(fold(fold(known, other), reveal).lastReveal.clocked, [1]);
});

test("state parts that are not there stay as they were", () => {
  const known = fold(snap(), { t: "ev", v: 2, k: "sealed", seat: 2, commit: "", decision: 1 });

  assert.deepEqual([known.view, known.legal, known.table.state], [{ hand: 5 }, ["C"], "playing"]);
});

test("an event of an unknown kind is logged and changes nothing else", () => {
  const before = snap();
  const known = fold(before, { t: "ev", v: 2, k: "confetti", colour: "red" });

  assert.deepEqual({ ...known, log: [] }, { ...before, log: [] });
  assert.equal(known.log.at(-1).k, "confetti");
});

test("an event that this viewer may not know leaves no trace", () => {
  assert.deepEqual(fold(snap(), { t: "ev", v: 2, k: "-" }).log, []);
});

test("who is here, and whom a machine may replace, is as the server says", () => {
  const [away] = fold(snap(), { t: "here", seats: [], replaceable: [1] }).table.seats;
  const [back] = fold(snap(), { t: "here", seats: [1], replaceable: [] }).table.seats;

  assert.deepEqual([away.here, away.replaceable], [false, true]);
  assert.deepEqual([back.here, back.replaceable], [true, false]);
});

test("parts of the wrong kind break nothing", () => {
  const odd = [
    { t: "snap", v: 3, table: null },
    { t: "snap", v: 3, table: "x" },
    { t: "ev", v: 3, k: "revealed", opens: 7, events: {} },
    { t: "ev", v: 3, k: "said", text: null },
    { t: "here", seats: "all" },
    { t: "ev", v: 3, k: "over" },
  ];

  for (const frame of odd) assert.ok(fold(snap(), frame).table, JSON.stringify(frame));
});

test("chat and log have a longest length", () => {
  let known = snap();
  for (let v = 2; v < 2_000; v++) known = fold(known, { t: "ev", v, k: "said", seat: 1, name: "A", text: "x" });

  assert.ok(known.log.length <= 500);
  assert.ok(known.table.said.length <= 200);
});
