// Stages of a reveal: all cards lie there, their corners come up, they turn, the best is lifted, others draw. Any key
// or tap goes to the result at once, which stays until the player goes on; spectators see it for a while.

import { UNTIL_ACTED, useStages } from "/app/table/use_stages.js";
import { momentOf, travels } from "./facts.js";

/** @import { RevealFacts } from "./facts.js" */
/** @import { Act, Sight } from "/app/contract.js" */

/** @typedef {"hold"|"corners"|"turn"|"lift"|"draw"|"result"} Stage */

export const FLIGHT = 360;
export const APART = 120;
const WATCHED = 4000;
const ENDING = 2600;
/** How long the winner's card is looked at, in ms. */
const LIFTED = { plain: 700, tie: 1000, upset: 1100, fall: 900, decided: 1500 };
const STAGES = /** @type {const} */ (["hold", "corners", "turn", "lift", "draw", "result"]);
const NOTHING_TURNED = /** @type {const} */ (["draw"]);

const HOLD = [200, 350, 500]; // by how heavy it is
const CORNERS = 250;
const TURN = [420, 640, 900];

/** How long the stages of the reveal that decided take, in ms: someone plays the last card. */
export const pace = () => ({ hold: HOLD[2], lift: CORNERS, turn: TURN[2], settle: LIFTED.decided });

/** How heavy a reveal is, 0 to 2: the fewer cards a seat has left, the heavier.
 * @param {any} before */
function heaviness(before) {
  const least = Math.min(...before.seats_in.map((/** @type {number} */ seat) => before.hands[seat - 1]));
  return Math.max(0, 3 - least);
}

/** How long the cards turn, in ms.
 * @param {any} before */
export const turnOf = (before) => TURN[heaviness(before)];

/** The seats that play their last card in a round that is about to be turned, unless a playoff deals again.
 * @param {RevealFacts|null} reveal @param {any} before @returns {number[]} */
export function lastCards(reveal, before) {
  if (!reveal?.turned || before?.phase !== "main") return [];
  return reveal.turned.shown.flatMap((card, i) => (card && before.hands[i] === 1 ? [i + 1] : []));
}

/** How long each stage lasts, in ms. @param {RevealFacts} reveal @param {Sight} sight @param {"full"|"less"} motion
 * @param {number} flying until the last card lies sealed @returns {Record<Stage, number>} */
function lengths(reveal, sight, motion, flying) {
  const flights = travels(reveal.drew).length;
  const before = sight.lastReveal?.before;
  const result = reveal.end ? ENDING : isReader(sight) ? UNTIL_ACTED : WATCHED;
  if (motion === "less") return { hold: 0, corners: 0, turn: 150, lift: 500, draw: 0, result };
  return {
    hold: flying + HOLD[heaviness(before)] + (lastCards(reveal, before).length ? 400 : 0),
    corners: CORNERS,
    turn: turnOf(before),
    lift: LIFTED[momentOf(reveal) || "plain"],
    draw: flights ? FLIGHT + (flights - 1) * APART : 0,
    result,
  };
}

/** Whether the result waits for this viewer: a player who plays on, or people who share one device.
 * @param {Sight} sight */
const isReader = (sight) => sight.shared || sight.view.seats_in.includes(sight.seat);

/** The sound of the best card. @param {RevealFacts} reveal @param {number} you @param {Act} act */
function soundOf(reveal, you, act) {
  const isGood = you === 0 || (reveal.turned?.winners.includes(you) ?? false);
  const moment = momentOf(reveal);
  if (moment === "decided") act.sound("decided", you === 0 || reveal.end?.winner === you ? 1 : 0);
  else if (moment === "upset" || moment === "tie") act.sound(moment, 0.5);
  else act.sound(isGood ? "win" : "lose", 0.5);
}

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {RevealFacts|null} reveal
 * @param {() => number} flying how long it takes until the last card lies sealed, in ms
 * @returns {{stage: "rest"|Stage, next: () => void}} */
export function useReveal(sight, act, motion, reveal, flying) {
  const before = sight.lastReveal?.before;
  const { stage, skip, finish } = useStages({
    sight,
    act,
    motion,
    stages: reveal?.turned ? STAGES : NOTHING_TURNED,
    running: sight.revealing && reveal !== null,
    lasts: (at) => (reveal?.turned ? lengths(reveal, sight, motion, flying())[at] : 0),
    begins: (at) => {
      if (!reveal?.turned) return;
      if (at === "hold" && lastCards(reveal, before).length) act.sound("last");
      if (at === "corners" && motion === "full") act.sound("lift", heaviness(before) / 2);
      if (at === "turn") act.sound("turn", heaviness(before) / 2);
      if (at === "lift") soundOf(reveal, sight.seat, act);
      if (at === "draw" && reveal.drew.length) act.sound("deal", 0.4);
    },
  });
  return { stage, next: () => (reveal?.turned && stage !== "result" ? skip("result") : finish()) };
}
