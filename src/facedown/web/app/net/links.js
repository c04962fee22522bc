// Links: the public events of a table on a server, and their bytes. Each is bound to all before it by a hash, the head.

import { digest, hex, u32, u64, unhex } from "./commitments.js";

/** A field of a link as in JSON. @typedef {any} LinkValue */
/** One public event: its kind, its time in milliseconds, and the fields that `KINDS` lists.
 * @typedef {{kind: string, at: number, fields: LinkValue[]}} Link */

const MOST_SEATS = 99;
const LONGEST_TEXT = 1000;
const DEEPEST = 8;
export const NO_HEAD = "00".repeat(32);
export const NO_KEY = NO_HEAD; // of a server that cannot sign

export class UnreadableLink extends Error {}

/** @param {unknown} value @param {number} most */
const isNumber = (value, most) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
/** @param {unknown} value */
const isSeat = (value) => isNumber(value, MOST_SEATS) && value !== 0;
/** @param {unknown} value */
const areSeats = (value) => Array.isArray(value) && value.every(isSeat) && new Set(value).size === value.length;
/** @param {unknown} value */
const areWaves = (value) =>
  Array.isArray(value) && value.every((wave) => areSeats(wave) && wave.length > 0) && areSeats(value.flat());
/** @param {unknown} value */
const isText = (value) => typeof value === "string" && [...value].length <= LONGEST_TEXT && value.isWellFormed();
/** @param {unknown} value */
const isHex = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
/** @param {unknown} value */
const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && hasNoFraction(value, 0);

/** Two languages need not write a fraction alike: no link holds one. @param {unknown} value @param {number} depth
 * @returns {boolean} */
function hasNoFraction(value, depth) {
  if (depth > DEEPEST || (typeof value === "number" && !Number.isSafeInteger(value))) return false;
  return (
    typeof value !== "object" || value === null || Object.values(value).every((each) => hasNoFraction(each, depth + 1))
  );
}

const encoder = new TextEncoder();

