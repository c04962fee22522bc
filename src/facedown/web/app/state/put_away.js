// Games hidden from the list of your games: each stays hidden until your next turn in it.

/** @import { ListedTable } from "../net/rest.js" */

/** `turn`: when your turn had begun as it was hidden; 0 if it was not your turn.
 * @typedef {{table: string, turn: number}} PutAway */

const MOST = 200;

/** Your turn at a table, if it is. @param {Pick<ListedTable, "waiting"|"yours">} table */
export const ownTurn = ({ waiting, yours }) => waiting.find((each) => yours.includes(each.seat));

/** @param {ListedTable} table */
const turnOf = (table) => (table.your_turn ? (ownTurn(table)?.since ?? 0) : 0);

/** @param {ListedTable} table @param {PutAway[]} away */
export function isPutAway(table, away) {
  const put = away.find((each) => each.table === table.table);
  return put !== undefined && (!table.your_turn || turnOf(table) === put.turn);
}

/** The list with a table added or removed. @param {ListedTable} table @param {PutAway[]} away @returns {PutAway[]} */
export function toggle(table, away) {
  const others = away.filter((each) => each.table !== table.table);
  return isPutAway(table, away) ? others : [...others, { table: table.table, turn: turnOf(table) }].slice(-MOST);
}
