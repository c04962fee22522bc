import "./resolve.mjs";
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { Environment } from "./environment.mjs";
import { KEY, numberOf, Operator, settle } from "./operator.mjs";

const { evidenceOf } = await import("/app/net/memory.js");
const { differences, Witness } = await import("/app/net/witness.js");
const { trustedKeys } = await import("/app/net/keys.js");
const { rotationDigest } = await import("/app/net/links.js");
const { SeatSession } = await import("/app/state/seat_session.js");

/** The witness of seat 1 at a table, with everything that has happened there. */
async function meets(operator, options = {}) {
  const clock = { now: 0 };
  const given = { table: operator.table, seat: 1, entropy: numberOf(1), now: () => clock.now, ...options };
  const witness = new Witness(given);
  witness.setDue(() => witness.chain.due);
  witness.hello();
  witness.take(operator.welcome());
  witness.take(await operator.missed());
  witness.take(operator.snap());
  await settle();
  return Object.assign(witness, { clock });
}

/** The own pick, sealed and acknowledged. */
async function picks(witness, operator, pick = "C") {
  const decision = witness.chain.decision;
  const { commit } = witness.seal(decision, pick, new Uint8Array(32));
  operator.add("sealed", decision, 1, "person", commit);
  witness.noteSealed(decision, operator.links.length - 1);
  return commit;
}

const FALSE = "5e".repeat(32);
const both = () => new Operator("W").deal([1, 2]);
const seated = () => new Operator("W").sit(1, 2).add("full");

// --- an honest operator -----------------------------------------------------------------------------------

test("an honest game raises no alarm, its record is what was seen, and the memory outlives the page", async () => {
  const operator = both();
  const witness = await meets(operator);
  assert.equal(witness.maySeal(1), true);
  await picks(witness, operator);
  witness.take(await operator.event());
  witness.take(await operator.claim("sealed", 1, 2, "person", operator.commit(2, "S")));
  const opens = [
    { seat: 1, pick: "C", nonce: "00".repeat(32) },
    { seat: 2, pick: "S", nonce: "11".repeat(32) },
  ];
  witness.take(await operator.add("revealed", 1, [], []).event({ opens, view: { decision: 2 } }));
  await settle();
  assert.equal(witness.alarm, null);
  assert.equal(witness.covered, operator.links.length - 1);
  const record = { picks: [["C", "S"]], fair: { links: operator.links } };
  assert.deepEqual(differences(witness.memory, record), []);
  const kept = JSON.parse(JSON.stringify(witness.memory));
  assert.equal(new Witness({ table: "W", seat: 1, kept }).chain.head, operator.heads.at(-1));
  const kinds = (changed) => [...new Set(differences(witness.memory, changed).map(({ kind }) => kind))];
  const clocked = operator.links.map((link) => (link[3] === 1 && link[0] === "sealed" ? link.with(4, "clock") : link));
  assert.deepEqual(kinds({ ...record, fair: { links: clocked } }), ["record", "pick"]);
  assert.deepEqual(kinds({ ...record, picks: [["C", "C"]] }), ["record"]);
  assert.deepEqual(kinds({ ...record, fair: undefined }), ["record"]);
});

test("a deal that comes to nothing begins again with a fresh number", async () => {
  const operator = seated().add("opened", 1, numberOf(1));
  const witness = await meets(operator);
  operator.at += 60_000;
  witness.offset = null;
  witness.take(await operator.claim("void", [2]));
  assert.equal(witness.toPromise(), true);
  witness.memory.entropy = "cc".repeat(32);
  witness.take(await operator.claim("sat", 1, operator.promise(1, "cc".repeat(32))));
  witness.take(await operator.claim("sat", 2, operator.promise(2)));
  witness.take(await operator.claim("full"));
  await settle();
  assert.equal(witness.toOpen(), "cc".repeat(32));
  assert.equal(witness.alarm, null);
});

