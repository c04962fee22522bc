// The guided first game of Davenport and its pictures of *How to play*: when each hint is due, and what each shows.

/** @import { Hint, Lesson, Sight } from "/app/contract.js" */

/** Whether the last round was won by the viewer; null before there was one. @param {Sight} sight */
function wonLast({ view, seat }) {
  const last = view.history.findLast((/** @type {any} */ each) => each.winners);
  return last ? last.winners.includes(seat) : null;
}

/** @type {Hint[]} */
export const hints = [
  { id: "goal", when: ({ mayPick, view }) => mayPick && view.round === 1 },
  { id: "seal", when: ({ mayPick, view }) => mayPick && view.round === 1 },
  { id: "won", when: (sight) => sight.mayPick && sight.view.round === 2 && wonLast(sight) === true },
  { id: "drew", when: (sight) => sight.mayPick && sight.view.round === 2 && wonLast(sight) === false },
  {
    id: "exchange",
    when: ({ mayPick, view, legal }) => mayPick && view.round > 1 && legal.some((each) => each.startsWith("x")),
  },
];

/** @type {Lesson[]} */
export const lessons = [
  { id: "seal", picture: ["face down", "face down", "face down"] },
  { id: "highest", picture: ["KH", ">", "9S", ">", "4D"] },
  { id: "draws", picture: ["4D", "+", "face down"] },
  { id: "tie", picture: ["QH", "=", "QC"] },
  { id: "exchange", picture: ["2C", "swap", "face down"] },
  { id: "out", picture: ["7D"] },
];
