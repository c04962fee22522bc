// The plan of a game, as its rules' text tells it. The text is canonical (R2): what it leaves out is as usual.

/** The presets in which rounds are counted unless their text says otherwise. */
const BY_ROUNDS = ["victories", "decisive"];

/** How many rounds are planned, how they stand in groups, and what is counted, as the rules' text says it (R2).
 * @param {string} rules */
export function planOf(rules) {
  const read = (/** @type {string} */ option, /** @type {number} */ usual) =>
    Number(rules.match(new RegExp(`\\b${option}=(\\d+)`))?.[1] ?? usual);
  const rounds = read("rounds", 12);
  const victory =
    rules.match(/\bvictory=(\w+)/)?.[1] ?? (BY_ROUNDS.includes(rules.split("(")[0]) ? "rounds" : "winnings");
  return { rounds, group: Math.min(read("group", 3), rounds), counts: victory === "rounds" ? "wins" : "winnings" };
}
