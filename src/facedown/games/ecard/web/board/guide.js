// The guided first game of E-Card and its pictures of *How to play*: when each hint is due, what each picture shows.

/** @import { Hint, Lesson, Sight } from "/app/contract.js" */

/** @param {Sight} sight */
const choosing = ({ mayPick, view }) => mayPick && view?.stake !== null;

/** @param {Sight} sight */
const isEmperor = ({ view, seat }) => view.emperor === seat;

/** Whether the sides are no longer those of the first round. @param {Sight} sight */
const swapped = ({ view }) => view.rounds.length > 0 && view.emperor !== view.sides[0];

/** @type {Hint[]} */
export const hints = [
  { id: "emperor", when: (sight) => choosing(sight) && isEmperor(sight) && !swapped(sight) },
  { id: "seal", when: (sight) => choosing(sight) && sight.view.round === 1 },
  { id: "draw", when: (sight) => choosing(sight) && sight.view.play > 1 },
  { id: "swap", when: (sight) => choosing(sight) && swapped(sight) },
];

/** @type {Lesson[]} */
export const lessons = [
  { id: "seal", picture: ["face down", "face down"] },
  { id: "emperor", picture: ["E", ">", "C"] },
  { id: "citizen", picture: ["C", ">", "S"] },
  { id: "slave", picture: ["S", ">", "E"] },
  { id: "draw", picture: ["C", "=", "C"] },
  { id: "swap", picture: ["E", "swap", "S"] },
];
