// Where requests and sockets go: to the server, or, without a network and on a static site, to the same server inside
// this page. The one seam between the two; nothing above it knows which one answers.

import { signal } from "../html.js";
import { isSite, root } from "../router.js";

/** @import { Signal } from "@preact/signals" */
/** @import { LocalServer } from "./local_server.js" */

const LOCAL = "LOCAL"; // prefix of the ids of tables on this device; no server id has an L
/** The list of the files that a page without a server needs. */
export const FILES = "run/files.json";
const PROBE = 20_000;
const FETCHED = 0.6; // how far the start is when everything has been fetched

/** The cache of everything that a page without a server needs. */
export const RUN = "facedown-run";

/** The cache of its archives together with their compiled bytecode. */
export const COMPILED = "facedown-compiled";

/** The names and sizes of those files: of the worker, its folder of Python and our code for it.
 * @typedef {{worker: string, pyodide: string, code: string, answers: Record<string, string>, files: string[],
 *   bytes: number, unpacked: number, pause: number}} RunFiles `bytes`: how many travel, `unpacked`: how many they are
 *   then; `pause`: how long a machine takes at most, in ms */

/** @type {Signal<"server"|"device">} */
export const place = signal(isSite ? "device" : "server");

/** Progress of starting the server in this page, from 0 to 1, while a request waits for it.
 * @type {Signal<number|null>} */
export const starting = signal(null);

/** Why the last start of the server in this page failed; null once it has started. @type {Signal<any>} */
export const startError = signal(null);

/** Whether this browser stores no copies, so that games last only as long as their page. */
export const unkept = signal(false);

/** @param {string} table */
export const isLocal = (table) => isSite || table.startsWith(LOCAL);

/** The place that a request is for: a table stays where it was created. @param {string} path */
function placeOf(path) {
  const [, table] = /^\/tables\/([^/?]+)/.exec(path) ?? [];
  if (table === undefined) return place.value;
  return isLocal(table) ? "device" : "server";
}

/** Sends a request to where it belongs. Without a network, this device answers if it can.
 * @param {string} path
 * @param {{method: string, headers: Record<string, string>, body?: string, signal?: AbortSignal}} request
 * @returns {Promise<Response>} */
export async function reach(path, request) {
  if (placeOf(path) === "device") return reachDevice(path, request);
  try {
    return await fetch(`/api/v1${path}`, request);
  } catch (error) {
    if (request.signal?.aborted || path.startsWith("/tables/") || !(await keptFiles())) throw error;
    leaveServer();
    return reachDevice(path, request);
  }
}

/** Opens a socket to where the table is. @param {string} address @param {string} protocol @param {string} table
 * @returns {WebSocket} */
export function openSocket(address, protocol, table) {
  if (!isLocal(table)) return new WebSocket(address, protocol);
  return /** @type {any} */ (new DeferredSocket());
}

// --- this device ----------------------------------------------------------------------------------------

/** @type {Promise<LocalServer>|null} */
let local = null;

/** @param {string} path @param {{method: string, headers: Record<string, string>, body?: string}} request */
async function reachDevice(path, request) {
  const known = request.method === "GET" ? await knownAnswer(path, request.headers["Accept-Language"]) : null;
  return known ?? (await localServer()).request(path, request);
}

/** The server in this page, for a request. @returns {Promise<LocalServer>} */
export function localServer() {
  const server = getReady();
  if (!isWanted) {
    isWanted = true;
    starting.value = part;
    server.catch((error) => (startError.value = error)).finally(() => (starting.value = null));
    want();
  }
  return server;
}

/** Starts the server in this page before there is a request. @returns {Promise<LocalServer>} */
export function getReady() {
  local ??= startLocal();
  local.catch(() => {
    local = null;
    isWanted = false;
  });
  return local;
}

/** Aborts the start that a request is waiting for. @type {AbortController|null} */
let waiting = null;
/** How far the start is, and whether a request waits for it. */
let part = 0;
let isWanted = false;
let want = () => {};

