// Stages of a reveal: hold, turn, lift, draw, result. Any key or tap goes to the result at once, which stays until the
// player goes on; spectators see it for a while.

import { UNTIL_ACTED, useStages } from "/app/table/use_stages.js";
import { travels } from "./facts.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Act, Sight } from "/app/contract.js" */

/** @typedef {"hold"|"turn"|"lift"|"draw"|"result"} Stage */

export const FLIGHT = 360;
export const APART = 120;
const WATCHED = 4000;
const ENDING = 2600;
const STAGES = /** @type {const} */ (["hold", "turn", "lift", "draw", "result"]);
const NOTHING_TURNED = /** @type {const} */ (["draw"]);

/** How heavy a reveal is, 0 to 2: the fewer cards a seat has left, the heavier.
 * @param {any} before */
function heaviness(before) {
  const least = Math.min(...before.seats_in.map((/** @type {number} */ seat) => before.hands[seat - 1]));
  return Math.max(0, 3 - least);
}

/** How long the cards turn, in ms.
 * @param {any} before */
export const turnOf = (before) => [420, 640, 900][heaviness(before)];

/** How long each stage lasts, in ms.
 * @param {RevealFacts} reveal @param {Sight} sight @param {"full"|"less"} motion @returns {Record<Stage, number>} */
function lengths(reveal, sight, motion) {
  const flights = travels(reveal.drew).length;
  const before = sight.lastReveal?.before;
  const result = reveal.end ? ENDING : isReader(sight) ? UNTIL_ACTED : WATCHED;
  if (motion === "less") return { hold: 0, turn: 150, lift: 500, draw: 0, result };
  return {
    hold: [200, 350, 500][heaviness(before)],
    turn: turnOf(before),
    lift: 700,
    draw: flights ? FLIGHT + (flights - 1) * APART : 0,
    result,
  };
}

/** Whether the result waits for this viewer: a player who plays on, or people who share one device.
 * @param {Sight} sight */
const isReader = (sight) => sight.shared || sight.view.seats_in.includes(sight.seat);

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {RevealFacts|null} reveal
 * @returns {{stage: "rest"|Stage, next: () => void}} */
export function useReveal(sight, act, motion, reveal) {
  const { stage, skip, finish } = useStages({
    sight,
    act,
    motion,
    stages: reveal?.turned ? STAGES : NOTHING_TURNED,
    running: sight.revealing && reveal !== null,
    lasts: (at) => (reveal?.turned ? lengths(reveal, sight, motion)[at] : 0),
    begins: (at) => {
      if (!reveal?.turned) return;
      if (at === "turn") act.sound("turn", 0.6);
      if (at === "lift")
        act.sound(reveal.turned.winners.includes(sight.seat) || sight.seat === 0 ? "win" : "lose", 0.5);
      if (at === "draw" && reveal.drew.length) act.sound("deal", 0.4);
    },
  });
  return { stage, next: () => (reveal?.turned && stage !== "result" ? skip("result") : finish()) };
}
