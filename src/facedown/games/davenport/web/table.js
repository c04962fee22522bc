// Davenport in the browser: everything that the shell asks of a game.
import { drawsOf } from "/app/table/draws.js";
import { Emblem } from "./emblem.js";
import { examples } from "./examples/all.js";
import { Pick } from "./pick.js";
import { Table } from "./stage.js";
import { pickName, place, tell } from "./telling.js";
import en from "./words.en.js";
import ja from "./words.ja.js";

/** @import { GameTable } from "/app/contract.js" */

/** @type {GameTable} */
export default {
  words: { en, ja },
  styles: "/games/davenport/table.css",
  Table,
  Summary: Emblem,
  Pick,
  tell,
  pickName,
  place,
  rulesExamples: examples,
  seats: 4,
  review: { draws: drawsOf },
};
