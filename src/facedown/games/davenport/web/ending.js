// The end of a game of Davenport from its last view: the cards that each seat held after each round, and those that
// decided.

import { callers } from "/app/table/seats.js";

/** @import { NarrationContext, Outline } from "/app/contract.js" */

const DEALT = 5;
const VALUES = "A23456789TJQK";

/** The rounds that were turned, in a phase if one is named. @param {any} view @param {string} [phase] */
const roundsOf = ({ history }, phase) =>
  history.filter((/** @type {any} */ each) => each.shown && (!phase || each.phase === phase));

/** The cards in a seat's hand when dealt and after each round that it took part in, before any playoff.
 * @param {any} view @param {number} seat @returns {number[]} */
const handsOf = (view, seat) => [
  DEALT,
  ...roundsOf(view, "main").flatMap((/** @type {any} */ { shown, hands }) =>
    shown[seat - 1] ? [hands[seat - 1]] : [],
  ),
];

/** The winner's card in the last round that was turned, and the card it is shown with: the reader's own, else the
 * highest of the others. @param {any} view @param {number} you @returns {Outline["cards"]} */
function decidingCards(view, you) {
  const round = roundsOf(view).at(-1);
  const { winner } = view.outcome;
  if (!round) return [];
  const value = (/** @type {number} */ seat) => VALUES.indexOf(round.shown[seat - 1][0]);
  const turned = round.shown.flatMap((/** @type {string|null} */ card, /** @type {number} */ i) =>
    card ? [i + 1] : [],
  );
  const first = turned.includes(winner) ? winner : round.winners[0];
  const others = turned.filter((/** @type {number} */ seat) => seat !== first);
  const second = others.includes(you)
    ? you
    : others.sort((/** @type {number} */ a, /** @type {number} */ b) => value(b) - value(a))[0];
  return [second, first].filter(Boolean).map((seat) => ({
    seat,
    pick: round.shown[seat - 1],
    won: seat === winner || round.winners.includes(seat),
  }));
}

/** @param {any} view @param {NarrationContext} ctx @param {number} step the one that decided @returns {Outline} */
export function outline(view, ctx, step) {
  const seats = Array.from({ length: view.seats }, (_, i) => i + 1);
  const { call } = callers(ctx.you, ctx.names, ctx.words);
  const { winner } = view.outcome;
  const lines = seats.map((seat) => ({ seat, values: handsOf(view, seat) }));
  const steps = roundsOf(view, "main").length;
  return {
    cards: decidingCards(view, ctx.you),
    loud: false,
    step,
    lines: [...lines.filter(({ seat }) => seat !== ctx.you), ...lines.filter(({ seat }) => seat === ctx.you)],
    names: true,
    summary: ctx.words("course", { name: winner ? call(winner) : "", count: steps }),
    stepName: (step) => ctx.words("round.number", { round: step }),
  };
}
