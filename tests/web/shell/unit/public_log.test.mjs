import "./resolve.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, test } from "node:test";

const log = await import("/app/net/public_log.js");
const { acceptKey } = await import("/app/net/keys.js");
const vectors = JSON.parse(readFileSync(new URL("../../../vectors/log.json", import.meta.url), "utf8"));
const leaf = (entry) => log.leafOf("table", `T${entry}`, entry.toString(16).padStart(2, "0").repeat(32));

async function isProven(proof, entry) {
  try {
    const { checkpoint } = log.checkpointOf(proof, leaf(entry));
    return (await log.signerOf(checkpoint, [vectors.key])) === vectors.key;
  } catch (error) {
    assert.ok(error instanceof log.BrokenLog, String(error));
    return false;
  }
}

test("proofs of entries hold, or do not, as in the vectors", async () => {
  for (const { entry, proof, holds } of vectors.proofs) assert.equal(await isProven(proof, entry), holds, proof);
});

test("logs continue others, or do not, as in the vectors", () => {
  for (const { old, new: fresh, path, holds } of vectors.continued)
    assert.equal(log.isContinued(log.readCheckpoint(old), log.readCheckpoint(fresh), path), holds);
});

test("cosignatures of a witness hold, or do not, as in the vectors", async () => {
  for (const { note, holds } of vectors.cosigned) {
    const keys = ["nonsense", "", vectors.witness];
    const expected = holds ? [vectors.witness.split("+")[0]] : [];
    assert.deepEqual(await log.cosignersOf(log.readCheckpoint(note), keys), expected, note);
  }
});

// --- a server that lies -----------------------------------------------------------------------------------

const proofOf = (entry, size) =>
  vectors.proofs.find((each) => each.holds && each.entry === entry && each.proof.includes(`\n${size}\n`)).proof;
const pathOf = (old, size) =>
  vectors.continued.find((each) => each.old.includes(`\n${old}\n`) && each.new.includes(`\n${size}\n`)).path;
const forks = vectors.continued.slice(-4);

/** Answers the page's requests: the key, a proof of entry 4, the newest checkpoint, and paths. */
function serve({ proof = proofOf(4, 13), paths = pathOf, checkpoint = "", key = vectors.key }) {
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(String(address));
    const { pathname, searchParams } = new URL(address, "http://page");
    const answers = {
      "/.well-known/facedown.json": () => ({ origin: "", key, changes: [] }),
      "/api/v1/log/proof": () => ({ proof }),
      "/api/v1/log/checkpoint": () => checkpoint,
      "/api/v1/log/consistency": () => ({ path: paths(searchParams.get("old"), searchParams.get("new")) }),
    };
    const body = answers[pathname]();
    if (body.path === null) return new Response(JSON.stringify({ code: "unknown_entry" }), { status: 404 });
    return new Response(typeof body === "string" ? body : JSON.stringify(body));
  };
  acceptKey(vectors.key); // also forgets the log
  return asked;
}

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

test("an honest log is followed from proof to proof, each asked for once", async () => {
  const asked = serve({ proof: proofOf(4, 5) });
  await Promise.all([log.prove(leaf(4)), log.prove(leaf(4))]);
  serve({ proof: proofOf(7, 8), checkpoint: vectors.continued.find((each) => each.new.includes("\n13\n")).new });
  await log.prove(leaf(7));
  assert.equal((await log.newestCheckpoint(log.readProof(proofOf(4, 5)).note)).size, 13);
  assert.equal(asked.filter((each) => each.includes("/log/proof")).length, 1);
});

const breaks = async (work) => {
  const error = await work.then(
    () => null,
    (reason) => reason,
  );
  assert.ok(error instanceof log.BrokenLog, String(error));
  return error.statements;
};

test("a false proof, another key and a log that lost entries are found", async () => {
  serve({ proof: proofOf(3, 5) });
  assert.deepEqual(await breaks(log.prove(leaf(2))), []);
  serve({ proof: proofOf(1, 8), key: "ab".repeat(32) });
  acceptKey("ab".repeat(32));
  assert.equal((await breaks(log.prove(leaf(1)))).length, 1);
  serve({ proof: proofOf(6, 8), checkpoint: vectors.continued[0].new, paths: () => null });
  await log.prove(leaf(6));
  const statements = await breaks(log.newestCheckpoint(log.readProof(proofOf(6, 8)).note));
  assert.deepEqual(
    statements.map(({ checkpoint }) => log.readCheckpoint(checkpoint).size),
    [1, 8],
  );
});

for (const { old, new: fresh, path, holds } of forks) {
  const [from, to] = [old, fresh].map((note) => log.readCheckpoint(note).size);
  test(`two histories of a log are ${holds ? "one up to" : "found after"} ${from} of ${to} entries`, async () => {
    serve({ checkpoint: fresh, paths: () => path });
    const work = log.newestCheckpoint(old);
    if (holds) return assert.equal((await work).size, to);
    const statements = await breaks(work);
    assert.deepEqual(statements, [{ checkpoint: old }, { checkpoint: fresh, ...(path.length > 0 ? { path } : {}) }]);
  });
}
