import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Environment } from "./environment.mjs";

const { SeatSocket, wait } = await import("/app/net/socket.js");

const WELCOME = { t: "welcome", table: "T", seat: 1, v: 5, plays: true, now: 0, ping: 20000 };
const SNAP = { t: "snap", v: 5, now: 0, table: { id: "T", seats: [] }, view: {}, legal: [], placed: null };

function linked(options = {}) {
  const environment = new Environment();
  const heard = [];
  const states = [];
  const link = new SeatSocket({
    address: "ws://x/ws/v1",
    table: "T",
    token: "secret",
    environment,
    onFrame: (frame) => heard.push(frame),
    onStatus: (status) => states.push(status),
    ...options,
  });
  link.start();
  environment.socket.opens();
  return { environment, heard, states, link };
}

function welcomed(options) {
  const all = linked(options);
  all.environment.socket.says(WELCOME, SNAP);
  return all;
}

const versions = (heard) => heard.filter(({ t }) => t === "ev").map(({ v }) => v);

test("the first frame is hello, and the address holds no credential", () => {
  const { environment } = linked();

  assert.deepEqual(environment.socket.sent, [{ t: "hello", table: "T", token: "secret", v: null, play: true }]);
  assert.equal(environment.socket.address.includes("secret"), false);
  assert.equal(environment.socket.protocol, "facedown.v1");
});

test("a gap is noticed: the connection resumes from the last event seen", () => {
  const { environment, heard } = welcomed();

  environment.socket.says({ t: "ev", v: 6, k: "-" }, { t: "ev", v: 8, k: "sealed" });
  environment.pass(1);
  environment.socket.opens();

  assert.deepEqual(versions(heard), [6]);
  assert.equal(environment.sockets.length, 2);
  assert.equal(environment.socket.sent[0].v, 6);
});

test("events out of order and twice: each is received once, in order", () => {
  const { environment, heard } = welcomed();

  environment.socket.says({ t: "ev", v: 7, k: "sealed" });
  environment.pass(1);
  environment.socket.opens();
  environment.socket.says(
    { ...WELCOME, v: 7 },
    { t: "ev", v: 6, k: "sealed" },
    { t: "ev", v: 7, k: "sealed" },
    { t: "ev", v: 6, k: "sealed" },
    { ...SNAP, v: 7 },
  );

  assert.deepEqual(versions(heard), [6, 7]);
});

test("what was missed is marked as late, what comes after the snapshot is not", () => {
  const { environment, heard } = welcomed();

  environment.socket.breaks();
  environment.pass(60_000);
  environment.socket.opens();
  environment.socket.says(
    { ...WELCOME, v: 6 },
    { t: "ev", v: 6, k: "revealed" },
    { ...SNAP, v: 6 },
    { t: "ev", v: 7, k: "sealed" },
  );

  assert.deepEqual(
    heard.filter(({ t }) => t === "ev").map(({ late }) => late === true),
    [true, false],
  );
});

test("a ping that is ahead shows a gap", () => {
  const { environment } = welcomed();

  environment.socket.says({ t: "ping", v: 9, now: 1 });
  environment.pass(1);

  assert.deepEqual(environment.sockets[0].sent.at(-1), { t: "pong" });
  assert.equal(environment.sockets.length, 2);
});

test("a command is repeated with the same id until it is answered, over a new connection as well", async () => {
  const { environment, link } = welcomed();
  const answered = link.command({ id: "A", do: "pick", decision: 1, pick: "x" });
  const sent = () => environment.sockets.flatMap((socket) => socket.sent).filter(({ t }) => t === "cmd");

  environment.pass(4_000);
  assert.equal(sent().length, 2);
  environment.socket.breaks();
  environment.pass(1_000);
  environment.socket.opens();
  assert.equal(sent().length, 2); // not before the table has said where it stands
  environment.socket.says(WELCOME, SNAP);
  assert.equal(sent().length, 3);
  assert.deepEqual(new Set(sent().map(({ id }) => id)), new Set(["A"]));

  environment.socket.says({ t: "ack", id: "A", v: 6 });
  assert.equal((await answered).v, 6);
  environment.pass(60_000);
  assert.equal(sent().length, 3);
});

test("without a network the connection is down at once, and comes back with the network", () => {
  const { environment, states, link } = welcomed();

  link.offline();
  assert.equal(states.at(-1).connected, false);
  link.wake();
  environment.socket.opens();
  environment.socket.says(WELCOME, SNAP);

  assert.equal(environment.sockets.length, 2);
  assert.equal(states.at(-1).connected, true);
});

test("a command without an answer: reported after four seconds, a new connection after eight", () => {
  const { environment, states, link } = welcomed();
  const answered = link.command({ id: "A", do: "pick" });

  environment.pass(3_999);
  assert.equal(
    states.some(({ slow }) => slow),
    false,
  );
  environment.pass(1);
  assert.deepEqual(states.at(-1), { connected: true, plays: true, slow: true });
  environment.pass(3_999);
  assert.equal(environment.sockets.length, 1);
  environment.pass(1);
  assert.deepEqual(states.at(-1), { connected: false, plays: true });
  assert.equal(environment.sockets.length, 2);
  environment.socket.opens();
  environment.socket.says(WELCOME, SNAP, { t: "ack", id: "A", v: 6 });

  assert.deepEqual(states.at(-1), { connected: true, plays: true });
  return answered;
});

