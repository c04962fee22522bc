import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Environment } from "./environment.mjs";

const { SeatSession } = await import("/app/state/seat_session.js");

const WELCOME = { t: "welcome", table: "T", seat: 1, v: 5, plays: true, now: 0, ping: 20000 };
const TABLE = { id: "T", state: "playing", seats: [], said: [], turn: { decision: 1, may_seal: [1, 2] } };
const SNAP = { t: "snap", v: 5, now: 0, table: TABLE, view: { round: 1 }, legal: [], placed: null };
const turned = (v) => ({ t: "ev", v, k: "revealed", decision: v, opens: [], events: [], view: { round: v } });
const said = (v) => ({ t: "ev", v, k: "said", seat: 2, text: "hm" });

function seated() {
  const environment = new Environment();
  const session = new SeatSession({ table: "T", seat: 1, token: "x", address: "ws://x", environment, onEvent() {} });
  session.start();
  environment.socket.opens();
  environment.socket.says(WELCOME, SNAP);
  return { session, says: (...frames) => environment.socket.says(...frames) };
}

const kinds = (session) => session.known.value.log.map(({ v }) => v);

test("while cards are turned, everything else waits", () => {
  const { session, says } = seated();
  says(turned(6), said(7));

  assert.deepEqual([session.reveals.running.value, kinds(session)], [true, [6]]);
  session.reveals.finish();
  assert.deepEqual([session.reveals.running.value, kinds(session)], [false, [6, 7]]);
  session.close();
});

test("behind a result that the player still reads, only another reveal and what follows it wait", () => {
  const { session, says } = seated();
  says(turned(6), said(7));
  session.reveals.settle();
  says(said(8), turned(9), said(10));

  assert.deepEqual([session.reveals.running.value, kinds(session)], [true, [6, 7, 8]]);
  assert.equal(session.known.value.lastReveal.decision, 6);
  session.reveals.finish();
  assert.deepEqual([session.reveals.running.value, kinds(session)], [true, [6, 7, 8, 9]]);
  session.reveals.finish();
  assert.deepEqual([session.reveals.running.value, kinds(session)], [false, [6, 7, 8, 9, 10]]);
  session.close();
});

test("a resignation shows the end at once, even while a result is shown", () => {
  for (const [termination, shown] of [
    ["resignation", false],
    ["completed", true],
  ]) {
    const { session, says } = seated();
    says(turned(6));
    session.reveals.settle();
    says({ t: "ev", v: 7, k: "over", state: "over", result: { winner: 1, termination, score: [1, 0] } });

    assert.equal(session.reveals.running.value, shown);
    session.close();
  }
});

test("however much waits behind a result, it is folded in order", () => {
  const { session, says } = seated();
  const later = Array.from({ length: 60 }, (_, i) => (i % 3 ? said(7 + i) : turned(7 + i)));
  says(turned(6), ...later);
  session.reveals.settle();
  for (let i = 0; i < 60 && session.reveals.running.value; i++) session.reveals.finish();

  assert.deepEqual(kinds(session), [6, ...later.map(({ v }) => v)]);
  session.close();
});
