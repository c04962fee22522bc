// Stages of a reveal, one after the other, each for its time. Owns the timers, and makes sure that a reveal is seen
// once; the game decides which stages there are, how long they last, and their sounds.
//
// A result that stays until the player acts is a stage that lasts UNTIL_ACTED: no timer ends it, and as it begins,
// `act.settled()` lets other events (seals, chat, the end) be folded in behind it; only another reveal waits.
// The table goes on showing `lastReveal` (and its `before`) as long as `sight.revealing`; it calls `finish` when the
// player goes on: by a button, a tap, a key, or by raising the next card.

import { useEffect, useRef, useState } from "../html.js";
import { letGo } from "./input.js";

/** @import { Act, Sight } from "../contract.js" */

/** How long a stage lasts that only the player ends. */
export const UNTIL_ACTED = Number.POSITIVE_INFINITY;

/** `stages` are walked in order, and the stage is "rest" while nothing is being revealed. `lasts` returns how many ms
 * a stage stays, or UNTIL_ACTED; `begins` is called with each as it begins. `skip` goes to a later stage at once,
 * `finish` to the end.
 * @template {string} S
 * @param {{sight: Sight, act: Act, motion: "full"|"less", running: boolean, stages: readonly S[],
 *   lasts: (stage: S) => number, begins: (stage: S) => void}} course
 * @returns {{stage: S|"rest", skip: (to: S) => void, finish: () => void}} */
export function useStages({ sight, act, motion, running, stages, lasts, begins }) {
  const decision = running ? (sight.lastReveal?.decision ?? 0) : 0;
  const [at, setAt] = useState({ decision: 0, stage: stages[0] });
  const stage = at.decision === decision ? at.stage : stages[0];
  const done = useRef(0);

  const finish = () => {
    if (!running || done.current === decision) return; // two keys in a row: the reveal has been seen once
    done.current = decision;
    letGo(".stage button:not([data-pick])");
    act.revealed();
  };
  /** By the timer: only from the stage it was set in, as the player may have skipped since. */
  const goOn = () => {
    const next = stages[stages.indexOf(stage) + 1];
    if (next === undefined) return finish();
    setAt((now) => ((now.decision === decision ? now.stage : stages[0]) === stage ? { decision, stage: next } : now));
  };

  useEffect(() => {
    if (!running) return undefined;
    begins(stage);
    const length = lasts(stage);
    if (length === UNTIL_ACTED) {
      act.settled();
      return undefined;
    }
    const timer = setTimeout(goOn, length);
    return () => clearTimeout(timer);
  }, [running, decision, stage, motion]);

  return { stage: running ? stage : "rest", skip: (to) => running && setAt({ decision, stage: to }), finish };
}
