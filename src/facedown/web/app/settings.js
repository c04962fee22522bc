// Settings of this device: language, sound, motion, theme, contrast, card size. Stored in the browser alone.

import { computed, effect, signal } from "./html.js";
import { read, write } from "./storage.js";

/** @import { ReadonlySignal, Signal } from "@preact/signals" */

/** @typedef {{lang?: string, sound: boolean, volume: number, vibration: boolean, motion: "system"|"full"|"less",
 *   theme: "system"|"dark"|"light", cards: "small"|"usual"|"large", contrast: "system"|"more"}} Settings */

/** @type {Settings} */
const USUAL = {
  sound: true,
  volume: 70, // of 100
  vibration: true,
  motion: "system",
  theme: "system",
  cards: "usual",
  contrast: "system",
};

/** @type {Signal<Settings>} */
export const settings = signal({ ...USUAL, ...read("settings", {}) });

/** @param {Partial<Settings>} changed */
export function choose(changed) {
  settings.value = { ...settings.value, ...changed };
  write("settings", settings.value);
}

const quiet = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
const systemQuiet = signal(quiet?.matches ?? false);
quiet?.addEventListener("change", () => (systemQuiet.value = quiet.matches));

/** How much may move. @type {ReadonlySignal<"full"|"less">} */
export const motion = computed(() => {
  const chosen = settings.value.motion;
  if (chosen !== "system") return chosen;
  return systemQuiet.value ? "less" : "full";
});

/** Puts the choices on the page, where the style sheets look for them. */
export function applySettings() {
  const root = document.documentElement;
  effect(() => {
    const { theme, cards, contrast } = settings.value;
    mark(root, "theme", theme);
    mark(root, "cards", cards);
    mark(root, "contrast", contrast);
    root.dataset.motion = motion.value;
  });
}

/** @param {HTMLElement} root @param {string} name @param {string} value */
function mark(root, name, value) {
  if (value === "system" || value === "usual") delete root.dataset[name];
  else root.dataset[name] = value;
}
