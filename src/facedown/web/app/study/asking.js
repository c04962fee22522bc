// Requests to the solver that may take long: repeated until the answer is there, with their progress.

import { useEffect, useState } from "../html.js";
import { get } from "../net/api.js";

const PAUSE = 500;

/** @param {AbortSignal} signal */
const pause = (signal) =>
  new Promise((done, gone) => {
    const timer = setTimeout(done, PAUSE);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      gone(signal.reason);
    });
  });

/** The answer, however long it takes; the server stops computing when the requests stop.
 * @param {string} path @param {AbortSignal} signal @param {(share: number|null) => void} reached
 * @returns {Promise<any>} */
async function fetchStudy(path, signal, reached) {
  for (;;) {
    const found = await get(path, signal);
    if (typeof found?.done !== "number") return found;
    reached(found.of > 0 ? found.done / found.of : null);
    await pause(signal);
  }
}

/** @typedef {{value: any, error: any, loading: boolean, reached: number|null, cancelled: boolean, cancel: () => void,
 *   again: () => void}} Studied */

/** What a path answers; the last answer stays until the next one is there. @param {string|null} path
 * @param {any[]} [keys] @returns {Studied} */
export function useStudy(path, keys = []) {
  const [state, set] = useState({
    value: /** @type {any} */ (null),
    error: /** @type {any} */ (null),
    loading: path !== null,
    reached: /** @type {number|null} */ (null),
    cancelled: false,
  });
  const [times, setTimes] = useState(0);
  const [leaving, setLeaving] = useState(/** @type {AbortController|null} */ (null));
  useEffect(() => {
    if (path === null) return undefined;
    const going = new AbortController();
    setLeaving(going);
    set((before) => ({ ...before, error: null, loading: true, reached: null, cancelled: false }));
    fetchStudy(path, going.signal, (reached) => set((before) => ({ ...before, reached }))).then(
      (value) => going.signal.aborted || set({ value, error: null, loading: false, reached: null, cancelled: false }),
      (error) => going.signal.aborted || set({ value: null, error, loading: false, reached: null, cancelled: false }),
    );
    return () => going.abort();
  }, [path, times, ...keys]);
  const cancel = () => {
    leaving?.abort();
    set((before) => ({ ...before, loading: false, reached: null, cancelled: true }));
  };
  return { ...state, cancel, again: () => setTimes((n) => n + 1) };
}