test("a seat that was freed may be another person's: no alarm, and nothing is sent for it", async () => {
  const operator = new Operator("W").sit(1, 2);
  const witness = await meets(operator);
  witness.take(await operator.claim("freed", 1));
  witness.take(await operator.claim("sat", 1, operator.promise(1, "ee".repeat(32))));
  witness.take(await operator.claim("full"));
  await settle();
  assert.deepEqual([witness.toOpen(), witness.alarm], ["", null]);
  for (const [seat, number] of [
    [1, "ee".repeat(32)],
    [2, numberOf(2)],
  ])
    witness.take(await operator.claim("opened", seat, number));
  witness.take(await operator.claim("dealt", [[1, 2]]));
  witness.take(operator.snap());
  assert.deepEqual([witness.maySeal(1), witness.alarm], [false, null]);
});

test("a damaged memory keeps what this browser did itself", () => {
  const own = { 1: { pick: "C", nonce: "00", commit: "ab" } };
  const kept = { format: "facedown/memory/2", table: "W", seat: 1, links: [["strange", 1]], own };
  const witness = new Witness({ table: "W", seat: 1, kept });
  assert.deepEqual([witness.chain.number, witness.memory.own], [-1, own]);
});

// --- a dishonest one --------------------------------------------------------------------------------------

/** Links that are claimed one after the other, each signed. @param {...any} all */
const claims =
  (...all) =>
  async (_, operator) => {
    const frames = [];
    for (const each of all) frames.push(await operator.claim(...each));
    return frames;
  };
