// Facts of a reveal, taken from its events for the table: who showed what, who won, what came of it. Judges nothing.

/** @import { Reveal } from "/app/contract.js" */

/** @typedef {object} RevealFacts
 * @property {number} play        the play that was turned; 1 where a stake was named
 * @property {string[]|null} cards  by seat; null where no card was turned
 * @property {number|null} winner
 * @property {string} best        the winning card, "" where nobody won
 * @property {string} worst
 * @property {{round: number, winner: number|null, paid: number, score: number[]}|null} round  where it ended the round
 * @property {{seat: number, stake: number}|null} stake
 * @property {{winner: number|null, termination: string, score: number[]}|null} end
 * @property {string[]} rules     the rules that made it so */

/** @param {Reveal} reveal @returns {RevealFacts} */
export function revealFacts(reveal) {
  const facts = (/** @type {string} */ kind) => reveal.events.find((event) => event.kind === kind)?.facts ?? null;
  const turned = facts("reveal");
  const winner = turned?.winner ?? null;
  return {
    play: turned?.play ?? 1,
    cards: turned?.cards ?? null,
    winner,
    best: winner ? turned?.cards[winner - 1] : "",
    worst: winner ? turned?.cards[2 - winner] : "",
    round: /** @type {RevealFacts["round"]} */ (facts("round")),
    stake: /** @type {RevealFacts["stake"]} */ (facts("stake")),
    end: /** @type {RevealFacts["end"]} */ (facts("end")),
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
