// REST client: requests to `/api/v1`, problems as errors, request ids, the guest session (created when it is first
// needed).

import { effect, signal } from "../html.js";
import { forget, read, write } from "../storage.js";
import { lang } from "../words.js";
import { place, reach } from "./place.js";

/** @import { Signal } from "@preact/signals" */

/** Error of a request, as the server described it. */
export class Problem extends Error {
  /** @param {{code?: string, detail?: string, title?: string, status?: number, rule?: string, problems?: string[]}}
   *   body */
  constructor(body) {
    super(body.detail ?? body.title ?? "");
    this.code = body.code ?? "unknown";
    this.status = body.status ?? 0;
    this.rule = body.rule;
    this.problems = body.problems ?? [];
  }
}

/** @param {string} method @param {string} path @param {any} [body] @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal] */
export async function ask(method, path, body, headers = {}, signal = undefined) {
  const sent = {
    "Accept-Language": lang.value,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...headers,
  };
  const request = { method, headers: sent, body: body === undefined ? undefined : JSON.stringify(body), signal };
  const ahead = method === "GET" ? askedAhead(path) : undefined;
  const response = await (ahead?.catch(() => reach(path, request)) ?? reach(path, request)).catch((error) => {
    throw new Problem({ code: error?.code ?? "unreachable" });
  });
  const text = await response.text();
  const answer = parseJson(text);
  if (response.ok) return answer;
  throw new Problem({ status: response.status, ...(answer && typeof answer === "object" ? answer : {}) });
}

/** The answer to a request that the page made before any module was loaded; it is taken once.
 * @param {string} path @returns {Promise<Response>|undefined} */
function askedAhead(path) {
  const { askedAhead: answers } = /** @type {any} */ (globalThis);
  const answer = answers?.[path];
  if (answer) delete answers[path];
  return answer;
}

/** @param {string} text */
function parseJson(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** @param {string} path @param {AbortSignal} [signal] */
export const get = (path, signal) => ask("GET", path, undefined, {}, signal);

/** Storage name of the note that there is a session: on the server, or on this device. */
const sessionMark = () => (place.value === "device" ? "known_here" : "known");

/** How often this page has changed its session: what was asked for before may be another person's. */
const sessionChanges = signal(0);

/** Whether this browser has ever had a session: without one, there is nothing of one's own to request. */
export const hadSession = () => read(sessionMark(), false);

/** What this browser's person is called, by place, as the server said last.
 * @type {Signal<Record<string, string>>} */
const called = signal(read("called", {}));

/** What others call this browser's person; empty before the first session. */
export const calledHere = () => called.value[place.value] ?? "";

/** @template {{name: string}} T @param {T} session @returns {T} */
export function noteName(session) {
  called.value = { ...called.value, [place.value]: session.name };
  write("called", called.value);
  return session;
}

/** The next guest of this browser is another person. */
function forgetPerson() {
  called.value = {};
  for (const each of ["called", "name", "handle"]) forget(each);
}

/** Whether the account of this browser is kept: then its handle is the name, and no other can be chosen. */
export const isKept = () => read("handle", "") !== "";

/** By place: the server and this device know different guests.
 * @type {Record<string, Promise<{person: string, name: string}>>} */
const sessions = {};

/** The guest's session, created on the first call. */
export function guestSession() {
  const here = place.value;
  sessions[here] ??= open().catch((error) => {
    delete sessions[here];
    throw error;
  });
  return sessions[here];
}

async function open() {
  await replacing;
  if (hadSession()) {
    try {
      return noteName(await get("/session"));
    } catch (error) {
      if (!(error instanceof Problem) || error.code === "unreachable") throw error;
      if (error.status === 401) {
        write("signed_out", { handle: read("handle", "") }); // a page says so
        forgetPerson();
      }
    }
  }
  const made = noteName(await ask("POST", "/session", { kind: "browser", ...chosenName() }));
  write(sessionMark(), true);
  return made;
}

/** Until another session has come, or was refused. @type {Promise<unknown>} */
let replacing = Promise.resolve();

/** Asks for another session. The server ends the old one with its answer: a call that needs a session in between
 * waits, or would be made a new guest in place of the account. @param {string} path @param {any} body */
export function askForSession(path, body) {
  const opened = Promise.resolve(sessions[place.value]).catch(() => {});
  const asked = opened.then(() => ask("POST", path, body));
  replacing = asked.catch(() => {});
  return asked;
}

/** A list of one's own, as a signal: null until it is loaded, and again with another session. The function loads it; an
 * answer to an earlier session, or to an earlier request, is not put in.
 * @template T @param {string} path @returns {{list: Signal<T|null>, load: () => Promise<void>}} */
export function ownList(path) {
  const list = signal(/** @type {T|null} */ (null));
  let latest = 0;
  effect(() => {
    latest += sessionChanges.value + 1;
    list.value = null;
  });
  const load = async () => {
    const number = ++latest;
    await guestSession();
    const found = await get(path);
    if (number === latest) list.value = found;
  };
  return { list, load };
}

/** The name chosen in this browser, or an empty string. @returns {string} */
export const ownName = () => read("name", "");

/** Changes the name if it is a new one; a guest without a session gets one with this name.
 * @param {string} name */
export async function setOwnName(name) {
  const wanted = name.trim();
  if (!wanted || isKept() || wanted === ownName()) return;
  write("name", wanted);
  const had = hadSession();
  await guestSession();
  if (had) await ask("PATCH", "/session", { name: wanted });
  renewSession();
}

function chosenName() {
  const name = ownName();
  return name ? { name } : {};
}

/** The session was taken over from another device, or its name has changed. */
export function renewSession() {
  write(sessionMark(), true);
  write("played", true); // home is that of a player, not of a first visit
  delete sessions[place.value];
  sessionChanges.value += 1;
}

/** The session has ended: the next call that needs one makes a new guest, who does not get the old name. */
export function dropSession() {
  forget(sessionMark());
  forgetPerson();
  delete sessions[place.value];
  sessionChanges.value += 1;
}

/** A table's own address. @param {string} table */
export const tablePath = (table) => `/tables/${encodeURIComponent(table)}`;

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** @param {number} [now] */
export function ulid(now = Date.now()) {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = LETTERS[rest % 32] + time;
  const chance = crypto.getRandomValues(new Uint8Array(16));
  return time + Array.from(chance, (byte) => LETTERS[byte % 32]).join("");
}
