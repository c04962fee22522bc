// The service worker: keeps this edition of the shell, so that the page opens without a network, and shows
// "your turn". Never keeps anything of a table: requests to /api and /ws always go to the server.

const KEPT = "facedown-%EDITION%";
const ROOT = new URL("./", self.location).pathname; // where this page is: at the root of a server, or in a folder
const EVERYTHING = ["%EVERYTHING%"];
const RUN = "facedown-run"; // what offline play needs; the page fetches it on request
const COMPILED = "facedown-compiled"; // the same archives with bytecode, since Python started here

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll());
  self.skipWaiting();
});

async function keepAll() {
  const cache = await caches.open(KEPT);
  await Promise.all([cache.addAll(EVERYTHING), cache.put(ROOT, await home())]);
}

/** The page of this edition: the one that the browser has just loaded, if it was this edition. */
async function home() {
  const loaded = await fetch(ROOT, { cache: "force-cache" });
  const text = await loaded.clone().text();
  return text.includes("v/%EDITION%/") ? loaded : fetch(ROOT, { cache: "reload" });
}

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers());
});

async function forgetOthers() {
  const names = await caches.keys();
  const ours = [KEPT, RUN, COMPILED];
  const old = names.filter((name) => name.startsWith("facedown-") && !ours.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** An address below the root of this page; empty for any other. @param {string} address */
function inside(address) {
  const { pathname } = new URL(address);
  return pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : "";
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = inside(request.url);
  if (request.method !== "GET" || path.startsWith("api/") || path.startsWith("ws/")) return;
  if (request.mode === "navigate") event.respondWith(pageFirst(request));
  else if (path.startsWith("v/")) event.respondWith(keptFirst(request));
  else if (path.startsWith("run/") && path !== "run/files.json") event.respondWith(runFirst(request));
});

/** The newest page if there is a network, else the kept one. */
async function pageFirst(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(ROOT)) ?? Response.error();
  }
}

async function runFirst(request) {
  for (const cacheName of [COMPILED, RUN]) {
    const kept = await caches.match(request.url, { cacheName });
    if (kept) return kept;
  }
  return fetch(request);
}

async function keptFirst(request) {
  return (await caches.match(request)) ?? keepUsed(request);
}

/** Files that not every page needs (another language, a game of another package) are kept when they are used. */
async function keepUsed(request) {
  const response = await fetch(request);
  if (response.ok) await (await caches.open(KEPT)).put(request, response.clone());
  return response;
}

/** The page lists what it loaded before this worker was active. */
self.addEventListener("message", ({ data }) => {
  for (const address of data?.keep ?? []) if (address.includes("/v/%EDITION%/")) keptFirst(address);
});

self.addEventListener("push", (event) => {
  const turn = event.data?.json() ?? {};
  event.waitUntil(announce(turn));
});

/** What has to be answered before one sits at its table. */
const OFFERS = ["found", "challenge", "rematch"];

/** One notification for a turn: a later one of the same table replaces it; none if the table is visible. */
async function announce({ table = "", kind = "", game = "", title = "Facedown", body = "" }) {
  const open = await self.clients.matchAll({ type: "window" });
  const isSeen = (page) => page.visibilityState === "visible" && page.url.includes(`/t/${table}`);
  const seen = table !== "" && open.some(isSeen);
  if (seen) return;
  const kept = await caches.match("/words-of-notices"); // written by the page, in the language chosen
  const words = (await kept?.json()) ?? {};
  await self.registration.showNotification(words.titles?.[game] ?? title, {
    body: words[kind] ?? body,
    tag: `turn-${table}`,
    icon: "%BASE%/app/icons/icon-192.png",
    data: { address: OFFERS.includes(kind) || !table ? "/notices" : `/t/${encodeURIComponent(table)}` },
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.address ?? "/"));
});

async function show(address) {
  const open = await self.clients.matchAll({ type: "window" });
  const there = open.find((page) => new URL(page.url).pathname === address);
  await (there ? there.focus() : self.clients.openWindow(address));
}
