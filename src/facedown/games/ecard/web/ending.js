// The end of a game of E-Card from its last view: the score after each round, and the cards of the round that decided.

import { callers } from "/app/table/seats.js";

/** @import { NarrationContext, Outline } from "/app/contract.js" */

const FORFEIT = "forfeit"; // stands for a card that was not opened

/** The score at the start and after each round, by seat. @param {any} view @returns {number[][]} */
function scoresOf({ rounds, score, purses, wins }) {
  const course = [score];
  const counted = !purses && score.every((/** @type {number} */ each, /** @type {number} */ i) => each === wins[i]);
  for (const { winner, paid } of [...rounds].reverse()) {
    const [after] = course;
    const won = counted ? 1 : paid;
    const before = [1, 2].map((seat) => after[seat - 1] - (seat === winner ? won : purses && winner ? -won : 0));
    course.unshift(before);
  }
  return course;
}

/** @param {any} view @param {NarrationContext} ctx @param {number} round the one that decided @returns {Outline} */
export function outline(view, ctx, round) {
  const scores = scoresOf(view);
  const below = ctx.you || 1;
  const seats = [3 - below, below];
  const shown = view.rounds[(round || view.rounds.length) - 1];
  const { call } = callers(ctx.you, ctx.names, ctx.words);
  const [mine, theirs] = [view.outcome.score[below - 1], view.outcome.score[2 - below]];
  return {
    cards: seats.map((seat) => ({
      seat,
      pick: shown ? shown.cards[seat - 1] || FORFEIT : FORFEIT,
      won: shown?.winner ? shown.winner === seat : null,
    })),
    loud: shown?.winner ? shown.cards[shown.winner - 1] === "S" : false,
    step: view.outcome.winner === null || shown?.winner === view.outcome.winner ? round : 0,
    lines: seats.map((seat) => ({ seat, values: scores.map((each) => each[seat - 1]) })),
    cells: view.rounds.map((/** @type {any} */ each) =>
      seats.map((seat) => ({
        pick: each.cards[seat - 1] || FORFEIT,
        won: each.winner === seat,
        text: each.winner === seat ? `+${each.paid}` : "",
      })),
    ),
    nobody: ctx.words("ledger.no_one"),
    parts: view.sides.flatMap((/** @type {number} */ seat, /** @type {number} */ place) =>
      place > 0 && seat !== view.sides[place - 1] ? [place] : [],
    ),
    summary: ctx.words("ledger.course", { name: call(below), other: call(3 - below), mine, theirs }),
    stepName: (step) => ctx.words("round.number", { round: step }),
  };
}
