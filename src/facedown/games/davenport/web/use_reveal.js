// The course of a reveal: hold, turn, lift, draw, done. Owns its timers; any key or tap goes to the end at once.
import { useEffect, useRef, useState } from "preact/hooks";
import { travels } from "./story.js";

/** @typedef {import("../../../web/app/contract.js").Sight} Sight */
/** @typedef {import("../../../web/app/contract.js").Act} Act */
/** @typedef {import("./story.js").Story} Story */
/** @typedef {"rest"|"hold"|"turn"|"lift"|"draw"} Stage */

export const FLIGHT = 360;
export const APART = 120;
const NEXT = /** @type {Record<Stage, Stage>} */ ({ rest: "rest", hold: "turn", turn: "lift", lift: "draw", draw: "rest" });

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
  if (motion === "less") return { rest: 0, hold: 0, turn: 150, lift: 900, draw: ending };
  return {
    rest: 0,
    hold: [200, 350, 500][heaviness(before)],
    turn: turnOf(before),
    lift: 700,
    draw: (flights ? FLIGHT + (flights - 1) * APART : 0) + ending,
  };
}

/** @param {Sight} sight @param {Act} act @param {"full"|"less"} motion @param {Story|null} story
 * @returns {{stage: Stage, next: () => void}} */
export function useReveal(sight, act, motion, story) {
  const running = sight.revealing && story !== null;
  const decision = running ? sight.lastReveal?.decision ?? 0 : 0;
  const [at, setAt] = useState({ decision: 0, stage: /** @type {Stage} */ ("rest") });
  const stage = !running ? "rest" : at.decision === decision ? at.stage : "hold";
  const done = useRef(0);
  const finish = () => {
    if (!running || done.current === decision) return; // two keys in a row: the reveal has been seen once
    done.current = decision;
    act.revealed();
  };

  useEffect(() => {
    if (!running || !story) return undefined;
    if (!story.turned) return finish();
    if (stage === "turn") act.sound("turn", 0.6);
    if (stage === "lift") act.sound(story.turned.winners.includes(sight.seat) || sight.seat === 0 ? "win" : "lose", 0.5);
    if (stage === "draw" && story.drew.length) act.sound("deal", 0.4);
    const wait = lengths(story, sight.lastReveal?.before, motion)[stage];
    const timer = setTimeout(() => (stage === "draw" ? finish() : setAt({ decision, stage: NEXT[stage] })), wait);
    return () => clearTimeout(timer);
  }, [running, decision, stage, motion]);

  return { stage, next: finish };
}
