// Davenport in the browser: everything that the shell asks of a game.

import { Table } from "./board/board.js";
import { Emblem, Pick } from "./drawing.js";
import { due } from "./due.js";
import { outline } from "./ending.js";
import { Aces, Exchange, Highest, Playoff } from "./examples.js";
import { isFallen, momentOf, revealFacts, turnedRounds } from "./reveal/facts.js";
import { pace } from "./reveal/use_reveal.js";
import { answer, choice, narrate, pickName, place, standing } from "./words/narration.js";

/** @import { GameTable, Hint, Lesson, Sight } from "/app/contract.js" */

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

/** The playable examples of the rules page, in the order of the rules. */
const examples = [
  { id: "exchange", title: "example.exchange.title", rules: ["D3"], Component: Exchange },
  { id: "highest", title: "example.highest.title", rules: ["D6", "D7"], Component: Highest },
  { id: "ace", title: "example.ace.title", rules: ["D11", "D12", "D13", "D15"], Component: Aces },
  { id: "playoff", title: "example.playoff.title", rules: ["D10", "D16", "D17", "D18"], Component: Playoff },
];

/** What lay on the table in a round: after an exchange the card from the stock.
 * @param {import("/app/contract.js").GameEvent[]} events */
const turned = (events) =>
  events.flatMap(({ kind, facts }) => {
    if (kind !== "reveal") return [];
    const { shown, winners } = /** @type {any} */ (facts);
    return shown.flatMap((/** @type {string|null} */ card, /** @type {number} */ place) =>
      card ? [{ seat: place + 1, pick: card, won: winners.includes(place + 1) }] : [],
    );
  });

/** A round is decisive if it ends the game, if an Ace beats the faces or falls, or if its winner has one card left.
 * @type {NonNullable<GameTable["moods"]>} */
function moods(reveal, { seat: you, view }) {
  const facts = revealFacts(reveal, you);
  const { turned, end } = facts;
  if (!turned) return {};
  const isSpecial = ["upset", "fall"].includes(momentOf(facts));
  /** @type {Record<number, "hit"|"pleased">} */
  const found = {};
  turned.shown.forEach((card, place) => {
    const seat = place + 1;
    const won = end ? end.winner === seat : turned.winners.includes(seat);
    if (!card) return;
    if (won && (end || isSpecial || view.hands[place] === 1)) found[seat] = "pleased";
    else if (end || (isSpecial && isFallen(facts, seat))) found[seat] = "hit";
  });
  return found;
}

/** @type {GameTable} */
export default {
  moods,
  rounds: turnedRounds,
  styles: "/games/davenport/table.css",
  Table,
  Summary: Emblem,
  Pick,
  narrate,
  answer,
  pickName,
  choice,
  place,
  standing,
  outline,
  pace,
  due,
  rulesExamples: examples,
  seats: 4,
  review: { turned },
  hints,
  lessons,
};
