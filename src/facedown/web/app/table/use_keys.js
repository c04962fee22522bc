// Keys of a page, wherever the focus is: not while a dialog is open, and not while a text field has the focus.
import { useLayoutEffect } from "../html.js";

const TEXT_FIELDS = "input, textarea, select, [contenteditable]";
const CONTROLS = "button:not([aria-disabled=true]), a, summary";

/** `actionOf` gets the key and whether a control has the focus (which then answers Enter and Space itself);
 * it returns what the key does, or nothing where the key is not used.
 * @param {(key: string, onControl: boolean) => (() => void)|null|undefined} actionOf */
export function useKeys(actionOf) {
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest(TEXT_FIELDS)) return;
      const action = actionOf(event.key, target.closest(CONTROLS) !== null);
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

/** The place in a hand that an arrow or a digit leads to from `at` (-1: none), or null for other keys.
 * @param {string} key @param {number} at @param {number} count */
export function keyedPlace(key, at, count) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step && at < 0) return step > 0 ? 0 : count - 1;
  if (step) return (at + step + count) % count;
  return /^[1-9]$/.test(key) && Number(key) <= count ? Number(key) - 1 : null;
}

/** Any key hurries a reveal, except those that move the focus or open the list of keys. @param {string} key */
export const isSkip = (key) => key !== "Tab" && key !== "Shift" && key !== "?";

/** The keys that press a control. @param {string} key */
export const isPress = (key) => key === "Enter" || key === " ";
