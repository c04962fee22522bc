import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Environment } from "./environment.mjs";

const { entropyCommitment, hex, pickCommitment, unhex } = await import("/app/net/commitments.js");
const { differences, memoryOf, Witness } = await import("/app/net/witness.js");
const { SeatSession } = await import("/app/state/seat_session.js");

const NONCE = "11".repeat(32);
const seal = (decision, seat, pick) => hex(pickCommitment("W", decision, seat, pick, unhex(NONCE)));
const seats = [
  { seat: 1, kind: "person", commit: "aa", opened: null, replaced_at: null },
  { seat: 2, kind: "machine", commit: null, opened: null, replaced_at: null },
];
const turn = { decision: 1, waiting: [[1, 2]], may_seal: [1, 2], sealed: [] };
const table = { id: "W", state: "playing", seed_commit: "ab".repeat(32), seats, said: [], turn };
const snap = { t: "snap", v: 5, now: 0, table, view: {}, legal: ["C"], placed: null };
const sealed = (seat, pick, v) => ({ t: "ev", v, k: "sealed", decision: 1, seat, commit: seal(1, seat, pick) });
const turned = (opens, v) => ({ t: "ev", v, k: "revealed", decision: 1, opens, events: [] });
const opening = (seat, pick) => ({ seat, pick, nonce: NONCE });

function witnessOf(...frames) {
  const witness = new Witness(memoryOf("W", 1));
  for (const frame of frames) witness.take(frame, table);
  return witness;
}

test("honest reveals and an honest record raise no alarm", () => {
  const witness = witnessOf(snap, sealed(1, "C", 6), sealed(2, "S", 7), turned([opening(1, "C"), opening(2, "S")], 8));
  assert.equal(witness.alarm, null);
  const seals = [
    [1, "C"],
    [2, "S"],
  ].map(([seat, pick]) => ({ seat, commit: seal(1, seat, pick), nonce: NONCE }));
  const fair = { seed_commit: table.seed_commit, entropy: [{ seat: 1, commit: "aa", opened: null }], seals: [seals] };
  const record = { id: "W", seats: ["a", "b"], picks: [["C", "S"]], chance: [], fair };
  assert.deepEqual(differences(witness.memory, record), []);
  const flagged = { ...record, fair: { ...fair, seals: [[{ ...seals[0], flag: true }, seals[1]]] } };
  assert.deepEqual(
    differences(witness.memory, flagged).map(({ kind, seat }) => [kind, seat]),
    [["seal", 1]],
  );
  assert.equal(differences(witness.memory, { ...record, fair: { ...fair, seed_commit: "00" } })[0].kind, "promise");
  assert.deepEqual(differences(witness.memory, { ...record, fair: { ...fair, seals: [[seals[0]]] } }).length, 1);
});

test("what comes together with the deal raises no alarm; a deal without what was opened does", () => {
  const entropy = "ef".repeat(32);
  const commit = hex(entropyCommitment("W", 1, unhex(entropy)));
  const mine = (opened) => [{ ...seats[0], commit, opened }, seats[1]];
  const deal = (last) => {
    const witness = new Witness({ ...memoryOf("W", 1), entropy, opened: true });
    const before = { ...table, state: "opening", seats: mine(null), turn: null };
    for (const frame of [{ t: "snap", v: 5, now: 0, table: before }, { t: "ev", v: 6, k: "dealt" }, last])
      witness.take(frame, before);
    return witness;
  };
  const said = { t: "ev", v: 7, k: "said", text: "Hello", state: "playing" };
  const honest = deal({ ...said, seats: mine(entropy) });
  assert.equal(honest.alarm, null);
  assert.deepEqual(Object.keys(honest.memory.dealt), ["1", "2"]);
  assert.equal(deal({ ...said, seats: mine(null) }).alarm.kind, "unopened");
  assert.equal(deal({ ...said, seats: mine("00".repeat(32)) }).alarm.kind, "entropy");
});