/** Each cheat, with its alarm, and where it begins. @type {Record<string, any>} */
const cheats = {
  "another number than promised": ["promises", seated, claims(["opened", 1, numberOf(1)], ["opened", 2, FALSE])],
  "another promise after all are fixed": ["promises", seated, claims(["opened", 1, numberOf(1)], ["sat", 2, FALSE])],
  "dealt without the other's number": ["promises", seated, claims(["opened", 1, numberOf(1)], ["dealt", [[1, 2]]])],
  "another number of mine": ["promises", seated, claims(["opened", 1, FALSE])],
  "another history before the deal": [
    "fork",
    seated,
    async (_, operator) => {
      const other = new Operator("W")
        .sit(1)
        .add("sat", 2, operator.promise(2, "ee".repeat(32)))
        .add("full");
      return [await other.missed()];
    },
  ],
  "the clock instead of an acknowledged pick": [
    "pick",
    both,
    async (witness, operator) => {
      await picks(witness, operator);
      operator.links.pop();
      operator.heads.pop();
      return [await operator.claim("sealed", 1, 1, "clock", FALSE)];
    },
  ],
  "the clock after the pick was sealed": [
    "pick",
    both,
    async (witness, operator) => {
      await picks(witness, operator);
      return [await operator.event(), await operator.claim("sealed", 1, 1, "clock", FALSE)];
    },
  ],
  "the clock at a table without one": ["clock", both, claims(["sealed", 1, 1, "clock", FALSE])],
  "the clock first, and then an acknowledgement": [
    "clock",
    both,
    async (witness, operator) => {
      witness.seal(1, "C", new Uint8Array(32));
      witness.take(await operator.claim("sealed", 1, 1, "clock", FALSE));
      witness.noteSealed(1, operator.links.length - 1);
      assert.equal(witness.memory.own[1].acked, operator.links.length - 1);
      return [];
    },
  ],
  "another pick of mine": [
    "pick",
    both,
    async (witness, operator) => {
      witness.seal(1, "C", new Uint8Array(32));
      return [await operator.claim("sealed", 1, 1, "person", FALSE)];
    },
  ],
  "acknowledged without a link": [
    "pick",
    both,
    async (witness) => {
      witness.seal(1, "C", new Uint8Array(32));
      witness.noteSealed(1, undefined);
      return [];
    },
  ],
  "a second seal of the friend": [
    "order",
    both,
    claims(["sealed", 1, 2, "person", FALSE], ["sealed", 1, 2, "person", "6e".repeat(32)]),
  ],
  "turned before the friend sealed": [
    "order",
    both,
    async (witness, operator) => {
      await picks(witness, operator);
      return [await operator.event(), await operator.claim("revealed", 1, [], [[1, 2]])];
    },
  ],
  "only I am due": [
    "due",
    () => new Operator("W").deal([1]),
    async (witness, operator) => {
      witness.due = () => [[1, 2]];
      return [operator.snap()];
    },
  ],
  "a card that was not sealed": [
    "seal",
    both,
    async (_, operator) => {
      const frames = [await operator.placed(1).event(), await operator.placed(2, "S").event()];
      const opens = [{ seat: 2, pick: "C", nonce: "11".repeat(32) }];
      return [...frames, await operator.add("revealed", 1, [], []).event({ opens })];
    },
  ],
  "a signature of another head": [
    "fork",
    both,
    async (_, operator) => [{ ...(await operator.claim("sealed", 1, 2, "person", FALSE)), sig: await operator.sig(3) }],
  ],
  "a link is left out": [
    "fork",
    both,
    async (_, operator) => [await operator.add("sealed", 1, 2, "person", FALSE).claim("sealed", 1, 1, "person", FALSE)],
  ],
  "fewer links than before": [
    "fork",
    both,
    async (_, operator) => [{ t: "links", first: 0, links: operator.links.slice(0, -1) }],
  ],
  "a snapshot that says something else": ["fork", both, async (_, operator) => [operator.snap({ seal: "blind" })]],
  "a snapshot with another seal": [
    "fork",
    both,
    async (_, operator) => {
      const snap = operator.snap();
      snap.table.turn.sealed = [{ seat: 2, placer: "person", commit: FALSE }];
      return [snap];
    },
  ],
  "other cards than a moment ago": ["hand", both, async (_, operator) => [operator.snap({}, { hand: ["E"] })]],
  "no link at all": ["order", both, async (_, operator) => [{ ...(await operator.event()), n: 7, at: "now" }]],
  "a seal after my opening": [
    "due",
    () => new Operator("W", { seal: "blind" }).deal([1, 2]),
    async (witness, operator) => {
      await picks(witness, operator);
      const mine = await operator.event();
      witness.noteRevealSent(1);
      return [mine, await operator.claim("sealed", 1, 2, "person", FALSE)];
    },
  ],
  "my acknowledged opening is forfeited": [
    "opening",
    () => new Operator("W", { seal: "blind" }).deal([1, 2]),
    async (witness, operator) => {
      await picks(witness, operator);
      const frames = [await operator.event(), await operator.claim("sealed", 1, 2, "person", operator.commit(2))];
      for (const frame of frames) witness.take(frame);
      witness.noteRevealSent(1);
      witness.noteRevealed(1);
      operator.at += 60_000;
      witness.clock.now += 60_000;
      return [await operator.claim("shown", 1, 2), await operator.claim("revealed", 1, [1], [])];
    },
  ],
};

for (const [cheat, [alarm, begin, make]] of Object.entries(cheats)) {
  test(`cheat: ${cheat}`, async () => {
    const operator = begin();
    const witness = await meets(operator);
    assert.equal(witness.alarm, null);
    for (const frame of await make(witness, operator)) witness.take(frame);
    await settle();
    assert.equal(witness.alarm?.kind, alarm, JSON.stringify(witness.alarm));
    assert.deepEqual([witness.toOpen(), witness.toReveal(), witness.maySeal(1)], ["", null, false]);
    const { entropy, ...evidence } = evidenceOf(witness.memory, witness.key);
    assert.deepEqual([evidence.format, evidence.key, evidence.alarm.kind], ["facedown/evidence/2", KEY, alarm]);
    assert.equal(evidence.memory.entropy, undefined);
    assert.equal(evidence.memory.own, undefined); // nothing has been turned
  });
}

test("a key that this server is not known by is an alarm, before and after its links have come", async () => {
  const witness = await meets(both());
  witness.setKeys(new Set(["00".repeat(32)]));
  assert.equal(witness.alarm.kind, "key");
  const other = new Witness({ table: "W", seat: 1 });
  other.setKeys(new Set(["00".repeat(32)]));
  other.take(await both().missed());
  assert.equal(other.alarm.kind, "key");
});

