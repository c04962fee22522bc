// What every screen may have to say about this browser's account: uses of its code on other devices, what
// moderators decided, and that this device was signed out.

import { signal } from "../html.js";
import { forget, read, write } from "../storage.js";
import { dropSession, get, hadSession, noteName } from "./api.js";
import { place } from "./place.js";

/** @import { Signal } from "@preact/signals" */
/** @import { CodeUseInfo, OwnSanction, Session } from "./rest.js" */

const EVERY_MS = 60_000;
/** When the code was last used, as far as this device was told and its reader has answered. */
const SETTLED = "code_uses_settled";

/** @type {Signal<readonly CodeUseInfo[]>} */
export const codeUses = signal([]);

/** What moderators keep this person from. @type {Signal<readonly OwnSanction[]>} */
export const sanctions = signal([]);

/** Kinds of sanctions that a refusal on this page tells, with the reason. @type {Signal<readonly string[]>} */
export const toldSanctions = signal([]);

/** Whether a moderator's decision is why something was refused. @param {any} error */
export const isDecision = (error) => error?.code === "restricted" || error?.code === "account_closed";

/** The sanction of a kind that is in force for longest; undefined if there is none. @param {string} kind */
export const sanctionOf = (kind) =>
  sanctions.value
    .filter((each) => each.kind === kind && (!each.until || each.until > Date.now()))
    .sort((one, other) => (other.until || Infinity) - (one.until || Infinity))[0];

/** The account that this device was signed out of, without a handle if it was a guest's; null if it was not.
 * @type {Signal<{handle: string}|null>} */
export const signedOut = signal(null);

let askedAt = 0;

/** Asks the server, at most once a minute; a guest who has just come has no account. */
export async function checkAccount(now = Date.now()) {
  if (place.value !== "server" || now - askedAt < EVERY_MS) return;
  askedAt = now;
  try {
    if (hadSession()) noteSession(await get("/session"));
  } catch (error) {
    if (/** @type {any} */ (error)?.status !== 401) return;
    write("signed_out", { handle: read("handle", "") });
    dropSession();
  }
  signedOut.value = read("signed_out", null);
}

/** The server has refused something because of a decision that this page may not know yet. */
export function checkSanctions() {
  askedAt = 0;
  return checkAccount();
}

/** The notice was read, or is not true any more. */
export function forgetSignOut() {
  forget("signed_out");
  signedOut.value = null;
}

/** The reader knows of this use of the code, and of those before it. @param {CodeUseInfo} use */
export function settleCodeUse(use) {
  write(SETTLED, use.at);
  codeUses.value = codeUses.value.filter(({ at }) => at > use.at);
}

/** Takes over what the server says of this session.
 * @param {Pick<Session, "name"|"handle"|"code_uses"|"sanctions">} session */
export function noteSession({ name, handle = "", code_uses = [], sanctions: decided = [] }) {
  const settled = read(SETTLED, 0);
  codeUses.value = code_uses.filter(({ at }) => at > settled);
  sanctions.value = decided;
  noteName({ name });
  if (!handle) return forget("handle");
  write("handle", handle);
  write("name", name);
  forgetSignOut();
}

/** The device has left its account on purpose. */
export function leaveAccount() {
  codeUses.value = [];
  sanctions.value = [];
  forgetSignOut();
}
