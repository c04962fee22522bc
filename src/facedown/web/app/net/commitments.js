// Commitments and the random stream, byte by byte as `vectors/fairness.json` fixes them: framed parts, SHA-256, HMAC.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

const text = new TextEncoder();
const WORDS = 1n << 64n;

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} digits */
export function unhex(digits) {
  if (!/^([0-9a-f]{2})*$/.test(digits)) throw new TypeError("not lower-case hex digits");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export const random32 = () => crypto.getRandomValues(new Uint8Array(32));

/** @param {number} number */
export function u32(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** @param {bigint} number */
export function u64(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}

/** Every part preceded by its length. @param {(string|Uint8Array)[]} parts */
export function frameParts(parts) {
  const whole = parts.flatMap((part) => {
    const bytes = typeof part === "string" ? text.encode(part) : part;
    return [u32(bytes.length), bytes];
  });
  const bytes = new Uint8Array(whole.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of whole) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}

/** `H(tag, p…)` @param {string} tag @param {...(string|Uint8Array)} parts */
export const digest = (tag, ...parts) => sha256(frameParts([tag, ...parts]));

/** `M(key, tag, p…)` @param {Uint8Array} key @param {string} tag @param {...(string|Uint8Array)} parts */
export const keyedHash = (key, tag, ...parts) => hmac(sha256, key, frameParts([tag, ...parts]));

/** @param {string} game @param {Uint8Array} seed */
export const seedCommitment = (game, seed) => digest("facedown/2/seed", game, seed);

/** @param {string} game @param {number} seat @param {Uint8Array} entropy */
export const entropyCommitment = (game, seat, entropy) => digest("facedown/2/entropy", game, u32(seat), entropy);

/** The seal of a pick, made on the head of the link that opened its decision.
 * @param {string} game @param {number} decision @param {number} seat @param {Uint8Array} head @param {string} pick
 * @param {Uint8Array} nonce */
export const pickCommitment = (game, decision, seat, head, pick, nonce) =>
  digest("facedown/2/pick", game, u32(decision), u32(seat), head, pick, nonce);

/** The key of a deal: the seed, bound to the head of the link `full` and to every person's number.
 * @param {Uint8Array} seed @param {string} game @param {Uint8Array} full @param {Uint8Array[]} entropy */
export const tableKey = (seed, game, full, entropy) => keyedHash(seed, "facedown/2/deal", game, full, ...entropy);

/** The nonce of a seal that the server places. @param {Uint8Array} key @param {string} by machine or clock
 * @param {number} decision @param {number} seat */
export const tableNonce = (key, by, decision, seat) => keyedHash(key, "facedown/2/nonce", by, u32(decision), u32(seat));

/** Endless random words from a key and a label. */
export class Stream {
  /** @param {Uint8Array} key @param {string} label */
  constructor(key, label) {
    this.key = key;
    this.label = label;
    this.block = 0n;
    /** @type {bigint[]} */
    this.words = [];
  }

  word() {
    if (this.words.length === 0) {
      const block = keyedHash(this.key, "facedown/1/stream", this.label, u64(this.block++));
      const view = new DataView(block.buffer);
      this.words = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
    }
    return /** @type {bigint} */ (this.words.shift());
  }

  /** A number from 0 to count - 1; words that would bias the result are rejected. @param {number|bigint} count */
  below(count) {
    const wide = BigInt(count);
    let word = this.word();
    while (word >= WORDS - (WORDS % wide)) word = this.word();
    return word % wide;
  }
}
