// Notices: your turns, challenges, games that ended; kept fresh while a page with a bell is open.

import { ask, hadSession, ownList } from "./api.js";
import { place } from "./place.js";

/** @import { NoticeList } from "./rest.js" */

const EVERY = 30_000;
const SOON = 1000;

const { list, load } = ownList(/** @type {const} */ ("/notices"));

/** The notices; null until they are loaded. @type {import("@preact/signals").Signal<NoticeList|null>} */
export const notices = list;

let askedAt = 0;

/** Loads the notices; without a session there are none. @param {boolean} [now] even if they were loaded just before */
export async function loadNotices(now = false) {
  if (place.value !== "server" || !hadSession() || document.visibilityState !== "visible") return;
  if (!now && Date.now() - askedAt < EVERY / 2) return;
  askedAt = Date.now();
  await load();
}

/** Keeps the notices fresh while a page with a bell is open; call the result to stop. */
export function watchNotices() {
  const again = () => void loadNotices().catch(() => {}); // the next one may work
  const first = setTimeout(again, SOON); // not for a page that is left at once
  const timer = setInterval(again, EVERY);
  document.addEventListener("visibilitychange", again);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    document.removeEventListener("visibilitychange", again);
  };
}

/** Everything that is shown now was read. */
export async function markNoticesRead() {
  const [latest] = notices.value?.notices ?? [];
  if (!latest || !notices.value?.unread) return;
  await ask("PUT", "/notices/read", { at: latest.at });
  notices.value = { ...notices.value, unread: false };
}
