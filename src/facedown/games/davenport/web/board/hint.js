// What the raised card may win or cost, in one sentence. Repeats the rules' words; the table judges.

/** @import { Sight, Words } from "/app/contract.js" */

/** @param {string} card @param {Sight} sight @param {Words} words */
export function hintOf(card, sight, words) {
  const { view, options } = sight;
  if (view.phase === "playoff") return words(`hint.playoff.${options.playoff ?? "elimination"}`);
  const hint = words(keyOf(card[0], options.ace === "on"));
  return view.hand.length === 1 ? words("hint.last", { hint }) : hint;
}

/** @param {string} rank @param {boolean} aces whether the Ace rules hold */
function keyOf(rank, aces) {
  if (rank === "A") return aces ? "hint.ace" : "hint.lowest";
  if (aces && "JQK".includes(rank)) return "hint.face";
  return rank === "K" ? "hint.king" : "hint.card";
}
