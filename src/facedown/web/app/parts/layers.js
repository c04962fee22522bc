// Layers over a screen, menus and dialogs: Escape, a tap outside and *Back* close them.

import { useLayoutEffect, useRef } from "../html.js";
import { openLayer } from "../router.js";

/** *Back* closes what is open instead of leaving the screen. @param {boolean} open @param {() => void} close */
export function useBackCloses(open, close) {
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => (open ? openLayer(() => latest.current()) : undefined), [open]);
}

/** A menu that is no dialog: it also closes when something else is touched, used or focused, so that it never lies
 * over what one is doing. @param {boolean} open @param {() => void} close
 * @returns {{current: HTMLElement|null}} to put on the element that holds both the button and the menu */
export function useMenu(open, close) {
  const menu = useRef(/** @type {HTMLElement|null} */ (null));
  useBackCloses(open, close);
  // before it is painted: a quick finger on a slow phone taps outside as soon as it sees the menu
  useLayoutEffect(() => {
    if (!open) return undefined;
    const elsewhere = (/** @type {Event} */ { target }) =>
      target instanceof Node && menu.current?.contains(target) === false && close();
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return elsewhere(event);
      event.preventDefault();
      close();
      /** @type {HTMLElement|null|undefined} */ (menu.current?.querySelector("[aria-expanded]"))?.focus();
    };
    document.addEventListener("pointerdown", elsewhere, true);
    document.addEventListener("focusin", elsewhere);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", elsewhere, true);
      document.removeEventListener("focusin", elsewhere);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [open]);
  return menu;
}
