// Client-side router: which screen an address shows, and navigation without loading the page again.

import { computed, signal } from "./html.js";

/** @typedef {{screen: string, params: Record<string, string>}} Route */

/** @type {[RegExp, string, string[]][]} */
const ROUTES = [
  [/^\/$/, "home", []],
  [/^\/new$/, "new", []],
  [/^\/t\/([^/]+)$/, "table", ["table"]],
  [/^\/i\/([^/]+)$/, "invite", ["code"]],
  [/^\/rules(?:\/([^/]+))?$/, "rules", ["game"]],
  [/^\/review\/([^/]+)$/, "review", ["table"]],
  [/^\/people$/, "people", []],
  [/^\/history$/, "people", []],
  [/^\/settings$/, "settings", []],
  [/^\/tables$/, "tables", []],
  [/^\/h\/([^/]+)$/, "handover", ["code"]],
];

const here = signal(globalThis.location ? location.pathname + location.search : "/");

/** @param {string} address @returns {Route} */
export function match(address) {
  const [path, query = ""] = address.split("?");
  for (const [pattern, screen, names] of ROUTES) {
    const found = pattern.exec(path);
    if (!found) continue;
    const params = Object.fromEntries(new URLSearchParams(query));
    for (const [place, name] of names.entries()) params[name] = decoded(found[place + 1] ?? "");
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
