// Keys of the table, wherever the focus is: not while a dialog is open, not while somebody types.
import { useLayoutEffect } from "../html.js";

const TYPING = "input, textarea, select, [contenteditable]";

/** `handle` gets the key and whether a control has the focus (which then answers Enter and Space itself);
 * it returns true where it has used the key.
 * @param {(key: string, onControl: boolean) => boolean} handle */
export function useKeys(handle) {
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest(TYPING)) return;
      const onControl = target.closest("button:not([aria-disabled=true]), a, summary") !== null;
      if (handle(event.key, onControl)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