test("a resignation counts where this browser resigned, or right after it if all had sealed", async () => {
  for (const [asked, alarm] of [
    [0, "mine"],
    [1, undefined],
    [2, undefined],
    [3, "mine"],
  ]) {
    const operator = both().turn(["C", "C"], [1, 2]);
    const witness = await meets(operator);
    witness.memory.resigned = asked;
    witness.take(await operator.claim("resigned", 2, 1, []));
    witness.clock.now += 30_001;
    witness.take({ t: "ev", v: 9, k: "said" });
    assert.equal(witness.alarm?.kind, alarm);
  }
});

test("what this browser did not do is an alarm, unless another device plays", async () => {
  for (const [plays, alarm] of [
    [true, "mine"],
    [false, undefined],
  ]) {
    const operator = both();
    const witness = await meets(operator);
    witness.take(await operator.claim("sealed", 1, 1, "person", FALSE));
    assert.equal(witness.alarm, null, "another device may have taken the seat");
    witness.setStatus({ connected: true, plays });
    witness.clock.now += 30_001;
    witness.take({ t: "ev", v: 9, k: "said" });
    assert.equal(witness.alarm?.kind, alarm);
    assert.deepEqual(witness.memory.elsewhere, plays ? [] : [7]);
  }
});

test("a link from the future is measured again, and then an alarm; a pick is not older than its sealing", async () => {
  const operator = both();
  const witness = await meets(operator);
  operator.at += 60_000;
  witness.take(await operator.claim("sealed", 1, 2, "person", FALSE));
  assert.deepEqual([witness.alarm, witness.doubted], [null, operator.at]);
  witness.hello();
  witness.take({ ...operator.welcome(), now: operator.at - 60_000 });
  assert.equal(witness.alarm.kind, "clock");

  const late = both();
  const second = await meets(late);
  const { commit } = second.seal(1, "C", new Uint8Array(32));
  second.clock.now += 30_000;
  second.notePickSent(1);
  second.take(await late.claim("sealed", 1, 1, "person", commit));
  assert.equal(second.alarm.kind, "clock");
});

test("a system's clock that is set ahead makes no pick too old", async () => {
  const operator = both();
  const clock = { steady: 0 };
  const witness = await meets(operator, { steady: () => clock.steady });
  const { commit } = witness.seal(1, "C", new Uint8Array(32));
  witness.clock.now += 3_600_000;
  witness.notePickSent(1);
  witness.take(await operator.claim("sealed", 1, 1, "person", commit));
  assert.equal(witness.alarm, null);
});

const timed = () => new Operator("W", { clock: "decision" }).deal([1, 2]);

test("the clock does not take time that has not passed here, whatever a new connection says", async () => {
  for (const [passed, cut, alarm] of [
    [9_000, true, "clock"],
    [9_000, false, "clock"],
    [15_000, true, undefined],
    [15_000, false, undefined],
  ]) {
    const operator = timed();
    const witness = await meets(operator);
    const known = operator.links.length - 1;
    witness.clock.now += passed;
    operator.at += 15_000;
    const flag = await operator.claim("sealed", 1, 1, "clock", operator.commit(1));
    if (cut) {
      witness.setStatus({ connected: false, plays: true });
      witness.hello();
      witness.take(operator.welcome());
      witness.take(await operator.missed(known));
    } else witness.take(flag);
    assert.equal(witness.alarm?.kind, alarm, `${passed} ${cut}`);
  }
});

test("a clock that waited for everyone runs from the last one who was ready", async () => {
  for (const [passed, alarm] of [
    [9_000, "clock"],
    [15_000, undefined],
  ]) {
    const operator = new Operator("W", { clock: "decision", ready: 60 }).deal([1, 2]);
    const witness = await meets(operator);
    witness.memory.ready = true;
    for (const seat of [1, 2]) witness.take(await operator.claim("ready", seat));
    witness.clock.now += passed;
    operator.at += 15_000;
    witness.take(await operator.claim("sealed", 1, 1, "clock", operator.commit(1)));
    assert.equal(witness.alarm?.kind, alarm, `${passed}`);
  }
});

