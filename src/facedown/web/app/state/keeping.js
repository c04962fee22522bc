// Keeping what play without a network needs: Python for the browser and our own code for it, fetched once. Never
// unasked over a connection that is paid for or slow.

import { signal } from "../html.js";
import { COMPILED, keptFiles, offeredFiles, RUN } from "../net/place.js";
import { isSite, root } from "../router.js";

/** @import { Signal } from "@preact/signals" */
/** @import { RunFiles } from "../net/place.js" */

/** What is kept here. `none`: neither kept nor offered; `part`: how much has been fetched, from 0 to 1.
 * @typedef {{state: "unknown"|"none"|"offered"|"fetching"|"kept", bytes: number, part: number}} Keeping */

/** @type {Signal<Keeping>} */
export const keeping = signal({ state: "unknown", bytes: 0, part: 0 });

/** Looks what is kept, and else what is offered. */
export async function lookWhatIsKept() {
  if (keeping.value.state === "fetching") return;
  const kept = await keptFiles();
  const files = kept ?? (globalThis.caches && navigator.serviceWorker ? await offeredFiles() : null);
  const state = kept ? "kept" : files ? "offered" : "none";
  keeping.value = { state, bytes: files?.bytes ?? 0, part: 0 };
}

/** Fetches all that is needed and not yet here; the list itself comes last, and says that the rest is whole. */
export async function keepAll() {
  const files = await offeredFiles();
  if (!files) return lookWhatIsKept();
  keeping.value = { state: "fetching", bytes: files.bytes, part: 0 };
  try {
    await fetchAll(files);
    await navigator.storage?.persist?.();
  } finally {
    keeping.value = { ...keeping.value, state: "unknown" };
    await lookWhatIsKept();
  }
}

/** @param {RunFiles} files */
async function fetchAll(files) {
  const cache = await caches.open(RUN);
  const wanted = files.files.map(address);
  for (const [place, each] of wanted.entries()) {
    if (!(await cache.match(each))) await cache.add(each);
    keeping.value = { ...keeping.value, part: (place + 1) / wanted.length };
  }
  await cache.put(address("run/files.json"), new Response(JSON.stringify(files)));
  const still = new Set([...wanted, address("run/files.json")]);
  for (const { url } of await cache.keys()) if (!still.has(url)) await cache.delete(url);
}

/** @param {string} path */
const address = (path) => new URL(path, root()).href;

/** Nothing of it is kept any more; games that were played on this device stay. */
export async function forgetKept() {
  await Promise.all([caches.delete(RUN), caches.delete(COMPILED)]);
  await lookWhatIsKept();
}

/** In the background: where the page is installed, or was asked to keep it before, it has what it needs, in its
 * newest edition. */
export async function keepUnasked() {
  const installed = matchMedia("(display-mode: standalone)").matches;
  const kept = await keptFiles();
  if ((!installed && !kept) || isSite || isPaidFor()) return;
  const files = await offeredFiles();
  if (files && files.code !== kept?.code) await keepAll();
}

function isPaidFor() {
  const { saveData = false, type = "", effectiveType = "" } = /** @type {any} */ (navigator).connection ?? {};
  return saveData || type === "cellular" || /2g|3g/.test(effectiveType);
}
