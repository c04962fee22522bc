// People one knows: following, recent opponents, challenges, and how one is reached.

import { ask, guestSession, hadSession, ownList } from "../net/api.js";
import { loadNotices } from "../net/notices.js";
import { sit } from "../state/seating.js";

/** @import { Signal } from "@preact/signals" */
/** @import { ContactSettings, FriendList, NoticeInfo } from "../net/rest.js" */
/** @typedef {{follow: number}|{handle: string}|{table: string, seat: number}} Whom */

/** Sits down on the seat that a notice offers. @param {NoticeInfo} notice @returns {Promise<string>} its address */
export async function takeSeat({ table = "", seat = 0 }) {
  await sit(table, seat);
  await loadNotices(true).catch(() => {});
  return `/t/${table}`;
}

/** Declines a challenge, or withdraws one's own. @param {string} table */
export async function declineChallenge(table) {
  await ask("DELETE", `/challenges/${table}`);
  await loadNotices(true);
}

const { list, load } = ownList("/people/me/friends");

/** Followed people and recent opponents; null until they are loaded. @type {Signal<FriendList|null>} */
export const friends = list;

export async function loadFriends() {
  if (hadSession()) await load();
}

/** @param {Whom} whom */
export async function follow(whom) {
  await guestSession();
  await ask("POST", "/people/me/friends", whom);
  await loadFriends();
}

/** @param {number} id */
export async function unfollow(id) {
  await ask("DELETE", `/people/me/friends/${id}`);
  await loadFriends();
}

/** Challenges a person and takes one's own seat; the address of the table.
 * @param {Whom} whom @param {{game: string, rules: string, clock: object}} wanted @returns {Promise<string>} */
export async function challenge(whom, wanted) {
  await guestSession();
  const made = await ask("POST", "/challenges", { ...whom, ...wanted });
  await sit(made.table, made.seat);
  return `/t/${made.table}`;
}

/** @param {Partial<ContactSettings>} changed @returns {Promise<ContactSettings>} */
export const changeContactSettings = (changed) => ask("PATCH", "/people/me/contact", changed);
