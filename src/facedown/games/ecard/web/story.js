// What a reveal tells, taken apart for the table: which cards, who won, what it paid. Reads events, judges nothing.

/** @import { Reveal } from "/app/contract.js" */

/** @typedef {object} Story
 * @property {number} play        the play that was turned; 1 where a stake was named
 * @property {string[]|null} cards  by seat; null where no card was turned
 * @property {number|null} winner
 * @property {string} best        the winning card, "" where nobody won
 * @property {string} worst
 * @property {{round: number, winner: number|null, paid: number, score: number[]}|null} round  where it ended the round
 * @property {{seat: number, stake: number}|null} stake
 * @property {{winner: number|null, termination: string, score: number[]}|null} end
 * @property {string[]} rules     the rules that made it so */

/** @param {Reveal} reveal @returns {Story} */
export function storyOf(reveal) {
  const facts = (/** @type {string} */ kind) => reveal.events.find((event) => event.kind === kind)?.facts ?? null;
  const turned = facts("reveal");
  const winner = turned?.winner ?? null;
  return {
    play: turned?.play ?? 1,
    cards: turned?.cards ?? null,
    winner,
    best: winner ? turned?.cards[winner - 1] : "",
    worst: winner ? turned?.cards[2 - winner] : "",
    round: /** @type {Story["round"]} */ (facts("round")),
    stake: /** @type {Story["stake"]} */ (facts("stake")),
    end: /** @type {Story["end"]} */ (facts("end")),
    rules: [...new Set(reveal.events.flatMap((event) => event.rules ?? []))],
  };
}

/** How long a play is held and how long its cards turn, in ms: the later the play, the heavier.
 * @param {number} play */
export function weightOf(play) {
  const late = Math.max(0, play - 3);
  return {
    hold: ([200, 350, 500][play - 1] ?? 500) + late * 150,
    turn: ([420, 640, 900][play - 1] ?? 900) + late * 260,
    weight: Math.min(1, 0.3 + play * 0.2),
  };
}
