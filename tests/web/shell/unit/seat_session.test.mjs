import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Environment } from "./environment.mjs";
import { numberOf, Operator, settle } from "./operator.mjs";

const { forgetOldSeats, savedSeat, saveSeat, witnessSeats } = await import("/app/state/saved_seats.js");
const { saveWitnessMemory } = await import("/app/state/saved_seats.js");
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

test("a player who has resigned does not wait for the end behind reveals of the others", () => {
  const { session, says } = seated();
  session.resign().catch(() => {});
  const result = { winner: 2, termination: "completed", score: [0, 1] };
  says(turned(6), turned(7), turned(8));
  assert.equal(session.reveals.running.value, true);
  says({ t: "ev", v: 9, k: "over", state: "over", result });

  assert.deepEqual([session.reveals.running.value, kinds(session)], [false, [6, 7, 8, 9]]);
  session.close();
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

async function sits(operator, saved = {}) {
  const { table } = operator;
  saveSeat(table, 1, { token: "x", ...saved });
  const environment = new Environment();
  const session = new SeatSession({ table, seat: 1, token: "x", address: "ws://x", environment, onEvent() {} });
  session.start();
  const { socket } = environment;
  socket.opens();
  socket.says(operator.welcome(), await operator.missed(socket.sent[0].n), operator.snap());
  await settle();
  const commands = () => socket.sent.filter(({ t }) => t === "cmd");
  return { session, environment, commands, socket };
}

test("a pick is kept with its nonce, and sent again unchanged when the page is opened again", async () => {
  const operator = new Operator("P").deal([1, 2]);
  const first = await sits(operator);
  first.session.sealing.pick("C");
  await settle();
  const [sent] = first.commands();
  first.session.close();

  const second = await sits(operator);
  assert.deepEqual(second.commands(), [sent]);
  const { n, head } = second.socket.sent[0];
  assert.deepEqual([n, head], [6, operator.heads[6]], "hello names the last link that is known");
  second.socket.says(
    { t: "ack", id: sent.id, v: 6, n: 7 },
    await operator.claim("sealed", 1, 1, "person", sent.commit),
  );
  await settle();
  second.session.close();

  const third = await sits(operator);
  assert.deepEqual([third.commands(), third.session.known.value.placed], [[], "C"]);
  third.session.close();
});

test("a pick that the server may not have saved is repeated with the same id and nonce", async () => {
  const { session, environment, commands, socket } = await sits(new Operator("F").deal([1, 2]));
  session.sealing.pick("C");
  await settle();
  const [sent] = commands();
  socket.says({ t: "nak", id: sent.id, code: "store_failed" });
  environment.pass(4000);

  assert.deepEqual(commands(), [sent, sent]);
  session.close();
});

test("a pick that the server refuses can be chosen again", async () => {
  const { session, commands, socket } = await sits(new Operator("R").deal([1, 2]));
  const refused = assert.rejects(session.sealing.pick("C"), { code: "illegal" });
  await settle();
  socket.says({ t: "nak", id: commands()[0].id, code: "illegal", say: "" });
  await refused;
  session.sealing.pick("S");
  await settle();
  assert.equal(commands()[1].pick, "S");
  session.close();
});

test("tabs share one memory: what another one sealed is not taken for the server's", async () => {
  const operator = new Operator("T2").deal([1, 2]);
  const [one, two] = [await sits(operator), await sits(operator)];
  two.session.connection.receive(JSON.stringify({ t: "role", plays: false }));
  one.session.sealing.pick("C");
  await settle();
  const sealed = await operator.claim("sealed", 1, 1, "person", one.commands()[0].commit);
  for (const { socket } of [one, two]) socket.says(sealed);
  assert.deepEqual(two.session.witness.memory.elsewhere, []);
  assert.equal(two.session.witness.memory.own[1].acked, 7);
  for (const { session } of [one, two]) session.close();
});

test("a number is opened once all promises are fixed, promised again after a void, forgotten when dealt", async () => {
  const operator = new Operator("E").sit(1, 2).add("full");
  const { session, commands, socket } = await sits(operator, { entropy: numberOf(1) });
  const opened = new Map(commands().map((each) => [each.id, each.entropy])); // one command, perhaps repeated
  assert.deepEqual([...opened.values()], [numberOf(1)]);
  socket.says(await operator.claim("opened", 1, numberOf(1)));
  operator.at += 60_000;
  session.witness.witness.offset = null;
  socket.says({ t: "ack", id: commands()[0].id, v: 6, n: 4 }, await operator.claim("void", [2]));
  await settle();
  const { commit, id } = commands().findLast((each) => each.do === "promise");
  const fresh = savedSeat("E", 1).entropy;
  assert.equal(operator.promise(1, fresh), commit);
  assert.notEqual(fresh, numberOf(1));
  socket.says({ t: "ack", id, v: 7, n: 6 }, await operator.claim("sat", 1, commit));
  socket.says(await operator.claim("sat", 2, operator.promise(2)), await operator.claim("full"));
  await settle();
  assert.equal(commands().at(-1).entropy, fresh);
  for (const [seat, number] of [
    [1, fresh],
    [2, numberOf(2)],
  ])
    socket.says(await operator.claim("opened", seat, number));
  socket.says(await operator.claim("dealt", [[1, 2]]));
  assert.deepEqual([savedSeat("E", 1).entropy, session.witness.alarm.value], [null, null]);
  session.close();
});

test("of many finished games the newest memories are kept, and those of running ones", () => {
  for (let game = 0; game < 40; game++) {
    saveSeat(`old${game}`, 1, { token: "x", over: game < 39 });
    saveWitnessMemory(`old${game}`, 1, {});
  }
  forgetOldSeats(Date.now());
  const kept = Array.from({ length: 40 }, (_, game) => witnessSeats(`old${game}`).length);
  assert.equal(kept[39], 1);
  assert.equal(
    kept.reduce((sum, each) => sum + each),
    31,
  );
});
