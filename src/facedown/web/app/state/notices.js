// Notices (your turn, challenges, games that ended), and the people one knows: followed people and recent opponents.

import { signal } from "../html.js";
import { ask, get, guestSession, hadSession } from "../net/api.js";
import { place } from "../net/place.js";
import { sit } from "./seating.js";

/** @import { Signal } from "@preact/signals" */
/** @import { ContactSettings, FriendList, NoticeInfo, NoticeList } from "../net/rest.js" */
/** @typedef {{follow: number}|{handle: string}|{table: string, seat: number}} Whom */

const EVERY = 30_000;

/** The notices; null until they are loaded. @type {Signal<NoticeList|null>} */
export const notices = signal(null);

let askedAt = 0;

/** Loads the notices; nobody without a session has any. @param {boolean} [now] even if they were loaded just before */
export async function loadNotices(now = false) {
  if (place.value !== "server" || !hadSession() || document.visibilityState !== "visible") return;
  if (!now && Date.now() - askedAt < EVERY / 2) return;
  askedAt = Date.now();
  await guestSession();
  notices.value = await get("/notices");
}

/** Keeps the notices fresh while a page with a bell is open; call the result to stop. */
export function watchNotices() {
  const load = () => void loadNotices().catch(() => {}); // the next one may work
  load();
  const timer = setInterval(load, EVERY);
  document.addEventListener("visibilitychange", load);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", load);
  };
}

/** Everything that is shown now was read. */
export async function markNoticesRead() {
  const [latest] = notices.value?.notices ?? [];
  if (!latest || !notices.value?.unread) return;
  await ask("PUT", "/notices/read", { at: latest.at });
  notices.value = { ...notices.value, unread: false };
}

/** Sits down on the seat that a notice offers. @param {NoticeInfo} notice @returns {Promise<string>} its address */
export async function takeSeat({ table, seat }) {
  await sit(table, seat);
  await loadNotices(true).catch(() => {});
  return `/t/${table}`;
}

/** Declines a challenge. @param {string} table */
export async function declineChallenge(table) {
  await ask("DELETE", `/challenges/${table}`);
  await loadNotices(true);
}

// --- people ---------------------------------------------------------------------------------------------

/** Followed people and recent opponents; null until they are loaded. @type {Signal<FriendList|null>} */
export const friends = signal(null);

export async function loadFriends() {
  if (!hadSession()) return;
  await guestSession();
  friends.value = await get("/people/me/friends");
}

/** @param {Whom} whom */
export async function follow(whom) {
  await ask("POST", "/people/me/friends", whom);
  await loadFriends();
}

/** @param {number} id */
export async function unfollow(id) {
  await ask("DELETE", `/people/me/friends/${id}`);
  await loadFriends();
}

/** Challenges a person and takes one's own seat. @param {Whom} whom @param {{game: string, rules: string, clock: object}}
 *   wanted @returns {Promise<string>} the address of the table */
export async function challenge(whom, wanted) {
  const made = await ask("POST", "/challenges", { ...whom, ...wanted });
  await sit(made.table, made.seat);
  return `/t/${made.table}`;
}

/** @param {Partial<ContactSettings>} [changed] @returns {Promise<ContactSettings>} */
export const contactSettings = (changed) =>
  changed ? ask("PATCH", "/people/me/contact", changed) : get("/people/me/contact");
