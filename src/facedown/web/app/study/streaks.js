// Streaks of the trainer in this browser: right answers in a row by game, and the results of the day.

import { read, write } from "../storage.js";

/** @typedef {{now: number, most: number}} Streak */

/** @param {string} game @returns {Streak} */
export const streakOf = (game) =>
  read("streaks", /** @type {Record<string, Streak>} */ ({}))[game] ?? { now: 0, most: 0 };

/** The streak after one more answer. @param {string} game @param {boolean} right @returns {Streak} */
export function countAnswer(game, right) {
  const before = streakOf(game);
  const now = right ? before.now + 1 : 0;
  const after = { now, most: Math.max(before.most, now) };
  write("streaks", { ...read("streaks", {}), [game]: after });
  return after;
}

/** The points of a day's questions that are answered already. @param {string} game @param {string} day
 * @returns {number[]} */
export function dayOf(game, day) {
  const kept = read("days", /** @type {Record<string, {day: string, points: number[]}>} */ ({}))[game];
  return kept?.day === day ? kept.points : [];
}

/** @param {string} game @param {string} day @param {number} points */
export function countDay(game, day, points) {
  const after = [...dayOf(game, day), points];
  write("days", { ...read("days", {}), [game]: { day, points: after } });
  return after;
}