async function startLocal() {
  waiting = new AbortController();
  const givenUp = waiting.signal;
  /** @type {Promise<void>} */
  const wanted = new Promise((done) => {
    want = done;
  });
  let begun = 0;
  const progress = (/** @type {number} */ next) => {
    part = begun + next * (1 - begun);
    if (isWanted) starting.value = part;
  };
  progress(0);
  const [{ fetchAll, startServer }, files] = await Promise.all([import("./local_server.js"), runFiles()]);
  if (isSite && globalThis.caches && !(await keptFiles())) {
    await fetchAll(files, (fetched) => progress(FETCHED * fetched)); // played once: playable without a network
    begun = FETCHED;
  }
  const started = await startServer(files, progress, givenUp, wanted);
  unkept.value = started.unkept;
  started.onUnkept = () => (unkept.value = true);
  started.onDead = () => {
    local = null;
    isWanted = false;
  };
  startError.value = null;
  return started;
}

/** Aborts the start. */
export function stopStarting() {
  waiting?.abort();
}

/** @type {Promise<RunFiles>|null} */
let asked = null;

/** @returns {Promise<RunFiles>} */
function runFiles() {
  asked ??= (async () => {
    const found = (await keptFiles()) ?? (await offeredFiles());
    if (!found) throw Object.assign(new Error("nothing is kept"), { code: "here_unkept" });
    return found;
  })();
  asked.catch(() => (asked = null));
  return asked;
}

/** The files stored in this browser, or null. @returns {Promise<RunFiles|null>} */
export async function keptFiles() {
  const kept = await globalThis.caches?.match(new URL(FILES, root()).href, { cacheName: RUN });
  return kept ? kept.json() : null;
}

/** The files that the server offers for storing, or null. @returns {Promise<RunFiles|null>} */
export async function offeredFiles() {
  const response = await fetch(new URL(FILES, root()), { cache: "no-cache" }).catch(() => null);
  return response?.status === 200 ? response.json() : null; // 204: a server that has nothing
}

/** Answers that are the same for everyone need no server: the games and their rules.
 * @param {string} path @param {string} language @returns {Promise<Response|null>} */
async function knownAnswer(path, language) {
  if (!path.startsWith("/games")) return null;
  const { answers } = await runFiles();
  known[language] ??= fetch(new URL(answers[language] ?? answers.en, root())).then((each) => each.json());
  const answer = (await known[language])[path];
  return answer === undefined ? null : new Response(JSON.stringify(answer));
}

/** @type {Record<string, Promise<Record<string, any>>>} */
const known = {};

/** A socket to the server in this page, usable before that has started. */
class DeferredSocket {
  constructor() {
    this.readyState = 0;
    /** @type {ReturnType<LocalServer["connect"]>|null} */
    this.real = null;
    /** @type {(() => void)|null} */
    this.onopen = null;
    /** @type {((event: {data: string}) => void)|null} */
    this.onmessage = null;
    /** @type {(() => void)|null} */
    this.onclose = null;
    localServer().then(
      (server) => this.connect(server),
      () => this.lose(),
    );
  }

  /** @param {LocalServer} server */
  connect(server) {
    if (this.readyState === 3) return;
    this.real = server.connect({
      onText: (/** @type {string} */ data) => this.onmessage?.({ data }),
      onClose: () => this.lose(),
    });
    this.readyState = 1;
    this.onopen?.();
  }

  lose() {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }

  /** @param {string} text */
  send(text) {
    this.real?.send(text);
  }

  close() {
    this.readyState = 3;
    this.real?.close();
  }
}

// --- between the two ------------------------------------------------------------------------------------

/** The server cannot be reached: until it answers again, requests go to this device. */
function leaveServer() {
  if (place.value === "device") return;
  place.value = "device";
  getReady().catch(() => {}); // the first request reports it
  addEventListener("online", probe);
  probing = setInterval(probe, PROBE);
}

/** @type {ReturnType<typeof setInterval>|undefined} */
let probing;

async function probe() {
  if (!navigator.onLine || document.visibilityState !== "visible") return;
  const answer = await fetch("/api/v1/games", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  clearInterval(probing);
  removeEventListener("online", probe);
  place.value = "server";
}
