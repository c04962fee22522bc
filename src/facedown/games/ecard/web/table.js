// E-Card in the browser: everything that the shell asks of a game.

import { Table } from "./board/board.js";
import { Emblem, Pick } from "./drawing/card.js";
import { Seal } from "./drawing/wax.js";
import { due } from "./due.js";
import { outline } from "./ending.js";
import { Pays, Ruin, ThirdDraw, ThreeCards } from "./examples.js";
import { momentOf, revealFacts } from "./reveal/facts.js";
import { isLoud, pace } from "./reveal/use_reveal.js";
import { answer, choice, howEnded, narrate, pickName, place, standing } from "./words/narration.js";

/** @import { GameTable, Hint, Lesson, Sight } from "/app/contract.js" */

/** @param {Sight} sight */
const choosing = ({ mayPick, view }) => mayPick && view?.stake !== null;

/** Whether this seat may choose, also behind the result of a drawn play, which stays until a card is raised.
 * @param {Sight} sight */
const isOpen = ({ turn, seat, placed, view }) =>
  turn?.may_seal.includes(seat) === true && placed === null && view?.stake !== null;

/** @param {Sight} sight */
const isEmperor = ({ view, seat }) => view.emperor === seat;

/** @type {Hint[]} */
export const hints = [
  { id: "emperor", when: (sight) => choosing(sight) && isEmperor(sight) },
  { id: "slave", when: (sight) => choosing(sight) && !isEmperor(sight) },
  { id: "seal", when: (sight) => choosing(sight) && sight.view.round === 1 },
  { id: "draw", when: (sight) => isOpen(sight) && sight.view.play > 1 },
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

/** The one draw there can be: which of the two seats is the Emperor side first (R1).
 * @param {{chance: string[]}} record */
const draws = ({ chance }) => chance.map((seat) => ({ count: 2, place: ["1", "2"].indexOf(seat) }));

/** The two cards of a play, and which of them won it.
 * @param {import("/app/contract.js").GameEvent[]} events */
const turned = (events) =>
  events.flatMap(({ kind, facts }) => {
    if (kind !== "reveal") return [];
    const { cards, winner } = /** @type {any} */ (facts);
    return cards.map((/** @type {string} */ pick, /** @type {number} */ place) => ({
      seat: place + 1,
      pick,
      won: winner === place + 1,
    }));
  });

/** A round is decisive if the Slave beats the Emperor, if it decides the game, or if the winner was far behind.
 * @type {NonNullable<GameTable["moods"]>} */
function moods(reveal, { options }) {
  const facts = revealFacts(reveal);
  const { winner, round } = facts;
  const decides = isLoud(facts) || momentOf(facts, reveal.before, options.victory === "rounds");
  return round && winner && decides ? { [winner]: "pleased", [3 - winner]: "hit" } : {};
}

/** The playable examples of the rules page, in the order of the rules. */
const examples = [
  { id: "cards", title: "example.cards.title", rules: ["E1"], Component: ThreeCards },
  { id: "third", title: "example.third.title", rules: ["E5", "E6"], Component: ThirdDraw },
  { id: "pays", title: "example.pays.title", rules: ["E10"], Component: Pays },
  { id: "ruin", title: "example.ruin.title", rules: ["E13"], Component: Ruin },
];

/** @type {GameTable} */
export default {
  moods,
  rounds: (/** @type {{rounds: unknown[]}} */ view) => view.rounds.length,
  styles: "/games/ecard/table.css",
  Table,
  Summary: Emblem,
  Pick,
  narrate,
  answer,
  pickName,
  choice,
  place,
  standing,
  howEnded,
  outline,
  pace,
  Seal,
  due,
  rulesExamples: examples,
  review: { draws, turned },
  hints,
  lessons,
  poster: "S",
  lengths: ["short", "classic"],
  sides: ["side.E", "side.S"],
  even: { option: "first", value: "drawn" },
};
