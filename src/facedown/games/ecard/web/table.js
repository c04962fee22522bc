// E-Card in the browser: everything that the shell asks of a game.
import { Emblem } from "./emblem.js";
import { examples } from "./examples/all.js";
import { Pick } from "./pick.js";
import { Table } from "./stage.js";
import { pickName, place, tell } from "./telling.js";
import en from "./words.en.js";
import ja from "./words.ja.js";

/** @import { GameTable } from "/app/contract.js" */

/** The one draw there can be: which of the two seats is the Emperor side first (R1).
 * @param {{chance: string[]}} record */
const draws = ({ chance }) => chance.map((seat) => ({ count: 2, place: ["1", "2"].indexOf(seat) }));

/** @type {GameTable} */
export default {
  words: { en, ja },
  styles: "/games/ecard/table.css",
  Table,
  Summary: Emblem,
  Pick,
  tell,
  pickName,
  place,
  rulesExamples: examples,
  review: { draws },
};
