import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Environment } from "./environment.mjs";

const { savedSeat, saveSeat } = await import("/app/state/saved_seats.js");
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

function sits(table, saved, state = TABLE) {
  saveSeat(table, 1, { token: "x", ...saved });
  const environment = new Environment();
  const session = new SeatSession({ table, seat: 1, token: "x", address: "ws://x", environment, onEvent() {} });
  session.start();
  environment.socket.opens();
  environment.socket.says({ ...WELCOME, table }, { ...SNAP, table: { ...state, id: table } });
  const commands = () => environment.socket.sent.filter(({ t }) => t === "cmd");
  return { session, environment, commands, says: (...frames) => environment.socket.says(...frames) };
}

const settle = () => new Promise((done) => setTimeout(done));

test("a pick is kept with its nonce until it is revealed, and sent again when the page is opened again", async () => {
  const first = sits("P", {});
  first.session.sealing.pick("C");
  await settle();
  const [sent] = first.commands();
  assert.deepEqual(savedSeat("P", 1).sealing.nonce, sent.nonce);
  first.session.close();

  const second = sits("P", {});
  await settle();
  assert.deepEqual(second.commands(), [sent]);
  second.says({ t: "ack", id: sent.id, v: 6 }, { ...turned(6), decision: 1 });
  assert.equal(savedSeat("P", 1).sealing, null);
  second.session.close();
});

test("a pick that the server may not have saved is repeated with the same id and nonce", async () => {
  const { session, environment, commands, says } = sits("F", {});
  session.sealing.pick("C");
  await settle();
  const [sent] = commands();
  says({ t: "nak", id: sent.id, code: "store_failed" });
  environment.pass(4000);

  assert.deepEqual(commands(), [sent, sent]);
  assert.equal(savedSeat("F", 1).sealing.nonce, sent.nonce);
  session.close();
});

test("entropy is opened once while the table opens, and forgotten when the game is dealt", () => {
  const opening = { ...TABLE, state: "opening", turn: null, seats: [{ seat: 1, opened: null }] };
  const { session, commands, says } = sits("E", { entropy: "ab".repeat(32) }, opening);
  says({ t: "ev", v: 6, k: "said", seat: 2, text: "hm", seats: opening.seats });

  const opened = new Map(commands().map((each) => [each.id, each.entropy])); // one command, perhaps repeated
  assert.deepEqual([...opened.values()], ["ab".repeat(32)]);
  says({ t: "ev", v: 7, k: "dealt", state: "playing", seats: opening.seats });
  assert.equal(savedSeat("E", 1).entropy, null);
  session.close();
});
