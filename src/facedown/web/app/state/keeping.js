// Keeping the page on this device: installing it as an app, and storing what offline play needs (Python for the browser
// and our own code for it, fetched once). Never unasked over a metered or slow connection.

import { signal } from "../html.js";
import { COMPILED, getReady, keptFiles, offeredFiles, RUN } from "../net/place.js";
import { registerWorker } from "../net/workers.js";
import { isSite, root } from "../router.js";

/** @import { Signal } from "@preact/signals" */

/** State of the storage. `none`: neither kept nor offered; `part`: how much has been fetched, from 0 to 1.
 * @typedef {{state: "unknown"|"none"|"offered"|"fetching"|"kept", bytes: number, part: number}} Keeping */

/** @type {Signal<Keeping>} */
export const keeping = signal({ state: "unknown", bytes: 0, part: 0 });

/** Checks what is kept, or else offered. */
export async function checkKept() {
  if (keeping.value.state === "fetching") return;
  const active = (await navigator.serviceWorker?.getRegistration())?.active;
  const kept = active ? await keptFiles() : null;
  const files = kept ?? (globalThis.caches && navigator.serviceWorker ? await offeredFiles() : null);
  const state = kept ? "kept" : files ? "offered" : "none";
  keeping.value = { state, bytes: files?.bytes ?? 0, part: 0 };
}

/** Lets the service worker keep this edition of the shell, with everything that this page has loaded; resolved once it
 * is active and answers this page. */
export async function keepShell() {
  const active = await registerWorker(`${root()}sw.js`);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage({ keep: loaded.filter((each) => each.startsWith(`${root()}v/`)) });
}

/** Fetches everything that is missing. */
export async function keepAll() {
  const [files, { fetchAll }] = await Promise.all([offeredFiles(), import("../net/local_server.js")]);
  if (!files) return checkKept();
  keeping.value = { state: "fetching", bytes: files.bytes, part: 0 };
  try {
    await keepShell(); // without it, nothing opens offline
    await fetchAll(files, (part) => (keeping.value = { ...keeping.value, part }));
    await navigator.storage?.persist?.();
  } finally {
    keeping.value = { ...keeping.value, state: "unknown" };
    await checkKept();
  }
}

/** On a site: starts Python before anyone asks for a table. */
export async function prepareToPlay() {
  if (isSite && ((await keptFiles()) || !isMetered())) await getReady();
}

/** Deletes what is kept; games that were played on this device stay. */
export async function forgetKept() {
  await Promise.all([caches.delete(RUN), caches.delete(COMPILED)]);
  await checkKept();
}

/** Updates what is kept, in the background, if the page is installed or the user has stored it before. */
export async function updateKept() {
  const installed = matchMedia("(display-mode: standalone)").matches;
  const kept = await keptFiles();
  if ((!installed && !kept) || isSite || isMetered()) return;
  const files = await offeredFiles();
  if (files && files.code !== kept?.code) await keepAll();
}

function isMetered() {
  const { saveData = false, type = "", effectiveType = "" } = /** @type {any} */ (navigator).connection ?? {};
  return saveData || type === "cellular" || /2g|3g/.test(effectiveType);
}

// --- an app with a window of its own ----------------------------------------------------------------------

/** The browser's offer, kept for our own button; null while there is none.
 * @type {Signal<{prompt: () => Promise<unknown>}|null>} */
export const installOffer = signal(null);

/** Whether this is Safari on iOS, which offers nothing: its user installs the page by the menu *Share*. */
export function isInstalledByShare() {
  const { standalone, maxTouchPoints, userAgent } = /** @type {Navigator & {standalone?: boolean}} */ (navigator);
  return standalone === false && maxTouchPoints > 0 && !/CriOS|FxiOS|EdgiOS/.test(userAgent);
}

export function listenForInstallOffer() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // the browser's own banner would lie over the page
    installOffer.value = /** @type {any} */ (event);
  });
  addEventListener("appinstalled", () => (installOffer.value = null));
}

/** Lets the browser ask; an offer can be used once. */
export function install() {
  installOffer.value?.prompt();
  installOffer.value = null;
}