/** `J`: JSON with sorted names and no spaces. @param {unknown} value @returns {string} */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const whole = /** @type {Record<string, unknown>} */ (value);
  const parts = Object.keys(whole)
    .toSorted(byCodePoint)
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(whole[name])}`);
  return `{${parts.join(",")}}`;
}

/** @param {string} one @param {string} other */
function byCodePoint(one, other) {
  const [first, second] = [[...one], [...other]];
  for (const [place, letter] of first.entries()) {
    if (place >= second.length) return 1;
    const difference = (letter.codePointAt(0) ?? 0) - (second[place].codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return first.length - second.length;
}

/** How a field is checked, and which bytes of it are hashed.
 * @typedef {{fits: (value: unknown) => boolean, bytes: (value: LinkValue) => Uint8Array}} FieldType */

/** @param {unknown} value */
const jsonBytes = (value) => encoder.encode(canonicalJson(value));
/** @type {FieldType} */
const NUMBER = { fits: (value) => isNumber(value, 2 ** 32 - 1), bytes: u32 };
/** @type {FieldType} */
const SEAT = { fits: isSeat, bytes: u32 };
/** @type {FieldType} */
const MILLISECONDS = { fits: (value) => isNumber(value, 2 ** 53), bytes: (value) => u64(BigInt(value)) };
/** @type {FieldType} */
const TEXT = { fits: isText, bytes: (value) => encoder.encode(value) };
/** @type {FieldType} */
const BYTES = { fits: isHex, bytes: unhex };
/** @type {FieldType} */
const SEATS = { fits: areSeats, bytes: jsonBytes };
/** @type {FieldType} */
const WAVES = { fits: areWaves, bytes: jsonBytes };
/** @type {FieldType} */
const OBJECT = { fits: isObject, bytes: jsonBytes };

/** The fields of every kind of link, in the order in which they are hashed.
 * @type {Record<string, Record<string, FieldType>>} */
export const KINDS = {
  made: { id: TEXT, key: BYTES, setup: OBJECT, seed_commit: BYTES },
  sat: { seat: SEAT, commit: BYTES },
  freed: { seat: SEAT },
  filled: { seat: SEAT, machine: TEXT },
  dropped: { left: SEAT },
  full: {},
  opened: { seat: SEAT, entropy: BYTES },
  void: { unopened: SEATS },
  dealt: { due: WAVES },
  ready: { seat: SEAT },
  promised: { decision: NUMBER, seat: SEAT, machine: TEXT, commit: BYTES },
  sealed: { decision: NUMBER, seat: SEAT, placer: TEXT, commit: BYTES },
  shown: { decision: NUMBER, seat: SEAT },
  revealed: { decision: NUMBER, forfeited: SEATS, due: WAVES },
  resigned: { decision: NUMBER, seat: SEAT, due: WAVES },
  replaced: { decision: NUMBER, seat: SEAT, machine: TEXT },
  reclaimed: { decision: NUMBER, seat: SEAT },
  outage: { ms: MILLISECONDS },
  over: { result: OBJECT, seed: BYTES },
  closed: { say: TEXT },
};

/** A link from its JSON form; throws `UnreadableLink`. @param {unknown} value @returns {Link} */
export function readLink(value) {
  const [kind, at, ...fields] = Array.isArray(value) ? value : [];
  const types = typeof kind === "string" && Object.hasOwn(KINDS, kind) ? Object.entries(KINDS[kind]) : null;
  if (!types) throw new UnreadableLink("no link of a known kind");
  if (!MILLISECONDS.fits(at)) throw new UnreadableLink(`the time of a link of the kind ${kind}`);
  if (fields.length !== types.length) throw new UnreadableLink(`the fields of a link of the kind ${kind}`);
  for (const [place, [name, type]] of types.entries()) {
    if (!type.fits(fields[place])) throw new UnreadableLink(`the field ${name} of a link of the kind ${kind}`);
  }
  return { kind, at, fields };
}

/** A field by its name; undefined if links of this kind have none. @param {Link} link @param {string} name
 * @returns {LinkValue} */
export const fieldOf = (link, name) => link.fields[Object.keys(KINDS[link.kind]).indexOf(name)];

/** The JSON form. @param {Link} link */
export const plainLink = ({ kind, at, fields }) => [kind, at, ...fields];

/** `L(n)`: the head after a link, which binds it and every link before it. @param {string} before
 * @param {number} number the first link has the number 0 @param {Link} link */
export function headAfter(before, number, link) {
  const fields = Object.values(KINDS[link.kind]).map((type, place) => type.bytes(link.fields[place]));
  return hex(digest("facedown/2/link", unhex(before), u32(number), link.kind, u64(BigInt(link.at)), ...fields));
}

/** What a server signs of a head. @param {string} table @param {number} number @param {string} head */
export const headDigest = (table, number, head) => digest("facedown/2/head", table, u32(number), unhex(head));

/** What the old and the new key of a server both sign when it changes its key.
 * @param {string} origin @param {string} old @param {string} fresh @param {number} at */
export const rotationDigest = (origin, old, fresh, at) =>
  digest("facedown/2/rotate", origin, unhex(old), unhex(fresh), u64(BigInt(at)));

/** What a server signs of a record: all of it but the signature. @param {Record<string, any>} record */
export const recordDigest = ({ signed, ...rest }) => digest("facedown/2/record", canonicalJson(rest));

/** What a continued game names of its origin, and the log holds: a record without signatures, log and names.
 * @param {Record<string, any>} record */
export function gameDigest({ signed, seats, ...rest }) {
  const { sig, log, ...fair } = rest.fair ?? {};
  return digest("facedown/2/game", canonicalJson(rest.fair ? { ...rest, fair } : rest));
}

/** Six words to compare a head aloud: its first 96 bits as proquints (Wilkerson, 2009). @param {string} head */
export const spokenWords = (head) =>
  (head.slice(0, 24).match(/.{4}/g) ?? []).map((digits) => proquint(parseInt(digits, 16))).join(" ");

/** 16 bits as five letters: consonants of four bits, vowels of two. @param {number} bits */
const proquint = (bits) =>
  [12, 10, 6, 4, 0]
    .map((shift, place) => (place % 2 ? "aiou"[(bits >> shift) & 3] : "bdfghjklmnprstvz"[(bits >> shift) & 15]))
    .join("");

/** @type {Map<string, Promise<CryptoKey|null>>} null for what is no key */
const imported = new Map();

/** Whether the server's key signed this. Resolves to null in a browser without Ed25519, or without TLS.
 * @param {string} key @param {Uint8Array} message @param {Uint8Array} signature @returns {Promise<boolean|null>} */
export async function isSigned(key, message, signature) {
  if (!globalThis.crypto?.subtle) return null;
  if (!imported.has(key)) imported.set(key, importKey(key));
  try {
    const ready = await imported.get(key);
    const [signed, bytes] = [signature, message].map((each) => Uint8Array.from(each));
    return ready ? await crypto.subtle.verify("Ed25519", ready, signed, bytes) : false;
  } catch {
    return null;
  }
}

/** @param {string} key @returns {Promise<CryptoKey|null>} */
async function importKey(key) {
  try {
    return await crypto.subtle.importKey("raw", Uint8Array.from(unhex(key)), "Ed25519", false, ["verify"]);
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") throw error;
    return null;
  }
}

/** The bytes of base64url without padding; empty if it is no such text. @param {string} text */
export function fromBase64url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return new Uint8Array();
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
