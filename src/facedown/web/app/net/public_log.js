// The server's public log, checked in this browser: what it proves is in it, and it only grows. Hashes of RFC 6962,
// checks of RFC 9162, texts of C2SP, as in `facedown.core.merkle` and `facedown.proof.log`. Loaded beside play.

import { sha256 } from "@noble/hashes/sha2.js";
import { read, write } from "../storage.js";
import { digest, frameParts, hex, unhex } from "./commitments.js";
import { KEPT_LOG, serverKeys } from "./keys.js";
import { isSigned } from "./links.js";

/** The size and the root of a log at one time, and the lines that sign it.
 * @typedef {{origin: string, size: number, root: string, body: string,
 *   signatures: {name: string, id: string, signature: Uint8Array}[]}} Checkpoint */
/** @typedef {{index: number, path: string[], note: string}} LogProof */
/** A checkpoint as evidence; `path`: the hashes that were to prove that it continues the one before.
 * @typedef {{checkpoint: string, path?: string[]}} CheckpointStatement */

const PROOF = "c2sp.org/tlog-proof@v1";
const SIGNED = 1;
const COSIGNED = 4;
const PATIENCE = 10_000;
const text = new TextEncoder();
const EMPTY_ROOT = hex(sha256(new Uint8Array()));

/** The log does not hold what it must, with the checkpoints that show it. */
export class BrokenLog extends Error {
  /** @param {string} why @param {string[]} [notes] @param {string[]} [path] */
  constructor(why, notes = [], path = []) {
    super(why);
    /** @type {CheckpointStatement[]} */
    this.statements = notes.map((checkpoint, place) =>
      place === notes.length - 1 && path.length > 0 ? { checkpoint, path } : { checkpoint },
    );
  }
}

// --- the tree -------------------------------------------------------------------------------------------

/** @param {string[]} parts in hexadecimal */
const hashOf = (...parts) => hex(sha256(unhex(parts.join(""))));
/** @param {string} left @param {string} right */
const nodeHash = (left, right) => hashOf("01", left, right);
/** @param {number} number */
const half = (number) => Math.floor(number / 2);

/** The hash of the entry of a table. @param {string} kind @param {string} table @param {string} head */
export const leafOf = (kind, table, head) =>
  hashOf("00", hex(frameParts(["facedown/2/leaf", kind, digest("facedown/2/table", table), unhex(head)])));

/** Goes up a tree from the place of a leaf: `beside` is left or right of what was reached. Returns whether the path
 * ends at the root. @param {number} at @param {number} last @param {string[]} path
 * @param {(beside: string, isLeft: boolean) => void} climb */
function goesUp(at, last, path, climb) {
  for (const beside of path) {
    if (last === 0) return false;
    const isLeft = at % 2 === 1 || at === last;
    climb(beside, isLeft);
    while (isLeft && at % 2 === 0 && at > 0) [at, last] = [half(at), half(last)];
    [at, last] = [half(at), half(last)];
  }
  return last === 0;
}

/** Whether the path leads from the hash of a leaf to the root of a tree (RFC 9162, 2.1.3.2).
 * @param {string} leaf @param {number} index @param {number} size @param {string[]} path @param {string} root */
function isIncluded(leaf, index, size, path, root) {
  let found = leaf;
  const ends = goesUp(index, size - 1, path, (beside, isLeft) => {
    found = isLeft ? nodeHash(beside, found) : nodeHash(found, beside);
  });
  return index < size && ends && found === root;
}

/** Whether a tree begins with all leaves of an older one (RFC 9162, 2.1.4.2). @param {Checkpoint} old
 * @param {Checkpoint} fresh @param {string[]} path */