test("nobody else says that I am ready", async () => {
  const operator = new Operator("W", { clock: "decision", ready: 60 }).deal([1, 2]);
  const witness = await meets(operator);
  witness.take(await operator.claim("ready", 1));
  witness.clock.now += 60_000;
  witness.checkSuspects();
  assert.equal(witness.alarm?.kind, "mine");
});

test("the clock, rules and deadlines that are shown are those that were signed", async () => {
  const operator = timed();
  const later = { ...operator.turnInfo, deadlines: { 1: operator.at + 60_000, 2: operator.at + 60_000 } };
  for (const lie of [
    { clock: { kind: "none", seconds: 10, days: 3, bank: 5, grace: 2, ready: 0 } },
    { rules: "other" },
    { turn: later },
  ]) {
    const witness = await meets(operator);
    assert.equal(witness.alarm, null);
    witness.take(operator.snap(lie));
    assert.equal(witness.alarm.kind, "fork");
  }
  const witness = await meets(operator);
  witness.take(await operator.claim("sealed", 1, 2, "person", FALSE));
  assert.equal(witness.alarm, null);
  witness.take({ t: "ev", v: 9, k: "said", turn: operator.turnInfo });
  assert.equal(witness.alarm, null);
  witness.take({ t: "ev", v: 10, k: "said", turn: later });
  assert.equal(witness.alarm.kind, "fork");
});

// --- when this browser acts -------------------------------------------------------------------------------

test("a number is opened only for promises that are signed", async () => {
  const operator = new Operator("W").sit(1);
  const witness = await meets(operator);
  witness.take(await operator.claim("sat", 2, operator.promise(2)));
  witness.take({ ...(await operator.claim("full")), sig: undefined });
  await settle();
  assert.equal(witness.toOpen(), "");
  witness.take(await operator.missed(operator.links.length - 1));
  await settle();
  assert.equal(witness.toOpen(), numberOf(1));
  assert.equal(witness.memory.full, operator.heads.at(-1));
});

test("a server that cannot sign is played with, and its signatures cannot be known", async () => {
  const witness = await meets(new Operator("W", { key: "00".repeat(32) }).sit(1, 2).add("full"));
  assert.equal(witness.toOpen(), numberOf(1));
});

test("keys are kept, and change only with a statement of both", async () => {
  const pairs = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
  const [one, two] = pairs.map(({ publicKey }) =>
    Buffer.from(publicKey.export({ format: "jwk" }).x, "base64url").toString("hex"),
  );
  const published = { origin: "https://play.example", key: two, changes: [] };
  const statement = rotationDigest(published.origin, one, two, 1);
  const [byOld, byNew] = pairs.map(({ privateKey }) => sign(null, statement, privateKey).toString("base64url"));
  const change = { old: one, new: two, at: 1, by_old: byOld, by_new: byNew };
  const trusted = async (changes, pinned) => [...(await trustedKeys({ ...published, changes }, pinned))];
  assert.deepEqual(await trusted([], ""), [two]);
  assert.deepEqual(await trusted([], one), []);
  assert.deepEqual(await trusted([change], one), [one, two]);
  for (const lie of [{ by_old: byNew }, { by_new: byOld }, { at: 2 }, { by_old: "AA" }])
    assert.deepEqual(await trusted([{ ...change, ...lie }], one), []);
});

// --- a whole session --------------------------------------------------------------------------------------

async function sits(operator) {
  const environment = new Environment();
  const options = { table: operator.table, seat: 1, token: "x", address: "ws://x", environment, onEvent() {} };
  const session = new SeatSession(options);
  session.start();
  const { socket } = environment;
  socket.opens();
  socket.says(operator.welcome(), await operator.missed(socket.sent[0].n), operator.snap());
  await settle();
  const commands = () => socket.sent.filter(({ t }) => t === "cmd");
  return { session, socket, commands };
}

