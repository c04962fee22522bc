import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { KEY, Operator } from "./operator.mjs";

const { hex, tableKey, Stream, unhex } = await import("/app/net/commitments.js");
const { gameDigest } = await import("/app/net/links.js");
const { hmac, sha256 } = await import(new URL("../../../../src/facedown/web/vendor/noble-hashes.js", import.meta.url));
const { completed, drawsOf, missingIn, sealSteps, verdictOf, verify } = await import("/app/net/verify.js");

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

/** A game of a person against a machine, over in two decisions. */
const played = (changes, options = { machines: [null, "careful"] }) =>
  new Operator("V", options).deal([1, 2]).turn(["C", "C"], [1, 2]).turn(["E", "S"]).record(changes);

const known = { draws: [], keys: new Set([KEY]) };
const found = async (record, more = known) =>
  Object.fromEntries((await verify(record, more)).map(({ check, holds }) => [check, holds]));

test("an honest record holds in every part; what needs the rules or the log cannot be known", async () => {
  const record = await played();
  const findings = await verify(record, known);
  assert.deepEqual(
    findings.map(({ check, holds, count }) => [check, holds, count]),
    [
      ["picks", null, 0],
      ["result", null, 0],
      ["links", true, 14],
      ["promises", true, 1],
      ["seals", true, 2],
      ["placers", true, 0],
      ["deal", true, 0],
      ["machines", null, 0],
      ["signature", true, 0],
      ["key", true, 0],
      ["log", null, 0],
    ],
  );
  assert.equal(verdictOf(findings), "consistent");
  assert.deepEqual(missingIn(findings), ["picks", "result", "machines", "log"]);
  assert.equal(verdictOf(findings.filter(({ holds }) => holds)), "proven");
  assert.deepEqual(
    sealSteps(record).map(({ decision, seat, pick, holds }) => [decision, seat, pick, holds]),
    [
      [1, 1, "C", true],
      [2, 1, "E", true],
    ],
  );
});

test("a record without a proof, an unknown key and a missing signature are never ticks", async () => {
  const record = await played();
  assert.equal((await found({ ...record, fair: undefined })).links, null);
  assert.equal((await found(record, { ...known, keys: new Set() })).key, null);
  const { signed, ...bare } = record;
  assert.equal((await found(bare)).signature, null);
  assert.equal((await found(record, { keys: known.keys })).deal, null);
});

/** Each lie, and the check that finds it. */
const lies = {
  "another pick": ["seals", (each) => (each.picks[0][0] = "E")],
  "another pick of the machine": ["placers", (each) => (each.picks[0][1] = "S")],
  "another nonce": ["seals", (each) => (each.fair.nonces[0] = "22".repeat(32))],
  "a nonce is missing": ["links", (each) => each.fair.nonces.pop()],
  "another seed": ["links", (each) => (each.seed = "00".repeat(32))],
  "another winner": ["links", (each) => (each.result.winner = 2)],
  "a decision too many": ["links", (each) => each.picks.push(["C", "C"])],
  "a pick of a seat that was not due": ["links", (each) => (each.fair.links[5][2] = [[1]])],
  "a forfeit that no link has": ["links", (each) => (each.picks[0][0] = "forfeit")],
  "a resignation that no link has": ["links", (each) => (each.picks[1] = ["resign", null])],
  "other rules": ["links", (each) => (each.rules = "other")],
  "a second seal": ["links", (each) => each.fair.links.splice(8, 0, each.fair.links[7])],
  "no links": ["links", (each) => (each.fair.links = "none")],
  "other names": ["signature", (each) => (each.seats[0] = "Eve")],
  "another signature": ["signature", (each) => (each.signed.signature = "00".repeat(64))],
  "another signature of the last head": ["signature", (each) => (each.fair.sig = "A".repeat(86))],
  "another key": ["signature", (each) => (each.signed.key = "00".repeat(32))],
};

for (const [lie, [check, change]] of Object.entries(lies)) {
  test(`a lie is found: ${lie}`, async () => {
    const record = await played((each) => {
      change(each);
      return each;
    });
    const findings = await verify(record, known);
    assert.equal(findings.find((each) => each.check === check).holds, false);
    assert.equal(verdictOf(findings), "false");
  });
}

test("draws come from the seed, the numbers of people and the head of the link `full`", async () => {
  const record = await played((each) => ({
    ...each,
    chance: ["b"],
    fair: { ...each.fair, pools: [{ at: 0, options: ["a", "b", "c"] }] },
  }));
  const full = new Operator("V", { machines: [null, "careful"] }).sit(1).add("full").heads.at(-1);
  const key = tableKey(unhex(record.seed), "V", unhex(full), [unhex("a1".repeat(32))]);
  const place = Number(new Stream(key, "chance").below(3));
  const [{ count }] = drawsOf(record);
  assert.equal((await found(record, { draws: [{ count, place }] })).deal, true);
  assert.equal((await found(record, { draws: [{ count, place: (place + 1) % 3 }] })).deal, false);
});

test("what another game decided is compared with its record, whose digest the links name", async () => {
  const origin = await played();
  const continues = { id: "V", decisions: 1, draws: 0 };
  const operator = new Operator("G");
  const made = operator.links[0][4];
  made.continues = { ...continues, digest: hex(gameDigest(origin)) };
  const again = new Operator("G", { continues: made.continues });
  const record = await again
    .deal([1, 2])
    .turn(["E", "S"])
    .record((each) => {
      each.picks[0] = ["C", "C"];
      return { ...each, continues };
    });
  assert.deepEqual(
    await found(record, { ...known, origin }).then(({ origin: holds, links, seals }) => [holds, links, seals]),
    [true, true, true],
  );
  assert.equal((await found(record)).origin, null);
  assert.equal(
    (
      await found(record, {
        ...known,
        origin: {
          ...origin,
          picks: [
            ["E", "C"],
            ["E", "S"],
          ],
        },
      })
    ).origin,
    false,
  );
  assert.equal((await found({ ...record, continues: undefined })).links, false);
});

test("the whole verifier completes the list, and its contradiction counts", async () => {
  const here = await verify(await played(), known);
  const holds = (check) => ({ check, holds: true, say: `${check} hold` });
  const whole = [...["picks", "result", "links", "machines"].map(holds), { check: "signature", holds: null, say: "?" }];
  const both = completed(here, whole);
  assert.deepEqual(missingIn(both), ["log"]);
  assert.deepEqual(
    both.filter(({ say }) => say).map(({ check }) => check),
    ["picks", "result", "machines"],
  );
  assert.equal(verdictOf(completed(both, [holds("log")])), "proven");
  assert.equal(verdictOf(completed(here, [{ check: "not_verified", holds: false, say: "no" }])), "false");
});
