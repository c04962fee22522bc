// The course of a reveal: hold, turn, told, done. Any key or tap goes on at once.
import { useCourse } from "/app/table/use_course.js";
import { weightOf } from "./story.js";

/** @import { Act, Sight } from "/app/contract.js" */
/** @import { Story } from "./story.js" */

/** @typedef {"hold"|"turn"|"told"} Stage */

const STAGES = /** @type {const} */ (["hold", "turn", "told"]);
const FADE = 150;
const READ = { drawn: 1300, undecided: 2600, stake: 1400, watched: 3200, decided: 20000 };

/** How long the end of a reveal stays when nobody goes on by hand, in ms.
 * @param {Story} story @param {boolean} watching */
function lingering(story, watching) {
  if (story.stake) return READ.stake;
  if (!story.round && !story.end) return READ.drawn;
  if (watching) return READ.watched;
  return story.winner || story.end ? READ.decided : READ.undecided;
}

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {Story|null} story
 * @returns {{stage: "rest"|Stage, next: () => void}} */
export function useReveal(sight, act, motion, story) {
  const { hold, turn, weight } = weightOf(story?.play ?? 1);
  const less = motion === "less" || !story?.cards;
  const { stage, skip, finish } = useCourse({
    sight,
    act,
    motion,
    stages: STAGES,
    running: sight.revealing && story !== null,
    lasts: (at) =>
      ({ hold: less ? 0 : hold, turn: less ? FADE : turn, told: story ? lingering(story, sight.seat === 0) : 0 })[at],
    begins: (at) => {
      if (at === "hold" && !less) act.sound("pulse", weight);
      if (at === "turn" && story?.cards) act.sound("turn", weight);
      if (at === "told" && story) soundOf(story, sight.seat, act, weight);
    },
  });
  return { stage, next: () => (stage === "told" ? finish() : skip("told")) };
}

/** @param {Story} story @param {number} you @param {Act} act @param {number} weight */
function soundOf(story, you, act, weight) {
  if (story.stake) act.sound("seal", 0.3);
  else if (!story.winner) act.sound("draw", weight);
  else act.sound(you === 0 || story.winner === you ? "win" : "lose", story.best === "S" ? 1 : weight);
}
