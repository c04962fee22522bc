// Push notifications ("your turn" while the page is closed): the subscription, and the texts in the language chosen,
// which are cached where the service worker finds them.

import { ask, get, guestSession } from "../net/api.js";
import { fromBase64url } from "../net/links.js";
import { gameWord, t } from "../words.js";
import { allGames, tableOf } from "./games.js";

/** Caches the texts in the current language. */
export async function keepNoticeWords() {
  const all = await allGames();
  await Promise.all(all.map(({ name }) => tableOf(name))); // a game brings its words with its table
  const titles = Object.fromEntries(all.map(({ name, title }) => [name, gameWord(name, "title", title)]));
  const kinds = ["turn", "over", "found", "challenge", "accepted", "rematch", "code_used"];
  const words = { ...Object.fromEntries(kinds.map((kind) => [kind, t(`push.${kind}`)])), titles };
  const kept = await caches.open("words");
  await kept.put("/words-of-notices", new Response(JSON.stringify(words)));
}

export const possible = () =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

export const worker = () => navigator.serviceWorker.ready;

export async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") throw { code: "not_permitted" };
  await guestSession();
  const { key } = await get("/push/key");
  const { pushManager } = await worker();
  const wanted = { userVisibleOnly: true, applicationServerKey: Uint8Array.from(fromBase64url(key)) };
  const subscription = await pushManager.subscribe(wanted).catch(() => {
    throw { code: "no_push_service" };
  });
  await send(subscription);
}

/** @param {PushSubscription} subscription */
async function send(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  await ask("PUT", "/push/subscription", { endpoint, keys });
}

/** The server has ended subscriptions, which others may have made, with a session: this browser subscribes again. */
export async function renewSubscription() {
  if (!possible() || !navigator.serviceWorker.controller) return;
  try {
    const subscription = await (await worker()).pushManager.getSubscription();
    if (subscription) await send(subscription);
  } catch {} // in the settings it can be switched off and on
}

export async function switchOff() {
  const { pushManager } = await worker();
  await (await pushManager.getSubscription())?.unsubscribe();
  await ask("DELETE", "/push/subscription");
}
