// SHA-256 and HMAC. The browser's own where it offers them; a page that was not opened over https (a table on the
// home network) has none, and then the few lines below do the same.

const ROOM = 64;

/** The first 32 bits of the fractional parts of roots of the first primes: the constants of FIPS 180-4. */
function constants() {
  /** @param {number} x */
  const fraction = (x) => ((x - Math.floor(x)) * 0x100000000) | 0;
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return {
    start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
    rounds: primes.map((prime) => fraction(Math.cbrt(prime))),
  };
}

const { start, rounds } = constants();

/** @param {Uint8Array} bytes */
function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / ROOM) * ROOM;
  const whole = new Uint8Array(length);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return new DataView(whole.buffer);
}

/** @param {number} x @param {number} by */
const turned = (x, by) => (x >>> by) | (x << (32 - by));

/** @param {Uint8Array} bytes */
export function plainSha256(bytes) {
  const view = padded(bytes);
  const state = [...start];
  const w = new Int32Array(64);
  for (let at = 0; at < view.byteLength; at += ROOM) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const low = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const high = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    mix(state, w);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) out.setInt32(i * 4, word);
  return new Uint8Array(out.buffer);
}

/** One block into the state. @param {number[]} state @param {Int32Array} w */
function mix(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] + word) | 0;
}

/** @param {Uint8Array} key @param {Uint8Array} bytes */
export function plainHmac(key, bytes) {
  const block = new Uint8Array(ROOM);
  block.set(key.length > ROOM ? plainSha256(key) : key);
  const inner = plainSha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      bytes,
    ),
  );
  return plainSha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** @param {Uint8Array} first @param {Uint8Array} second */
function joined(first, second) {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export async function sha256(bytes) {
  if (!crypto.subtle) return plainSha256(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** @param {Uint8Array} key @param {Uint8Array<ArrayBuffer>} bytes */
export async function hmac(key, bytes) {
  if (!crypto.subtle) return plainHmac(key, bytes);
  const how = { name: "HMAC", hash: "SHA-256" };
  const ready = await crypto.subtle.importKey("raw", new Uint8Array(key), how, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", ready, bytes));
}