export function isContinued(old, fresh, path) {
  if (old.origin !== fresh.origin || old.size > fresh.size) return false;
  if (old.size === fresh.size) return path.length === 0 && old.root === fresh.root;
  if (old.size === 0) return path.length === 0 && old.root === EMPTY_ROOT;
  if (path.length === 0) return false;
  let [at, last] = [old.size - 1, fresh.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  const [first, ...rest] = at === 0 ? [old.root, ...path] : path; // the older tree is one full subtree
  let [before, after] = [first, first];
  const ends = goesUp(at, last, rest, (beside, isLeft) => {
    if (isLeft) before = nodeHash(beside, before);
    after = isLeft ? nodeHash(beside, after) : nodeHash(after, beside);
  });
  return ends && before === old.root && after === fresh.root;
}

// --- the texts ------------------------------------------------------------------------------------------

/** @param {string} base64 @param {number} [length] */
function bytesOf(base64, length = 0) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 > 0) throw new BrokenLog("no base64");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const isPlain = btoa(String.fromCharCode(...bytes)) === base64;
  if (!isPlain || (length > 0 && bytes.length !== length)) throw new BrokenLog("no base64");
  return bytes;
}

/** @param {string} digits */
function numberOf(digits) {
  if (!/^(0|[1-9]\d{0,15})$/.test(digits) || !Number.isSafeInteger(Number(digits))) throw new BrokenLog("no number");
  return Number(digits);
}

/** Throws if it is no checkpoint. @param {string} note @returns {Checkpoint} */
export function readCheckpoint(note) {
  const end = note.lastIndexOf("\n\n") + 1;
  const [body, lines] = [note.slice(0, end), note.slice(end + 1).split("\n")];
  const [origin, size, root, ...more] = body.split("\n");
  if (end === 0 || lines.pop() !== "" || lines.length === 0 || more.join() !== "" || !/^[^\s+]+$/.test(origin))
    throw new BrokenLog("no checkpoint");
  const signatures = lines.map((line) => {
    const [dash, name, signed, ...rest] = line.split(" ");
    if (dash !== "—" || rest.length > 0 || !signed) throw new BrokenLog("no signature");
    const bytes = bytesOf(signed);
    return { name, id: hex(bytes.slice(0, 4)), signature: bytes.slice(4) };
  });
  return { origin, size: numberOf(size), root: hex(bytesOf(root, 32)), body, signatures };
}

/** Throws if it is no proof. @param {string} proof @returns {LogProof} */
export function readProof(proof) {
  const end = proof.indexOf("\n\n");
  const [first, ...lines] = proof.slice(0, Math.max(0, end)).split("\n");
  if (lines[0]?.startsWith("extra ")) lines.shift();
  const index = /^index (\d+)$/.exec(lines.shift() ?? "");
  if (first !== PROOF || !index) throw new BrokenLog("no proof");
  return {
    index: numberOf(index[1]),
    path: lines.map((line) => hex(bytesOf(line, 32))),
    note: proof.slice(end + 2),
  };
}

/** The one of these keys that signed a checkpoint; empty if another did, null if this browser cannot check. Throws if a
 * signature that names one of them is not by it. @param {Checkpoint} checkpoint @param {Iterable<string>} keys
 * @returns {Promise<string|null>} */
export async function signerOf({ origin, body, signatures }, keys) {
  for (const key of keys) {
    const id = hex(sha256(Uint8Array.from([...text.encode(`${origin}\n`), SIGNED, ...unhex(key)]))).slice(0, 8);
    const mine = signatures.filter((each) => each.name === origin && each.id === id);
    if (mine.length === 0) continue;
    const found = await Promise.all(mine.map(({ signature }) => isSigned(key, text.encode(body), signature)));
    if (found.includes(true)) return key;
    if (found.includes(null)) return null;
    throw new BrokenLog("a checkpoint is not signed by the key that it names");
  }
  return "";
}

/** The names of the witnesses of these keys (`name+id+key`) that cosigned a checkpoint. @param {Checkpoint} checkpoint
 * @param {readonly string[]} keys @returns {Promise<string[]>} */
