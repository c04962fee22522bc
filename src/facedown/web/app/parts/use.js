// Hooks for screens: a request to the server, the work of a button, the title of the tab.

import { useEffect, useRef, useState } from "../html.js";

/** @template T @typedef {{value: T|null, error: any, loading: boolean, again: () => void}} Asked */

/** What `ask` brings, and whether it is still on its way; asked anew when `keys` change.
 * @template T @param {() => Promise<T>} ask @param {any[]} keys @returns {Asked<T>} */
export function useAsked(ask, keys) {
  const [state, set] = useState(
    /** @type {{value: T|null, error: any, loading: boolean}} */ ({ value: null, error: null, loading: true }),
  );
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let wanted = true;
    set((before) => ({ ...before, loading: true, error: null }));
    ask().then(
      (value) => wanted && set({ value, error: null, loading: false }),
      (error) => wanted && set({ value: null, error, loading: false }),
    );
    return () => {
      wanted = false;
    };
  }, [...keys, times]);
  return { ...state, again: () => setTimes((n) => n + 1) };
}

/** A button's work: runs once at a time, keeps what went wrong. @param {(...args: any[]) => Promise<any>} work */
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

/** The tab's title. @param {string} title */
export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} – Facedown` : "Facedown";
  }, [title]);
}
