// Facts of a reveal, taken from its events for the table: who showed what, who won, what came of it. Judges nothing.

/** @import { Reveal } from "/app/contract.js" */

/** @typedef {object} RevealFacts
 * @property {{phase: string, round: number, shown: (string|null)[], exchanged: boolean[], winners: number[]}|null}
 *   turned
 * @property {string[]} why        the rules behind the reveal itself
 * @property {number[]} drew       by seat; all 0 if no seat drew
 * @property {string[]} fresh      the cards that came into one's own hand
 * @property {boolean} shuffled
 * @property {number[]} out        seats that got rid of their last card
 * @property {{seats: number[], playoff: string, cards: number}|null} playoff   if a playoff begins
 * @property {number[]} eliminated
 * @property {{winner: number, termination: string}|null} end
 * @property {string[]} rules      all rules that made it so */

/** @param {Reveal} reveal @param {number} you @returns {RevealFacts} */
export function revealFacts(reveal, you) {
  const find = (/** @type {string} */ kind) => reveal.events.find((event) => event.kind === kind);
  const facts = (/** @type {string} */ kind) => find(kind)?.facts ?? null;
  const mine = reveal.events.filter((event) => event.kind === "drawn" && event.facts.seat === you);
  return {
    turned: /** @type {RevealFacts["turned"]} */ (facts("reveal")),
    why: find("reveal")?.rules ?? [],
    drew: facts("draws")?.drew ?? [],
    fresh: mine.flatMap((event) => event.facts.cards),
    shuffled: find("shuffle") !== undefined,
    out: facts("out")?.seats ?? [],
    playoff: /** @type {RevealFacts["playoff"]} */ (facts("playoff")),
    eliminated: facts("eliminated")?.seats ?? [],
    end: /** @type {RevealFacts["end"]} */ (facts("end")),
    rules: [...new Set(reveal.events.flatMap((event) => event.rules ?? []))],
  };
}

/** What makes a round special, the stronger first: it decides the game, an Ace beats the faces or falls, several are
 * highest. @param {RevealFacts|null} reveal @returns {"decided"|"upset"|"fall"|"tie"|""} */
export function momentOf(reveal) {
  if (!reveal?.turned) return "";
  if (reveal.end) return "decided";
  if (reveal.why.includes("D11")) return "upset";
  if (reveal.turned.winners.length > 1) return "tie";
  return reveal.why.includes("D13") ? "fall" : "";
}

/** Whether a seat's card costs it one card more: the highest face under an Ace, or an Ace that lost.
 * @param {RevealFacts} reveal @param {number} seat */
export const isFallen = (reveal, seat) => (reveal.drew[seat - 1] ?? 0) > 1;

/** The seats that draw, in the order in which the cards travel: each seat's first one, then the further ones.
 * @param {number[]} drew */
export function travels(drew) {
  const most = Math.max(0, ...drew);
  return Array.from({ length: most }, (_, turn) => drew.flatMap((count, i) => (count > turn ? [i + 1] : []))).flat();
}

/** How many rounds have been turned. @param {any} view */
export const turnedRounds = (view) => view.history.filter((/** @type {any} */ each) => each.shown).length;

/** A round that was turned, from a view: the last one, or the `before`-th one before it. Without its rules, which are
 * in its events only. @param {any} view @param {number} [before] @returns {RevealFacts|null} */
export function pastFacts(view, before = 0) {
  const turned = view.history.filter((/** @type {any} */ each) => each.shown).at(-1 - before);
  if (!turned) return null;
  const { phase, number, shown, exchanged, winners, drew, eliminated } = turned;
  return {
    turned: { phase, round: number, shown, exchanged, winners },
    why: [],
    drew,
    fresh: [],
    shuffled: false,
    out: [],
    playoff: null,
    eliminated,
    end: null,
    rules: [],
  };
}

/** Whether two reveals are of the same round.
 * @param {RevealFacts|null} one @param {RevealFacts|null} other */
export const isSameRound = (one, other) =>
  one?.turned?.round === other?.turned?.round && one?.turned?.phase === other?.turned?.phase;
