import "./resolve.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const vectors = JSON.parse(readFileSync(new URL("../../../vectors/links.json", import.meta.url), "utf8"));
const commitments = await import("/app/net/commitments.js");
const links = await import("/app/net/links.js");
const { Chain, LinkRefused } = await import("/app/net/chain.js");
const { entropyCommitment, hex, keyedHash, pickCommitment, seedCommitment } = commitments;
const { Stream, tableKey, tableNonce, u32, unhex } = commitments;
const { fromBase64url, headDigest, isSigned, KINDS, NO_KEY, readLink, UnreadableLink } = links;

function chainOf(name, length) {
  const chain = new Chain();
  for (const link of vectors.chains[name].links.slice(0, length)) chain.add(readLink(link));
  return chain;
}

test("links have the fields of the vectors", () => {
  const names = Object.entries(KINDS).map(([kind, fields]) => [kind, Object.keys(fields)]);
  const wanted = Object.entries(vectors.kinds).map(([kind, fields]) => [kind, fields.map(([name]) => name)]);
  assert.deepEqual(names, wanted);
});

test("commitments, keys, streams and digests are those of the vectors", async () => {
  const given = vectors.bytes;
  const { table, pick } = given;
  const key = tableKey(unhex(given.seed), table, unhex(given.full), given.entropy.map(unhex));
  const head = unhex(given.decision_head);
  const words = (by, label) => {
    const stream = new Stream(keyedHash(key, `facedown/2/${by}`, u32(3)), `${label}/2`);
    return Array.from({ length: 5 }, () => Number(stream.below(10)));
  };
  const made = {
    seed_commit: hex(seedCommitment(table, unhex(given.seed))),
    entropy_commit: given.entropy.map((each, place) => hex(entropyCommitment(table, place + 1, unhex(each)))),
    table_key: hex(key),
    pick_commit: hex(pickCommitment(table, pick.decision, pick.seat, head, pick.pick, unhex(pick.nonce))),
    machine_nonce_3_2: hex(tableNonce(key, "machine", 3, 2)),
    clock_nonce_3_2: hex(tableNonce(key, "clock", 3, 2)),
    machine_stream_3_2_below_10: words("machine", "bot"),
    clock_stream_3_2_below_10: words("clock", "clock"),
    head_digest_5: hex(headDigest(table, 5, given.decision_head)),
    rotation_digest: hex(links.rotationDigest("https://play.example", NO_KEY, given.public_key, given.rotation_at)),
    record_digest: hex(links.recordDigest(given.record)),
    game_digest: hex(links.gameDigest(given.record)),
    pick_commit_words: links.spokenWords(given.pick_commit),
  };
  for (const [name, value] of Object.entries(made)) assert.deepEqual(value, given[name], name);
});

for (const [name, { links: all, heads, signature }] of Object.entries(vectors.chains)) {
  test(`the chain "${name}" has the heads of the vectors, and its last one is signed`, async () => {
    const chain = new Chain();
    assert.deepEqual(
      all.map((link) => chain.add(readLink(link))),
      heads,
    );
    const last = headDigest(chain.table, chain.number, chain.head);
    assert.equal(await isSigned(chain.key, last, fromBase64url(signature)), true);
    assert.equal(await isSigned(chain.key, headDigest(chain.table, 0, chain.head), fromBase64url(signature)), false);
  });
}

for (const { say, chain: name, after, link, alarm } of vectors.refused) {
  test(`refused: ${say}`, () => {
    const chain = chainOf(name, after);
    const before = structuredClone({ ...chain, clocks: null });
    assert.throws(
      () => chain.add(readLink(link)),
      (error) => error instanceof LinkRefused && error.alarm === alarm,
    );
    assert.deepEqual(structuredClone({ ...chain, clocks: null }), before);
  });
}

test("what is no link is not read", () => {
  for (const value of vectors.unreadable) assert.throws(() => readLink(value), UnreadableLink, JSON.stringify(value));
});

test("who is due follows from what is public", async () => {
  for (const { game, view, due: wanted } of vectors.due) {
    const { due } = await import(new URL(`../../../../src/facedown/games/${game}/web/due.js`, import.meta.url));
    assert.deepEqual(due({ ...view, waiting: null }, view.rules), wanted);
  }
});