test("a late answer ends the slow state", () => {
  const { environment, states, link } = welcomed();
  const answered = link.command({ id: "A", do: "pick" });

  environment.pass(5_000);
  environment.socket.says({ t: "ack", id: "A", v: 6 });

  assert.deepEqual(states.at(-1), { connected: true, plays: true });
  assert.equal(environment.sockets.length, 1);
  return answered;
});

test("a store that failed is no refusal: the same command is sent again until it is answered", async () => {
  const { environment, states, link } = welcomed();
  const answered = link.command({ id: "A", do: "pick" });
  const sent = () => environment.sockets.flatMap((socket) => socket.sent).filter(({ t }) => t === "cmd");

  environment.socket.says({ t: "nak", id: "A", code: "store_failed", say: "try again", status: 503 });
  assert.deepEqual(states.at(-1), { connected: true, plays: true, slow: true });
  environment.pass(4_000);
  assert.deepEqual(
    sent().map(({ id }) => id),
    ["A", "A"],
  );
  environment.socket.says({ t: "ack", id: "A", v: 6 });

  assert.equal((await answered).v, 6);
  assert.deepEqual(states.at(-1), { connected: true, plays: true });
});

test("a refusal rejects with its code and rule", async () => {
  const { environment, link } = welcomed();
  const answered = link.command({ id: "A", do: "pick" });

  environment.socket.says({ t: "nak", id: "A", code: "illegal_pick", say: "no", rule: "X7" });

  await assert.rejects(answered, (error) => error.code === "illegal_pick" && error.rule === "X7");
});

test("waiting doubles up to a bound, and half of it is chance", () => {
  const longest = Array.from({ length: 12 }, (_, attempt) => wait(attempt, () => 1));
  const shortest = longest.map((_, attempt) => wait(attempt, () => 0));

  assert.deepEqual(longest.slice(0, 4), [400, 800, 1600, 3200]);
  assert.equal(Math.max(...longest), 15_000);
  assert.deepEqual(
    shortest,
    longest.map((ms) => ms / 2),
  );
});

test("a connection that stays silent is dead, even if the browser has not noticed", () => {
  const { environment, states } = welcomed();

  environment.pass(20_000 * 2.5 - 1);
  assert.equal(environment.sockets.length, 1);
  environment.pass(1_000);

  assert.equal(states.at(-1).connected, false);
  assert.equal(environment.sockets.length, 2);
});

test("the welcome's interval decides when a silent connection is dead", () => {
  const { environment, states } = linked();

  environment.socket.says({ ...WELCOME, ping: 8000 }, SNAP);
  environment.pass(8_000 * 2.5 - 1);
  assert.equal(environment.sockets.length, 1);
  environment.pass(1);
  assert.equal(states.at(-1).connected, false);
});

test("another tab plays: this one reads, stays a reader when it comes back, and may take over", () => {
  const { environment, states, link } = welcomed();

  environment.socket.says({ t: "role", plays: false });
  assert.equal(states.at(-1).plays, false);
  environment.socket.breaks();
  environment.pass(1_000);
  environment.socket.opens();
  assert.equal(environment.socket.sent[0].play, false);
  link.take();
  assert.deepEqual(environment.socket.sent.at(-1), { t: "take" });
});

test("bye with a time comes back after it, bye without one does not", () => {
  const polite = welcomed();
  polite.environment.socket.says({ t: "bye", code: "restart", say: "", again: 500 });
  polite.environment.pass(499);
  assert.equal(polite.environment.sockets.length, 1);
  polite.environment.pass(1);
  assert.equal(polite.environment.sockets.length, 2);

  const final = welcomed();
  final.environment.socket.says({ t: "bye", code: "not_allowed", say: "no", again: null });
  final.environment.pass(100_000);
  assert.equal(final.environment.sockets.length, 1);
  assert.equal(final.states.at(-1).refused.code, "not_allowed");
});

test("unknown frames are ignored", () => {
  const { environment, heard } = welcomed();
  const before = heard.length;

  environment.socket.says(
    "not json",
    "null",
    "[1]",
    '"text"',
    { t: 7 },
    { t: "confetti" },
    { t: "constructor" },
    { t: "__proto__" },
    { t: "ev", v: "6" },
    { t: "ev" },
    { t: "ev", v: -1, k: "x" },
    { t: "snap", v: 2 },
    { t: "ack", id: "nobody" },
  );

  assert.equal(heard.length, before);
  assert.equal(environment.sockets.length, 1);
});

test("a server that always sends gaps is not called in a tight loop", () => {
  const { environment } = welcomed();

  for (let turn = 0; turn < 100; turn++) {
    environment.socket.says({ t: "ev", v: 99, k: "x" });
    environment.pass(10);
    if (environment.socket.readyState === 0) {
      environment.socket.opens();
      environment.socket.says(WELCOME, SNAP);
    }
  }

  assert.ok(environment.sockets.length < 8, `${environment.sockets.length} lines in one second`);
});

test("a socket that opens after another one has taken its place says nothing", () => {
  const environment = new Environment();
  const link = new SeatSocket({ address: "ws://x", table: "T", token: "t", environment, onFrame() {}, onStatus() {} });
  link.start();
  const late = environment.socket;
  link.offline();
  link.wake();
  environment.socket.opens();
  late.onopen();
  assert.deepEqual(
    environment.sockets.map(({ sent }) => sent.length),
    [0, 1],
  );
});
