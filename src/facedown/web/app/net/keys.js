// Keys of this server: the first one is kept, and changes only with a statement that the old and the new key sign.

import { forget, read, write } from "../storage.js";
import { fromBase64url, isSigned, NO_KEY, rotationDigest } from "./links.js";
import { place } from "./place.js";

/** @import { ServerKeys } from "./rest.js" */

const ADDRESS = "/.well-known/facedown.json";
const isKey = (/** @type {unknown} */ key) => typeof key === "string" && /^[0-9a-f]{64}$/.test(key);

/** The keys that the kept one vouches for, by statements of both keys of each change. Without a kept key it is the
 * published one; none if the published key is not among them.
 * @param {ServerKeys} published @param {string} pinned @returns {Promise<Set<string>>} */
export async function trustedKeys({ origin, key, changes = [] }, pinned) {
  const known = new Set([pinned || key]);
  let fresh = true;
  while (fresh) {
    fresh = false;
    for (const { old, new: next, at, by_old: byOld, by_new: byNew } of changes) {
      if (known.has(old) === known.has(next) || !isKey(old) || !isKey(next)) continue;
      const statement = rotationDigest(origin, old, next, at);
      const signed = [isSigned(old, statement, fromBase64url(byOld)), isSigned(next, statement, fromBase64url(byNew))];
      if (!(await Promise.all(signed)).every(Boolean)) continue;
      known.add(old).add(next);
      fresh = true;
    }
  }
  return known.has(key) ? known : new Set();
}

/** @type {Promise<Set<string>>|null} */
let met = null;
/** @type {ServerKeys|null} what this server says of its keys, if the kept one vouches for it */
let published = null;

/** How this server changed its key, for evidence. */
export const publishedKeys = () => published;

/** The keys that this server may sign with, asked for once by a page; empty if it has none, or does not answer. If its
 * key is not vouched for by the kept one, that one alone. @param {boolean} [again] it may have changed its key since */
export function serverKeys(again = false) {
  if (again) met = null;
  met ??= meet();
  return met;
}

async function meet() {
  const pinned = read("server_key", "");
  const kept = new Set(pinned ? [pinned] : []);
  if (place.value === "device") return kept;
  try {
    const said = await (await fetch(ADDRESS)).json();
    if (!isKey(said.key) || (said.key === NO_KEY && !pinned)) return kept;
    const found = await trustedKeys(said, pinned);
    if (!found.has(said.key)) return kept;
    write("server_key", said.key);
    published = said;
    return found;
  } catch {
    met = null; // asked again at the next table
    return kept;
  }
}

/** Storage name of the newest checkpoint of this server's public log that this browser has seen. */
export const KEPT_LOG = "server_log";

/** Keeps another key by hand, and forgets the log: the operator has lost the old one. @param {string} key */
export function acceptKey(key) {
  write("server_key", key);
  forget(KEPT_LOG);
  met = null;
}
