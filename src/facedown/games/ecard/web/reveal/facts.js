// Facts of a reveal, taken from its events for the table: who showed what, who won, what came of it. Judges nothing.

/** @import { Reveal } from "/app/contract.js" */
/** @import { Finished } from "./scene.js" */

const FORFEIT = "forfeit"; // stands for a card that was not opened

/** @typedef {object} RevealFacts
 * @property {number} decision
 * @property {number} play        the play that was turned; 1 if a stake was named
 * @property {string[]|null} cards  by seat; null if no card was turned
 * @property {number|null} winner
 * @property {{round: number, winner: number|null, paid: number, score: number[]}|null} round  if it ended the round
 * @property {{seat: number, stake: number}|null} stake
 * @property {{winner: number|null, termination: string, score: number[]}|null} end
 * @property {string[]} rules     the rules that made it so */

/** @param {Reveal} reveal @returns {RevealFacts} */
export function revealFacts(reveal) {
  const facts = (/** @type {string} */ kind) => reveal.events.find((event) => event.kind === kind)?.facts ?? null;
  const [turned, round] = [facts("reveal"), /** @type {RevealFacts["round"]} */ (facts("round"))];
  const forfeit = facts("forfeit");
  return {
    decision: reveal.decision,
    play: turned?.play ?? forfeit?.play ?? 1,
    cards: turned?.cards ?? (forfeit && unopened(reveal)),
    winner: turned?.winner ?? (forfeit && round ? round.winner : null),
    round,
    stake: /** @type {RevealFacts["stake"]} */ (facts("stake")),
    end: /** @type {RevealFacts["end"]} */ (facts("end")),
    rules: [...new Set(reveal.events.flatMap((event) => event.rules ?? []))],
  };
}

/** The two cards of a round that was lost because one was not opened; null if a stake was to be named.
 * @param {Reveal} reveal */
function unopened({ opens }) {
  const cards = [1, 2].flatMap((seat) => opens.find((each) => each.seat === seat)?.pick ?? []);
  return cards.length === 2 ? cards : null;
}

/** The round that a reveal has ended; null if it goes on.
 * @param {RevealFacts|null} facts @param {any} before the view before the reveal
 * @param {ReturnType<typeof momentOf>} moment @returns {Finished|null} */
export function finishedNow(facts, before, moment) {
  if (!facts?.round || !facts.cards) return null;
  const { cards, round, play } = facts;
  const decides = moment === "decided";
  return { ...round, cards, plays: play, stake: before?.stake ?? 1, before: before?.score ?? null, decides };
}

const FAR = 2; // behind by this many or more, then level again: a comeback

/** What a reveal is beside the round it ends: it decides the game, as the other could still have won it or have drawn;
 * or its winner was far behind and is not any more. "" for neither.
 * @param {RevealFacts|null} facts @param {any} before the view before the reveal
 * @param {boolean} wins whether the score counts rounds won @returns {"decided"|"comeback"|""} */
export function momentOf(facts, before, wins) {
  const { round = null, end = null } = facts ?? {};
  const winner = round?.winner;
  if (!round || !winner || !before) return "";
  const [mine, theirs] = [winner - 1, 2 - winner];
  const lead = before.score[mine] - before.score[theirs];
  const lost = before.meets.filter((/** @type {any} */ each) => each.winner === 3 - winner);
  const most = Math.max(0, ...lost.map((/** @type {any} */ { paid }) => (wins ? 1 : before.purses ? 2 * paid : paid)));
  if (end?.winner === winner && (end.termination !== "completed" || lead <= most)) return "decided";
  return lead <= -FAR && round.score[mine] >= round.score[theirs] ? "comeback" : "";
}

/** A round that is over, as the view keeps it, with the score after it; null if there is none.
 * @param {any} view @param {number} round @param {boolean} wins whether the score counts rounds won
 * @returns {Finished|null} */
export function finishedRound(view, round, wins) {
  const found = view.rounds[round - 1];
  if (!found) return null;
  const score = [...view.score];
  for (const { winner, paid } of view.rounds.slice(round)) {
    if (winner === null) continue;
    score[winner - 1] -= wins && !view.purses ? 1 : paid;
    if (view.purses) score[2 - winner] += paid;
  }
  const cards = found.cards.map((/** @type {string} */ card) => card || FORFEIT); // lost before any was placed
  return { ...found, cards, round, score, before: null };
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
