// Games that were put away from the list of one's games: each stays away until another turn of one's own.

/** @import { ListedTable } from "../net/rest.js" */

/** `turn`: since when it was one's own turn as it was put away; 0 where it was not.
 * @typedef {{table: string, turn: number}} PutAway */

const MOST = 200;

/** One's own turn, where it is. @param {Pick<ListedTable, "waiting"|"yours">} table */
export const ownTurn = ({ waiting, yours }) => waiting.find((each) => yours.includes(each.seat));

/** @param {ListedTable} table */
const turnOf = (table) => (table.your_turn ? (ownTurn(table)?.since ?? 0) : 0);

/** @param {ListedTable} table @param {PutAway[]} away */
export function isPutAway(table, away) {
  const put = away.find((each) => each.table === table.table);
  return put !== undefined && (!table.your_turn || turnOf(table) === put.turn);
}

/** Put away, or brought back. @param {ListedTable} table @param {PutAway[]} away @returns {PutAway[]} */
export function toggled(table, away) {
  const others = away.filter((each) => each.table !== table.table);
  return isPutAway(table, away) ? others : [...others, { table: table.table, turn: turnOf(table) }].slice(-MOST);
}