export async function cosignersOf({ body, signatures }, keys) {
  const found = [];
  for (const key of keys) {
    const [, witness = "", keyId, encoded = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+(.{44})$/.exec(key) ?? [];
    const [kind, ...bytes] = encoded ? bytesOf(encoded, 33) : [];
    const mine = signatures.filter(
      ({ name, id, signature }) => [name, id, signature.length].join() === [witness, keyId, 72].join(),
    );
    if (kind !== COSIGNED || mine.length === 0) continue;
    const signed = mine.map(({ signature }) => {
      const at = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
      const said = text.encode(`cosignature/v1\ntime ${at}\n${body}`);
      return isSigned(hex(Uint8Array.from(bytes)), said, signature.slice(8));
    });
    if ((await Promise.all(signed)).includes(true)) found.push(witness);
  }
  return found;
}

/** The checkpoint with which the log proves an entry; throws if it does not. @param {string} proof
 * @param {string} leaf */
export function checkpointOf(proof, leaf) {
  const { index, path, note } = readProof(proof);
  const checkpoint = readCheckpoint(note);
  if (!isIncluded(leaf, index, checkpoint.size, path, checkpoint.root)) throw new BrokenLog("a proof does not hold");
  return { note, checkpoint };
}

// --- the server's log -----------------------------------------------------------------------------------

/** @param {string} path */
async function request(path) {
  const response = await fetch(`/api/v1/log/${path}`, { signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw Object.assign(new Error(path), { code: (await response.json()).code });
  return response;
}

/** Compares a checkpoint with the newest one that this browser has seen, and keeps the newer; throws `BrokenLog`, or
 * another error if the server does not answer. @param {string} note */
async function follow(note) {
  const kept = read(KEPT_LOG, "");
  await checkSigned(note);
  if (kept) await compare(kept, note);
  if (!kept || readCheckpoint(kept).size < readCheckpoint(note).size) write(KEPT_LOG, note);
}

/** @param {string} note */
async function checkSigned(note) {
  try {
    for (const again of [false, true]) {
      const keys = await serverKeys(again);
      if (keys.size === 0) throw new Error("the server does not answer");
      if ((await signerOf(readCheckpoint(note), keys)) !== "") return;
    }
  } catch (error) {
    if (!(error instanceof BrokenLog)) throw error;
  }
  throw new BrokenLog("a checkpoint is not signed with a known key of the server", [note]);
}

/** Throws `BrokenLog` unless the newer of two checkpoints continues the older one.
 * @param {string} one @param {string} other */
async function compare(one, other) {
  const notes = [one, other].toSorted((a, b) => readCheckpoint(a).size - readCheckpoint(b).size);
  const [old, fresh] = notes.map(readCheckpoint);
  const isPart = old.origin === fresh.origin && old.size > 0 && old.size < fresh.size;
  const path = isPart ? await consistencyPath(old.size, fresh.size, notes) : [];
  if (!isContinued(old, fresh, path))
    throw new BrokenLog("the log does not continue the one that was shown before", notes, path);
}

/** @param {number} old @param {number} fresh @param {string[]} notes @returns {Promise<string[]>} */
async function consistencyPath(old, fresh, notes) {
  try {
    const { path } = await (await request(`consistency?old=${old}&new=${fresh}`)).json();
    return path.map(String);
  } catch (problem) {
    if (/** @type {any} */ (problem).code !== "unknown_entry") throw problem;
    throw new BrokenLog("the log has fewer entries than the server has signed", notes);
  }
}

/** @param {string} leaf @returns {Promise<string>} */
async function askForProof(leaf) {
  const { proof } = await (await request(`proof?leaf=${leaf}`)).json();
  if (proof === "") throw new Error("the log does not have the entry yet");
  return proof;
}

/** @type {Map<string, Promise<void>>} by leaf: seats of one screen ask once */
const proofs = new Map();

/** Asks for the proof of an entry, in a checkpoint that continues the last one; throws as `follow` does. The log has an
 * entry about a second after it happened. @param {string} leaf */
export function prove(leaf) {
  const proof = proofs.get(leaf) ?? askForProof(leaf).then((text) => follow(noteOf(text, leaf)));
  proofs.set(leaf, proof);
  proof.catch(() => proofs.delete(leaf));
  return proof;
}

/** @param {unknown} proof @param {string} leaf */
function noteOf(proof, leaf) {
  try {
    return checkpointOf(String(proof), leaf).note;
  } catch {
    throw new BrokenLog("a proof of the log is false");
  }
}

/** The server's newest checkpoint, which continues this one and the last one seen; throws as `follow` does.
 * @param {string} note @returns {Promise<Checkpoint>} */
export async function newestCheckpoint(note) {
  const newest = await (await request("checkpoint")).text();
  await follow(newest);
  await compare(note, newest);
  return readCheckpoint(newest);
}
