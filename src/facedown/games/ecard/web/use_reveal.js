// The course of a reveal: hold, turn, told, done. Owns its timers; any key or tap goes on at once.
import { useEffect, useRef, useState } from "preact/hooks";
import { weightOf } from "./story.js";

/** @typedef {import("../../../web/app/contract.js").Sight} Sight */
/** @typedef {import("../../../web/app/contract.js").Act} Act */
/** @typedef {"rest"|"hold"|"turn"|"told"} Stage */

const FADE = 150;
const READ = { drawn: 1300, undecided: 2600, stake: 1400, watched: 3200, decided: 20000 };

/** How long the end of a reveal stays when nobody goes on by hand, in ms.
 * @param {import("./story.js").Story} story @param {boolean} watching */
function lingering(story, watching) {
  if (story.stake) return READ.stake;
  if (!story.round && !story.end) return READ.drawn;
  if (watching) return READ.watched;
  return story.winner || story.end ? READ.decided : READ.undecided;
}

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {import("./story.js").Story|null} story
 * @returns {{stage: Stage, next: () => void}} */
export function useReveal(sight, act, motion, story) {
  const running = sight.revealing && story !== null;
  const decision = running ? sight.lastReveal?.decision ?? 0 : 0;
  const [at, setAt] = useState({ decision: 0, stage: /** @type {Stage} */ ("rest") });
  const stage = !running ? "rest" : at.decision === decision ? at.stage : "hold";
  const move = (/** @type {Stage} */ to) => setAt({ decision, stage: to });
  /** By the timer: only from where it was set, for somebody may have skipped since. @param {Stage} from @param {Stage} to */
  const advance = (from, to) => setAt((now) => ((now.decision === decision ? now.stage : "hold") === from ? { decision, stage: to } : now));
  const done = useRef(0);
  const finish = () => {
    if (done.current === decision) return; // two keys in a row: the reveal has been seen once
    done.current = decision;
    act.revealed();
  };

  useEffect(() => {
    if (!running || !story) return undefined;
    const { hold, turn, weight } = weightOf(story.play);
    const less = motion === "less" || !story.cards;
    const wait = { rest: 0, hold: less ? 0 : hold, turn: less ? FADE : turn, told: lingering(story, sight.seat === 0) };
    if (stage === "hold" && story.cards && !less) act.sound("pulse", weight);
    if (stage === "turn" && story.cards) act.sound("turn", weight);
    if (stage === "told") soundOf(story, sight.seat, act, weight);
    const timer = setTimeout(() => {
      if (stage === "hold") advance("hold", "turn");
      else if (stage === "turn") advance("turn", "told");
      else finish();
    }, wait[stage]);
    return () => clearTimeout(timer);
  }, [running, decision, stage, motion]);

  const next = () => {
    if (!running) return;
    if (stage === "told") finish();
    else move("told");
  };
  return { stage, next };
}

/** @param {import("./story.js").Story} story @param {number} you @param {Act} act @param {number} weight */
function soundOf(story, you, act, weight) {
  if (story.stake) act.sound("seal", 0.3);
  else if (!story.winner) act.sound("draw", weight);
  else act.sound(you === 0 || story.winner === you ? "win" : "lose", story.best === "S" ? 1 : weight);
}
