// The last ten seconds of one's own clock: a sentence for those who cannot see it, a sound for each of them, with a
// vibration if the device can vibrate, and the heart in the last five.

import { html, useEffect, useState } from "../html.js";
import { motion } from "../settings.js";
import { sound } from "../sound.js";
import { t } from "../words.js";

/** @import { Sight } from "../contract.js" */

const LAST = 10;
const HEART = 5;

/** Ticks while this seat's time runs out and nothing is placed; draws nothing to see.
 * @param {{sight: Sight}} props */
export function LastSeconds({ sight }) {
  const deadline = sight.placed === null ? sight.turn?.deadlines?.[String(sight.seat)] : undefined;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (deadline === undefined) return undefined;
    /** @type {any} */
    let timer;
    const next = () => {
      const left = deadline - sight.now();
      const seconds = Math.ceil(left / 1000);
      if (seconds <= LAST && seconds > 0) sound("clock", 1 - seconds / LAST);
      if (seconds === LAST) setLate(true);
      if (seconds <= HEART && seconds > 0 && motion.value === "full") sound("pulse", 1 - seconds / HEART);
      if (seconds > 0) timer = setTimeout(next, Math.max(left - (seconds - 1) * 1000, 50));
    };
    const first = Math.max(deadline - LAST * 1000, sight.turn?.since ?? 0); // silent before the clock starts
    timer = setTimeout(next, Math.max(0, first - sight.now()));
    return () => clearTimeout(timer);
  }, [deadline]);
  return html`<p class="unseen" aria-live="assertive">${isLate && t("live.seconds")}</p>`;
}
