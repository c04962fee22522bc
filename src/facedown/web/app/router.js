// Client-side router: which screen an address shows, and navigation without loading the page again.

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
  ["/people", "people"],
  ["/history", "people"],
  ["/settings", "settings"],
  ["/tables", "tables"],
  ["/h/{code}", "handover"],
];

const PATTERNS = ROUTES.map(([address, screen]) => ({
  pattern: new RegExp(`^${address.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  screen,
}));

const here = signal(globalThis.location ? location.pathname + location.search : "/");

/** @param {string} address @returns {Route} */
export function match(address) {
  const [path, query = ""] = address.split("?");
  for (const { pattern, screen } of PATTERNS) {
    const found = pattern.exec(path);
    if (!found) continue;
    const params = Object.fromEntries(new URLSearchParams(query));
    for (const [name, text] of Object.entries(found.groups ?? {})) params[name] = decoded(text);
    return { screen, params };
  }
  return { screen: "lost", params: {} };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = computed(() => match(here.value));

/** @param {string} address @param {{instead?: boolean}} [how] */
export function go(address, { instead = false } = {}) {
  history[instead ? "replaceState" : "pushState"](null, "", address);
  here.value = address;
  scrollTo(0, 0);
}

export function listenToHistory() {
  addEventListener("popstate", () => (here.value = location.pathname + location.search));
}
