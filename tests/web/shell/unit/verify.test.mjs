import "./resolve.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const vectors = JSON.parse(readFileSync(new URL("../../../vectors/fairness.json", import.meta.url), "utf8"));
const { dealKey, entropyCommitment, hex, pickCommitment, seedCommitment, Stream, unhex } = await import(
  "/app/net/commitments.js"
);
const { hmac, sha256 } = await import(new URL("../../../../src/facedown/web/vendor/noble-hashes.js", import.meta.url));
const { verify } = await import("/app/net/verify.js");

const seed = unhex(vectors.server_seed);
const entropy = vectors.seat_entropy.map(unhex);

test("commitments are those of the vectors", async () => {
  assert.equal(hex(await seedCommitment(vectors.game, seed)), vectors.seed_commit);
  const commits = await Promise.all(entropy.map((each, place) => entropyCommitment(vectors.game, place + 1, each)));
  assert.deepEqual(commits.map(hex), vectors.entropy_commit);
  const { decision, seat, pick, nonce } = vectors.pick_commit_is_of;
  assert.equal(hex(await pickCommitment(vectors.game, decision, seat, pick, unhex(nonce))), vectors.pick_commit);
});

test("the stream deals what the vectors say", async () => {
  const key = await dealKey(seed, vectors.game, entropy);
  assert.equal(hex(key), vectors.deal_key);
  const stream = new Stream(key, "chance");
  const drawn = [];
  for (const _ of vectors.below_52) drawn.push(Number(await stream.below(52)));
  assert.deepEqual(drawn, vectors.below_52);
});

test("the vendored hashes are those of the platform", async () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 7) % 256);
    const key = bytes.slice(0, 100);
    assert.equal(hex(sha256(bytes)), hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
    if (length === 0) continue; // WebCrypto takes no empty key
    const ready = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    assert.equal(hex(hmac(sha256, key, bytes)), hex(new Uint8Array(await crypto.subtle.sign("HMAC", ready, bytes))));
  }
});

async function record() {
  const nonce = "11".repeat(32);
  const seal = async (decision, seat, pick) => ({
    seat,
    commit: hex(await pickCommitment(vectors.game, decision, seat, pick, unhex(nonce))),
    nonce,
  });
  return {
    id: vectors.game,
    seed: vectors.server_seed,
    chance: vectors.davenport_first_15_cards_3_seats,
    picks: [
      ["C", 7, null],
      ["resign", null, null],
    ],
    fair: {
      seed_commit: vectors.seed_commit,
      entropy: vectors.entropy_commit.map((commit, place) => ({
        seat: place + 1,
        commit,
        opened: vectors.seat_entropy[place],
      })),
      table: { seats: Array.from({ length: 3 }, () => ({ kind: "person" })), flag: "random" },
      seals: [[await seal(1, 1, "C"), await seal(1, 2, "7")], []],
    },
  };
}

function draws() {
  const left = [...vectors.canonical_deck];
  return vectors.davenport_first_15_cards_3_seats.map((card) => {
    const draw = { count: left.length, place: left.indexOf(card) };
    left.splice(draw.place, 1);
    return draw;
  });
}

test("an honest record holds in every part", async () => {
  const found = await verify(await record(), draws(), vectors.seed_commit);

  assert.deepEqual(
    found.map(({ check, holds, count }) => [check, holds, count]),
    [
      ["seed", true, 1],
      ["entropy", true, 3],
      ["people", true, 3],
      ["seals", true, 2],
      ["placers", true, 0],
      ["deal", true, 15],
    ],
  );
});

const lies = {
  seed: (each) => (each.seed = "00".repeat(32)),
  entropy: (each) => (each.fair.entropy[1].opened = "00".repeat(32)),
  people: (each) => (each.fair.entropy[1].opened = null),
  seals: (each) => (each.picks[0][1] = 8),
  placers: (each) => (each.fair.seals[0][0].flag = true),
};

for (const [check, lie] of Object.entries(lies)) {
  test(`a lie about the ${check} is found`, async () => {
    const lied = await record();
    lie(lied);
    const found = await verify(lied, draws());
    assert.equal(found.find((each) => each.check === check).holds, false);
  });
}

test("of a record that does not say who was a person nothing is claimed", async () => {
  const silent = await record();
  delete silent.fair.table;
  const found = await verify(silent, draws());
  assert.equal(found.find((each) => each.check === "people").holds, null);
});

test("another promise than the one seen before the game is found", async () => {
  const found = await verify(await record(), null, "00".repeat(32));

  assert.equal(found[0].holds, false);
  assert.equal(found.at(-1).holds, null);
});

test("a card that was not drawn is found", async () => {
  const other = draws();
  other[3].place = (other[3].place + 1) % other[3].count;

  assert.deepEqual((await verify(await record(), other)).at(-1), { check: "deal", holds: false, count: 3 });
});

// --- a game that goes on from another one ---

async function goneOn() {
  const whole = await record();
  const before = {
    ...whole,
    id: "other",
    picks: [
      ["C", 7, null],
      ["E", 3, null],
    ],
    chance: ["AS", ...whole.chance],
  };
  const taken = { picks: [["C", 7, null], ...whole.picks], chance: ["AS", ...whole.chance] };
  const nonce = "22".repeat(32);
  const seal = async (seat, pick) => ({
    seat,
    nonce,
    commit: hex(await pickCommitment(vectors.game, 2, seat, pick, unhex(nonce))),
  });
  const fair = { ...whole.fair, seals: [[], [await seal(1, "C"), await seal(2, "7")], []] };
  return { before, after: { ...whole, ...taken, fair, continues: { id: "other", decisions: 1, draws: 1 } } };
}

const since = () => [{ count: 52, place: 0 }, ...draws()];

test("what another game has decided is held against its record, and all since against seals and seed", async () => {
  const { before, after } = await goneOn();
  const found = async (origin) =>
    (await verify(after, since(), vectors.seed_commit, origin)).map(({ check, holds, count }) => [check, holds, count]);
  const own = [
    ["seed", true, 1],
    ["entropy", true, 3],
    ["people", true, 3],
    ["seals", true, 2],
    ["placers", true, 0],
    ["deal", true, 15],
  ];

  assert.deepEqual(await found(before), [["origin", true, 1], ...own]);
  assert.deepEqual(await found(null), [["origin", null, 1], ...own]);
  assert.deepEqual((await found({ ...before, chance: ["2S", ...before.chance.slice(1)] }))[0], ["origin", false, 1]);
  assert.deepEqual((await found({ ...before, picks: [["C", 8, null]] }))[0], ["origin", false, 1]);
  assert.deepEqual((await found({ ...before, id: "a third" }))[0], ["origin", false, 1]);
  assert.deepEqual((await found({ ...before, picks: [] }))[0], ["origin", false, 1]);
});

test("a game that does not say that it goes on is found out", async () => {
  const { after } = await goneOn();
  const found = await verify({ ...after, continues: undefined }, since());

  assert.equal(found.find(({ check }) => check === "seals").holds, false);
  assert.equal(found.find(({ check }) => check === "deal").holds, false);
});
