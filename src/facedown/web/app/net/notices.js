// Notices: your turns, challenges, games that ended; kept fresh while a page with a bell is open.

import { signal } from "../html.js";
import { ask, get, guestSession, hadSession } from "./api.js";
import { place } from "./place.js";

/** @import { Signal } from "@preact/signals" */
/** @import { NoticeList } from "./rest.js" */

const EVERY = 30_000;
const SOON = 1000;

/** The notices; null until they are loaded. @type {Signal<NoticeList|null>} */
export const notices = signal(null);

let askedAt = 0;

/** Loads the notices; without a session there are none. @param {boolean} [now] even if they were loaded just before */
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
  const first = setTimeout(load, SOON); // not for a page that is left at once
  const timer = setInterval(load, EVERY);
  document.addEventListener("visibilitychange", load);
  return () => {
    clearTimeout(first);
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
