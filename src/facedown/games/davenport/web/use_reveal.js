// The course of a reveal: hold, turn, lift, draw, done. Any key or tap goes to the end at once.
import { useCourse } from "/app/table/use_course.js";
import { travels } from "./story.js";

/** @import { Act, Sight } from "/app/contract.js" */
/** @import { Story } from "./story.js" */

/** @typedef {"hold"|"turn"|"lift"|"draw"} Stage */

export const FLIGHT = 360;
export const APART = 120;
const STAGES = /** @type {const} */ (["hold", "turn", "lift", "draw"]);
const NOTHING_TURNED = /** @type {const} */ (["draw"]);

/** How heavy a reveal is, 0 to 2: the fewer cards somebody has left, the heavier.
 * @param {any} before */
function heaviness(before) {
  const least = Math.min(...before.seats_in.map((/** @type {number} */ seat) => before.hands[seat - 1]));
  return Math.max(0, 3 - least);
}

/** How long the cards turn, in ms.
 * @param {any} before */
export const turnOf = (before) => [420, 640, 900][heaviness(before)];

/** How long each stage lasts, in ms.
 * @param {Story} story @param {any} before @param {"full"|"less"} motion @returns {Record<Stage, number>} */
function lengths(story, before, motion) {
  const flights = travels(story.drew).length;
  const ending = story.end || story.playoff ? 2600 : 700;
  if (motion === "less") return { hold: 0, turn: 150, lift: 900, draw: ending };
  return {
    hold: [200, 350, 500][heaviness(before)],
    turn: turnOf(before),
    lift: 700,
    draw: (flights ? FLIGHT + (flights - 1) * APART : 0) + ending,
  };
}

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {Story|null} story
 * @returns {{stage: "rest"|Stage, next: () => void}} */
export function useReveal(sight, act, motion, story) {
  const { stage, finish } = useCourse({
    sight,
    act,
    motion,
    stages: story?.turned ? STAGES : NOTHING_TURNED,
    running: sight.revealing && story !== null,
    lasts: (at) => (story?.turned ? lengths(story, sight.lastReveal?.before, motion)[at] : 0),
    begins: (at) => {
      if (!story?.turned) return;
      if (at === "turn") act.sound("turn", 0.6);
      if (at === "lift") act.sound(story.turned.winners.includes(sight.seat) || sight.seat === 0 ? "win" : "lose", 0.5);
      if (at === "draw" && story.drew.length) act.sound("deal", 0.4);
    },
  });
  return { stage, next: finish };
}