test("a pick goes out once every machine is bound, however long that takes, and none after an alarm", async () => {
  const operator = new Operator("M", { machines: [null, "careful"] }).deal([1, 2]);
  const { session, socket, commands } = await sits(operator);
  session.sealing.pick("C");
  await settle();
  assert.deepEqual([commands().length, session.known.value.placed], [0, "C"]);
  assert.equal(Object.keys(session.witness.memory.own).length, 1, "it is kept before it is sent");
  socket.says(await operator.claim("promised", 1, 2, "careful", operator.commit(2)));
  await settle();
  const [pick] = commands();
  assert.equal(pick.pick.length + pick.pad.length, 33); // as long as any other pick
  socket.says(await operator.claim("sealed", 1, 1, "person", pick.commit), { t: "ack", id: pick.id, n: 6, v: 7 });
  await settle();
  assert.equal(session.witness.memory.own[1].acked, 6);
  socket.says(await operator.claim("sealed", 1, 2, "machine", FALSE));
  assert.equal(session.witness.alarm.value.kind, "order");
  await assert.rejects(session.do({ do: "say", text: "hm" }), { code: "stopped" });
  session.close();
  operator.links.pop();
  operator.heads.pop();
  const again = await sits(operator);
  assert.equal(again.session.witness.alarm.value.kind, "order");
  assert.deepEqual(again.commands(), []);
  again.session.close();
});

test("at a blind table whose game does not say who is due, the player decides when the pick is opened", async () => {
  const operator = new Operator("B", { seal: "blind" }).deal([1, 2]);
  const { session, socket, commands } = await sits(operator);
  session.sealing.pick("C");
  await settle();
  const [pick] = commands();
  assert.deepEqual(Object.keys(pick).sort(), ["commit", "decision", "do", "id", "t"]);
  socket.says(await operator.claim("sealed", 1, 1, "person", pick.commit), { t: "ack", id: pick.id, n: 7, v: 7 });
  const early = operator.snap();
  socket.says({ ...early, table: { ...early.table, turn: { ...early.table.turn, waiting: [], to_open: [1] } } });
  await settle();
  assert.deepEqual([commands().length, session.sealing.asks.value], [1, 0], "a seat has not sealed");
  socket.says(await operator.claim("sealed", 1, 2, "person", operator.commit(2)));
  await settle();
  assert.deepEqual([commands().length, session.sealing.asks.value], [1, 1]);
  session.sealing.openPick(true);
  const [, opened] = commands();
  assert.deepEqual([opened.do, opened.pick, opened.decision], ["reveal", "C", 1]);
  session.close();
});

test("at a blind table a pick is opened once all who are due by the rules have sealed", async () => {
  const operator = new Operator("D", { seal: "blind" }).deal([1, 2]);
  const { session, socket, commands } = await sits(operator);
  Object.assign(session.witness.witness, { unclear: 0, due: () => [[1, 2]] });
  session.witness.witness.checkDue();
  session.sealing.pick("C");
  await settle();
  const [{ id, commit }] = commands();
  socket.says(await operator.claim("sealed", 1, 1, "person", commit), { t: "ack", id, n: 7, v: 7 });
  socket.says(await operator.claim("sealed", 1, 2, "person", operator.commit(2)));
  await settle();
  assert.deepEqual(
    commands().map((each) => each.do),
    ["pick", "reveal"],
  );
  const opens = [{ seat: 2, pick: "C", nonce: "11".repeat(32) }];
  for (const seat of [1, 2]) socket.says(await operator.claim("shown", 1, seat));
  socket.says(await operator.add("revealed", 1, [], [[1]]).event({ opens })); // another due list, and no view
  session.reveals.finish();
  assert.equal(session.witness.alarm.value, null);
  assert.equal(session.witness.witness.maySeal(2), false, "who is due was not compared with a view");
  socket.says({ t: "ev", v: ++operator.v, k: "said", view: { decision: 2 } });
  assert.equal(session.witness.alarm.value.kind, "due");
  session.close();
});
