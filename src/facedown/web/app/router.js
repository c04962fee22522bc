// Client-side router: which screen an address shows, navigation without loading the page again, and the layers over a
// screen (menus, dialogs) that *Back* closes.

import { computed, signal } from "./html.js";

/** @typedef {{screen: string, params: Record<string, string>}} Route */

/** Addresses and the screens they show: the same list as the server's pages, in the same notation.
 * @type {[string, string][]} */
const ROUTES = [
  ["/", "home"],
  ["/new", "new"],
  ["/t/{table}", "table"],
  ["/i/{code}", "invite"],
  ["/rules", "rules"],
  ["/rules/{game}", "rules"],
  ["/review/{table}", "review"],
  ["/explore", "explore"],
  ["/explore/{game}", "explore"],
  ["/train", "train"],
  ["/train/{game}", "train"],
  ["/house", "house"],
  ["/house/{game}", "house"],
  ["/today", "today"],
  ["/people", "people"],
  ["/people/{handle}", "person"],
  ["/tournaments", "tournaments"],
  ["/tournaments/{tournament}", "tournament"],
  ["/me", "me"],
  ["/me/games", "past_games"],
  ["/me/readable", "readable"],
  ["/notices", "notices"],
  ["/settings", "settings"],
  ["/tables", "tables"],
  ["/about", "about"],
  ["/h", "handover"],
  ["/account", "account"],
  ["/account/programs", "programs"],
  ["/sign-in", "sign_in"],
  ["/operate", "operate"],
];

const PATTERNS = ROUTES.map(([address, screen]) => ({
  pattern: new RegExp(`^${address.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  screen,
}));

/** Whether the operator has switched something off: the page says nothing of it then.
 * @param {"pairing"|"tournaments"|"public_lists"|"ratings"|"sign_up"} part */
export const isOff = (part) => globalThis.document?.documentElement?.dataset?.off?.split(" ").includes(part) ?? false;

/** Whether this page is part of a static site: without a server, the address of a screen is behind the `#`. */
export const isSite = globalThis.document?.documentElement?.dataset?.site !== undefined;

/** The address of the folder that this page is in. */
export const root = () => (isSite ? new URL(".", document.baseURI).href : `${location.origin}/`);

/** The form of a client address in a link. @param {string} address */
export const linkTo = (address) => (isSite ? `#${address}` : address);

/** The address that the browser shows now, without a place on the page. */
function shownAddress() {
  if (!isSite) return globalThis.location ? location.pathname + location.search : "/";
  return location.hash.startsWith("#/") ? location.hash.slice(1) : "/";
}

/** The place on the page that the address names, or an empty string. */
export const anchor = () => (isSite ? "" : location.hash.slice(1));

const here = signal(shownAddress());

/** @param {string} address @returns {Route} */
export function match(address) {
  const [path, query = ""] = address.split("?");
  for (const { pattern, screen } of PATTERNS) {
    const found = pattern.exec(path);
    if (!found) continue;
    const params = Object.fromEntries(new URLSearchParams(query));
    for (const [name, text] of Object.entries(found.groups ?? {})) params[name] = decode(text);
    return { screen, params };
  }
  return { screen: "lost", params: {} };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = computed(() => match(here.value));

/** @param {string} address @param {{instead?: boolean, still?: boolean}} [how] `still`: the page is not scrolled */
export function go(address, { instead = false, still = false } = {}) {
  if (closing) return afterClosing(() => go(address, { instead, still }));
  const over = history.state?.layer === true; // *Back* must not return to a dialog that led elsewhere
  history[instead || over ? "replaceState" : "pushState"](null, "", linkTo(address));
  here.value = address;
  if (!still) scrollTo(0, 0);
}

export function listenToHistory() {
  if (history.state?.layer) history.replaceState(null, ""); // reloaded while a dialog was open: it is closed now
  addEventListener("popstate", () => {
    if (closing) return finishClosing();
    const top = layers.at(-1);
    if (top) {
      if (layers.length > 1) history.pushState({ layer: true }, "");
      return top();
    }
    if (!isSite || location.hash.startsWith("#/") || !location.hash) here.value = shownAddress();
  });
}

// --- layers ---------------------------------------------------------------------------------------------

/** How to close the layers over the screen, the topmost last. Together they have one entry in the history.
 * @type {(() => void)[]} */
const layers = [];
let closing = false; // our own step back is on its way
/** @type {(() => void)[]} */
const waiting = [];

/** Registers an open layer: *Back* calls `close` instead of leaving the screen. Call the result when it is closed.
 * @param {() => void} close @returns {() => void} */
export function openLayer(close) {
  layers.push(close);
  if (layers.length === 1 && !closing && !history.state?.layer) history.pushState({ layer: true }, "");
  return () => {
    layers.splice(layers.indexOf(close), 1);
    if (layers.length === 0) setTimeout(dropEntry); // a layer that follows at once takes the entry over
  };
}

function dropEntry() {
  if (layers.length > 0 || closing || !history.state?.layer) return;
  closing = true;
  history.back();
}

function finishClosing() {
  closing = false;
  if (layers.length > 0) history.pushState({ layer: true }, "");
  for (const then of waiting.splice(0)) then();
}

/** @param {() => void} then */
function afterClosing(then) {
  waiting.push(then);
}
