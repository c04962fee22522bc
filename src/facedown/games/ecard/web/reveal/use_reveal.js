// Stages of a reveal: the cards lie there, are lifted, turn, and settle into the result, which stays until the player
// goes on. Any key or tap skips to the result.

import { useRef } from "/app/html.js";
import { UNTIL_ACTED, useStages } from "/app/table/use_stages.js";
import { momentOf, weightOf } from "./facts.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Act, Sight } from "/app/contract.js" */

/** @typedef {"hold"|"lift"|"turn"|"settle"|"result"} Stage */

const STAGES = /** @type {const} */ (["hold", "lift", "turn", "settle", "result"]);
const FADE = 150;
const LIFT = 250;
const SETTLE = { plain: 560, comeback: 860, decided: 860, loud: 1100 };
/** How long a card flies to its place, and how long its wax drops. */
export const SEALING = { flight: 220, wax: 90 };
const READ = { watched: 3200, drawn: 1300, stake: 1400 };

/** How long the end of a reveal stays, in ms: it goes away on its own for a spectator, who has nothing to do, and after
 * the seat's own stake.
 * @param {RevealFacts} reveal @param {Sight} sight */
function lingering(reveal, { seat: you, shared }) {
  if (you === 0 && !shared) return reveal.stake ? READ.stake : reveal.round || reveal.end ? READ.watched : READ.drawn;
  return reveal.stake?.seat === you ? READ.stake : UNTIL_ACTED;
}

/** Whether the Slave has won it. @param {{cards: string[]|null, winner: number|null}} round */
export const isLoud = ({ cards, winner }) => winner !== null && cards?.[winner - 1] === "S";

/** How long the stages of the reveal that decided take, in ms. @param {{loud: boolean}} outline */
export function pace({ loud }) {
  const { hold, turn } = weightOf(2);
  return { hold, lift: LIFT, turn, settle: SETTLE[loud ? "loud" : "decided"] };
}

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {RevealFacts|null} reveal
 * @param {() => boolean} isFlying whether the last card is still on its way to its place
 * @returns {{stage: "rest"|Stage, moment: ReturnType<typeof momentOf>, next: () => void}} `moment`: what else
 *   the end of the round is */
export function useReveal(sight, act, motion, reveal, isFlying) {
  const heard = useRef(0);
  const { hold, turn, weight } = weightOf(reveal?.play ?? 1);
  const moment = momentOf(reveal, sight.lastReveal?.before, sight.options.victory === "rounds");
  const less = motion === "less" || !reveal?.cards;
  const { stage, skip, finish } = useStages({
    sight,
    act,
    motion,
    stages: STAGES,
    running: sight.revealing && reveal !== null,
    lasts: (at) => {
      if (at === "result") return reveal ? lingering(reveal, sight) : 0;
      if (at === "settle") return less || !reveal?.round ? 0 : SETTLE[isLoud(reveal) ? "loud" : moment || "plain"];
      if (less) return at === "turn" ? FADE : 0;
      if (at === "hold") return hold + (isFlying() ? SEALING.flight + SEALING.wax : 0);
      return at === "lift" ? LIFT : turn;
    },
    begins: (at) => {
      if (at === "hold" && !less) act.sound("pulse", weight);
      if (at === "lift" && !less) act.sound("lift", weight);
      if (at === "turn" && reveal?.cards) act.sound("turn", weight);
      if ((at === "settle" || at === "result") && reveal && heard.current !== reveal.decision) {
        heard.current = reveal.decision; // once, even if the way there is skipped
        soundOf(reveal, moment, sight.seat, act, weight);
      } else if (at === "result" && moment && reveal && isLoud(reveal)) {
        act.sound(moment, isGood(reveal, sight.seat) ? 1 : 0); // after the ticks
      }
    },
  });
  return { stage, moment, next: () => (stage === "result" ? finish() : skip("result")) };
}

/** Whether it is good for this seat; a spectator is glad with each winner.
 * @param {RevealFacts} reveal @param {number} you */
const isGood = ({ winner }, you) => you === 0 || winner === you;

/** @param {RevealFacts} reveal @param {ReturnType<typeof momentOf>} moment @param {number} you @param {Act} act
 * @param {number} weight */
function soundOf(reveal, moment, you, act, weight) {
  const good = isGood(reveal, you);
  if (reveal.stake) act.sound("seal", 0.3);
  else if (!reveal.winner) act.sound("draw", weight);
  else if (isLoud(reveal)) act.sound("plus5", good ? 1 : 0);
  else if (moment) act.sound(moment, good ? 1 : 0);
  else act.sound(good ? "win" : "lose", weight);
}
