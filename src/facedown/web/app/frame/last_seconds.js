// The last ten seconds of one's own clock: a sound each, and a vibration if the device can vibrate.

import { useEffect } from "../html.js";
import { sound } from "../sound.js";

/** @import { Sight } from "../contract.js" */

const LAST = 10;

/** Ticks while this seat's time runs out and nothing is placed; draws nothing. @param {{sight: Sight}} props */
export function LastSeconds({ sight }) {
  const deadline = sight.placed === null ? sight.turn?.deadlines?.[String(sight.seat)] : undefined;
  useEffect(() => {
    if (deadline === undefined) return undefined;
    /** @type {any} */
    let timer;
    const next = () => {
      const left = deadline - sight.now();
      const seconds = Math.ceil(left / 1000);
      if (seconds <= LAST && seconds > 0) sound("clock", 1 - seconds / LAST);
      if (seconds > 0) timer = setTimeout(next, Math.max(left - (seconds - 1) * 1000, 50));
    };
    const first = Math.max(deadline - LAST * 1000, sight.turn?.since ?? 0); // silent before the clock starts
    timer = setTimeout(next, Math.max(0, first - sight.now()));
    return () => clearTimeout(timer);
  }, [deadline]);
  return null;
}
