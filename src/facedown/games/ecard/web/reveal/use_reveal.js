// Stages of a reveal: hold, turn, result. Any key or tap skips to the result, which stays until the player goes on.

import { UNTIL_ACTED, useStages } from "/app/table/use_stages.js";
import { weightOf } from "./facts.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Act, Sight } from "/app/contract.js" */

/** @typedef {"hold"|"turn"|"result"} Stage */

const STAGES = /** @type {const} */ (["hold", "turn", "result"]);
const FADE = 150;
const READ = { watched: 3200, drawn: 1300, stake: 1400 };

/** How long the end of a reveal stays, in ms: it goes away on its own for a spectator, who has nothing to do, and after
 * the seat's own stake.
 * @param {RevealFacts} reveal @param {Sight} sight */
function lingering(reveal, { seat: you, shared }) {
  if (you === 0 && !shared) return reveal.stake ? READ.stake : reveal.round || reveal.end ? READ.watched : READ.drawn;
  return reveal.stake?.seat === you ? READ.stake : UNTIL_ACTED;
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
      ({ hold: less ? 0 : hold, turn: less ? FADE : turn, result: reveal ? lingering(reveal, sight) : 0 })[at],
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
  else
    act.sound(
      you === 0 || reveal.winner === you ? "win" : "lose",
      reveal.cards?.[reveal.winner - 1] === "S" ? 1 : weight,
    );
}