test("an exchanged card, a changed seal, a broken promise: each raises an alarm at once", () => {
  const exchanged = witnessOf(snap, sealed(1, "C", 6), sealed(2, "S", 7), turned([opening(2, "C")], 8));
  assert.deepEqual([exchanged.alarm.kind, exchanged.alarm.seat], ["seal", 2]);
  const changed = witnessOf(snap, { ...sealed(2, "S", 6), k: "promised" }, sealed(2, "C", 7));
  assert.equal(changed.alarm.kind, "seal");
  const another = witnessOf(snap, { ...snap, table: { ...table, seed_commit: "cd".repeat(32) } });
  assert.equal(another.alarm.kind, "promise");
  const opened = new Witness({ ...memoryOf("W", 1), entropy: "ef", opened: true });
  opened.take({ t: "ev", v: 6, k: "unopened", unopened: [1] }, table);
  assert.equal(opened.alarm.kind, "unopened");
});

test("a pick goes out once every machine is bound, and none after an alarm; the memory outlives the page", async () => {
  const environment = new Environment();
  const options = { table: "W", seat: 1, token: "x", address: "ws://x", environment, onEvent() {} };
  const session = new SeatSession(options);
  session.start();
  environment.socket.opens();
  environment.socket.says({ t: "welcome", table: "W", seat: 1, v: 5, plays: true, now: 0, ping: 20000 }, snap);
  session.sealing.pick("C");
  await Promise.resolve();
  const picks = () => environment.socket.sent.filter((each) => each.do === "pick");
  assert.equal(picks().length, 0);
  environment.socket.says({ ...sealed(2, "S", 6), k: "promised" });
  for (let i = 0; i < 5; i++) await Promise.resolve();
  assert.equal(picks().length, 1);
  assert.equal(picks()[0].pick.length + picks()[0].pad.length, 33); // as long as any other pick
  environment.socket.says(turned([opening(2, "C")], 7));
  assert.equal(session.witness.alarm.value.kind, "seal");
  session.close();
  const again = new SeatSession(options);
  assert.equal(again.witness.alarm.value.kind, "seal");
  again.close();
});

test("at a blind table a pick stays here until every seal has arrived, and an opening cannot be denied", async () => {
  const blind = { ...snap, table: { ...table, id: "B", seal: "blind" } };
  const environment = new Environment();
  const session = new SeatSession({ table: "B", seat: 1, token: "x", address: "ws://x", environment, onEvent() {} });
  session.start();
  const { socket } = environment;
  const commands = () => socket.sent.filter(({ t }) => t === "cmd");
  socket.opens();
  socket.says({ t: "welcome", table: "B", seat: 1, v: 5, plays: true, now: 0, ping: 20000 }, blind);
  socket.says({ ...sealed(2, "S", 6), k: "promised" });
  session.sealing.pick("C");
  await new Promise((done) => setTimeout(done));
  const [pick] = commands();
  assert.deepEqual(Object.keys(pick).sort(), ["commit", "decision", "do", "id", "t"]);
  socket.says({ t: "ack", id: pick.id, v: 7 });
  const both = [{ seat: 1, commit: pick.commit, flag: false }];
  const asked = { ...turn, may_seal: [], sealed: both, to_open: [1], open_until: 1 };
  const own = { t: "ev", v: 7, k: "sealed", decision: 1, seat: 1, commit: pick.commit };
  socket.says({ ...own, turn: { ...asked, waiting: [[1, 2, 3]] } });
  assert.equal(commands().length, 1, "a seat has not sealed: the server asks too early");
  socket.says({ t: "ev", v: 8, k: "back", seat: 2, turn: asked });
  const [, opened] = commands();
  assert.deepEqual([opened.do, opened.pick, opened.decision], ["reveal", "C", 1]);
  socket.says({ t: "ack", id: opened.id, v: 9 });
  await new Promise((done) => setTimeout(done));
  assert.equal(session.witness.alarm.value, null);
  socket.says({ ...turned([{ seat: 1, pick: "C", nonce: "" }], 9) });
  assert.equal(session.witness.alarm.value.kind, "pick");
  session.close();
});
