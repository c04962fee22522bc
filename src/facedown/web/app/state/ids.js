// Ids of commands: ULIDs, so that they sort by time and never meet.

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** @param {number} [now] */
export function ulid(now = Date.now()) {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = LETTERS[rest % 32] + time;
  const chance = crypto.getRandomValues(new Uint8Array(16));
  return time + Array.from(chance, (byte) => LETTERS[byte % 32]).join("");
}
