// Hooks of the screens: a request to the server, the work of a button, the tab's title, a game's table module, a style
// sheet of some screens, and layers (menus, dialogs) that *Back* closes.

import { useEffect, useElement, useLayoutEffect, useRef, useState } from "../html.js";
import { openLayer } from "../router.js";
import { loadStyles, tableOf } from "../state/games.js";
import { gameWord, t } from "../words.js";

/** @import { GameTable, Sight } from "../contract.js" */

/** @template T @typedef {{value: T|null, error: any, loading: boolean, again: () => void}} Asked */

/** The result of a request and whether it is still loading; repeated when `keys` change. The signal aborts a request
 * whose answer is no longer needed.
 * @template T @param {(signal: AbortSignal) => Promise<T>} ask @param {any[]} keys @returns {Asked<T>} */
export function useRequest(ask, keys) {
  const [state, set] = useState(
    /** @type {{value: T|null, error: any, loading: boolean}} */ ({ value: null, error: null, loading: true }),
  );
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let wanted = true;
    const leaving = new AbortController();
    set((before) => ({ ...before, loading: true, error: null }));
    ask(leaving.signal).then(
      (value) => wanted && set({ value, error: null, loading: false }),
      (error) => wanted && set({ value: null, error, loading: false }),
    );
    return () => {
      wanted = false;
      leaving.abort();
    };
  }, [...keys, times]);
  return { ...state, again: () => setTimes((n) => n + 1) };
}

/** A button's work: runs once at a time, keeps its error. @param {(...args: any[]) => Promise<any>} work */
export function useWork(work) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const running = useRef(false);
  /** @param {...any} args */
  const run = async (...args) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await work(...args);
    } catch (failure) {
      setError(failure);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, error };
}

/** What is loaded once it is wanted, and again when `keys` change; null until it is there. Without it, the rest works.
 * @template T @param {() => Promise<T>} load @param {boolean} wanted @param {unknown[]} [keys] @returns {T|null} */
function useLoaded(load, wanted, keys = []) {
  const [found, set] = useState(/** @type {T|null} */ (null));
  useEffect(() => {
    let current = wanted;
    if (wanted)
      load().then(
        (value) => current && set(() => value),
        () => {},
      );
    return () => {
      current = false;
    };
  }, [wanted, ...keys]);
  return found;
}

/** A component that is loaded once it is wanted; null until it is there.
 * @param {() => Promise<any>} load @param {boolean} [wanted] */
export const useLater = (load, wanted = true) => useLoaded(load, wanted);

/** The time, again after every so many ms; 0: it stands. @param {number} every */
export function useNow(every) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = every ? setInterval(() => set(Date.now()), every) : 0;
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** The tab's title. @param {string} title */
export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} – Facedown` : "Facedown";
  }, [title]);
}

/** A game's table inside a component; null until it is there. @param {string|undefined} name
 * @returns {GameTable|null} */
export const useGame = (name) => useLoaded(() => tableOf(name ?? ""), Boolean(name), [name]);

/** @type {Set<string>} */
const dressed = new Set();

/** Whether a style sheet that only some screens need is there: what it dresses is not shown before.
 * @param {string} address */
export function useStyles(address) {
  const [isDressed, set] = useState(dressed.has(address));
  useEffect(() => {
    if (!isDressed)
      loadStyles(address).then(() => {
        dressed.add(address);
        set(true);
      });
  }, []);
  return isDressed;
}

/** @param {Sight} sight */
export function useTurnTitle({ table, seat, mayPick, turn }) {
  const title = gameWord(table.game, "title", table.title);
  const due = mayPick || (seat > 0 && turn?.may_seal?.includes(seat) === true && table.state === "playing");
  useEffect(() => {
    document.title = due ? `● ${t("home.your_turn")} – ${title}` : `${title} – Facedown`;
    const icon = /** @type {HTMLLinkElement|null} */ (document.getElementById("icon"));
    if (icon) icon.href = import.meta.resolve(due ? "/app/icons/seal-due.svg" : "/app/icons/seal.svg");
  }, [due, title]);
}

const WIDE = "(width >= 1200px) and (height >= 560px) and (orientation: landscape)";

/** Whether a table leaves room beside it. */
export function useIsWide() {
  const [wide, set] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const changed = () => set(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return wide;
}

/** *Back* closes what is open instead of leaving the screen. @param {boolean} open @param {() => void} close */
export function useBackCloses(open, close) {
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => (open ? openLayer(() => latest.current()) : undefined), [open]);
}

/** A menu that is not a dialog: it also closes when a person presses something else, or moves the focus elsewhere by
 * Tab, so that it never covers what the player is doing. The page may move the focus while it is open.
 * @param {boolean} open @param {() => void} close
 * @returns {{current: HTMLElement|null}} for the element that contains both the button and the menu */
export function useMenu(open, close) {
  const menu = useElement();
  useBackCloses(open, close);
  // before it is painted: on a slow phone, a tap outside may come as soon as the menu is visible
  useLayoutEffect(() => {
    if (!open) return undefined;
    let tabbing = false;
    const elsewhere = (/** @type {Event} */ { target }) =>
      target instanceof Node && menu.current?.contains(target) === false && close();
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      tabbing = event.key === "Tab" && event.type === "keydown";
      if (event.type === "keyup") return;
      if (event.key !== "Escape") return void elsewhere(event);
      event.preventDefault();
      close();
      /** @type {HTMLElement|null|undefined} */ (menu.current?.querySelector("[aria-expanded]"))?.focus();
    };
    const onFocus = (/** @type {Event} */ event) => tabbing && elsewhere(event);
    const listeners = /** @type {const} */ ([
      ["pointerdown", elsewhere],
      ["keydown", onKey],
      ["keyup", onKey],
      ["focusin", onFocus],
    ]);
    for (const [kind, listener] of listeners)
      document.addEventListener(kind, /** @type {EventListener} */ (listener), true);
    return () => {
      for (const [kind, listener] of listeners)
        document.removeEventListener(kind, /** @type {EventListener} */ (listener), true);
    };
  }, [open]);
  return menu;
}
