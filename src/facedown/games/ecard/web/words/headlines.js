// Whose card beat whose, in one sentence: "Sage’s Slave beats your Emperor".

/** @import { Words } from "/app/contract.js" */

/** `you` is 0 for a spectator.
 * @param {{cards: string[], winner: number, you: number, call: (seat: number) => string}} turned
 * @param {Words} words */
export function headline({ cards, winner, you, call }, words) {
  const loser = 3 - winner;
  const key = you === 0 ? "beats.watched" : winner === you ? "beats.you" : "beats.other";
  return words(key, {
    winner: call(winner),
    loser: call(loser),
    best: words(`card.${cards[winner - 1]}`),
    worst: words(`card.${cards[loser - 1]}`),
  });
}
