// Davenport in the browser: everything that the shell asks of a game.

import words from "/words/games/davenport/en.js";
import { Table } from "./board/board.js";
import { hints, lessons } from "./board/guide.js";
import { Emblem, Pick } from "./drawing/card.js";
import { Aces } from "./examples/aces.js";
import { Exchange } from "./examples/exchange.js";
import { Highest } from "./examples/highest.js";
import { Playoff } from "./examples/playoff.js";
import { narrate, pickName, place, standing } from "./words/narration.js";

/** @import { GameTable } from "/app/contract.js" */

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

/** @type {GameTable} */
export default {
  words,
  levels: { random: "easy", highest: "easy", lowest: "easy", careful: "hard", expert: "hard" },
  styles: "/games/davenport/table.css",
  Table,
  Summary: Emblem,
  Pick,
  narrate,
  pickName,
  place,
  standing,
  rulesExamples: examples,
  seats: 4,
  review: { turned },
  hints,
  lessons,
};
