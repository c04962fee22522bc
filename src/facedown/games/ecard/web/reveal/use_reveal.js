// Stages of a reveal: hold, turn, result, done. Any key or tap skips ahead.

import { useStages } from "/app/table/use_stages.js";
import { weightOf } from "./facts.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Act, Sight } from "/app/contract.js" */

/** @typedef {"hold"|"turn"|"result"} Stage */

const STAGES = /** @type {const} */ (["hold", "turn", "result"]);
const FADE = 150;
const READ = { drawn: 1300, undecided: 2600, stake: 1400, watched: 3200, decided: 20000 };

/** How long the end of a reveal stays when the player does not continue by hand, in ms.
 * @param {RevealFacts} reveal @param {boolean} watching */
function lingering(reveal, watching) {
  if (reveal.stake) return READ.stake;
  if (!reveal.round && !reveal.end) return READ.drawn;
  if (watching) return READ.watched;
  return reveal.winner || reveal.end ? READ.decided : READ.undecided;
}

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {RevealFacts|null} reveal
 * @returns {{stage: "rest"|Stage, next: () => void}} */
export function useReveal(sight, act, motion, reveal) {
  const { hold, turn, weight } = weightOf(reveal?.play ?? 1);
  const less = motion === "less" || !reveal?.cards;
  const { stage, skip, finish } = useStages({
    sight,
    act,
    motion,
    stages: STAGES,
    running: sight.revealing && reveal !== null,
    lasts: (at) =>
      ({
        hold: less ? 0 : hold,
        turn: less ? FADE : turn,
        result: reveal ? lingering(reveal, sight.seat === 0 && !sight.shared) : 0,
      })[at],
    begins: (at) => {
      if (at === "hold" && !less) act.sound("pulse", weight);
      if (at === "turn" && reveal?.cards) act.sound("turn", weight);
      if (at === "result" && reveal) soundOf(reveal, sight.seat, act, weight);
    },
  });
  return { stage, next: () => (stage === "result" ? finish() : skip("result")) };
}

/** @param {RevealFacts} reveal @param {number} you @param {Act} act @param {number} weight */
function soundOf(reveal, you, act, weight) {
  if (reveal.stake) act.sound("seal", 0.3);
  else if (!reveal.winner) act.sound("draw", weight);
  else act.sound(you === 0 || reveal.winner === you ? "win" : "lose", reveal.best === "S" ? 1 : weight);
}
