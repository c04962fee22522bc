// Narration of E-Card: events as sentences, for the live region and the log. Reads events, judges nothing.

import { opened } from "/app/table/rule_text.js";
import { callers } from "/app/table/seats.js";

/** @import { GameEvent, NarrationContext, Words } from "/app/contract.js" */

/** @typedef {(facts: any, ctx: NarrationContext) => string} Narrator */

/** A seat's name at the start of a sentence, and inside one.
 * @param {number} seat @param {NarrationContext} ctx */
const named = (seat, ctx) => callers(ctx.you, ctx.names, ctx.words).call(seat);
/** @param {number} seat @param {NarrationContext} ctx */
const inside = (seat, ctx) => callers(ctx.you, ctx.names, ctx.words).inside(seat);

/** Whose card beat whose, in one sentence: "Sage’s Slave beats your Emperor". `you` is 0 for a spectator.
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

/** @param {number[]} score @param {NarrationContext} ctx */
const scores = (score, ctx) =>
  score
    .map((each, i) => ctx.words("event.score", { name: inside(i + 1, ctx), score: each }))
    .join(ctx.words("event.comma"));

/** The score with the winner's first.
 * @param {any} facts */
const ordered = ({ winner, score }) => ({ mine: score[(winner ?? 1) - 1], theirs: score[2 - (winner ?? 1)] });

/** The last round of the group of rounds that begins with this one; null where no view says so.
 * @param {number} round @param {NarrationContext} ctx */
function lastOfGroup(round, { view }) {
  const sides = view?.sides ?? [];
  if (round > sides.length) return null;
  let last = round;
  while (last < sides.length && sides[last] === sides[round - 1]) last += 1;
  return last;
}

/** How a game ended, in a sentence.
 * @param {{termination: string, winner: number|null}} end @param {NarrationContext} ctx */
function ended({ termination, winner }, ctx) {
  const rounds = ctx.view?.sides.length;
  if (termination === "completed" && rounds) return ctx.words("ended.completed", { count: rounds });
  if (termination === "ruin" && winner)
    return ctx.words(3 - winner === ctx.you ? "ended.ruin.you" : "ended.ruin.name", {
      name: named(3 - winner, ctx),
    });
  return ctx.words(`ending.${termination}`);
}

/** @param {any} view @param {NarrationContext} ctx */
export const howEnded = (view, ctx) => ended(view.outcome, { ...ctx, view });

/** @type {Record<string, Narrator>} */
const NARRATORS = {
  sides: (facts, ctx) => {
    const last = lastOfGroup(facts.round, ctx);
    const which = last === null ? "" : last > facts.round ? ".rounds" : ".round";
    return ctx.words(`event.sides${which}`, {
      round: facts.round,
      last: last ?? 0,
      emperor: inside(facts.emperor, ctx),
      slave: inside(3 - facts.emperor, ctx),
    });
  },
  stake: (facts, ctx) =>
    ctx.words("event.stake", { name: named(facts.seat, ctx), round: facts.round, stake: facts.stake }),
  reveal: (facts, ctx) => {
    const { round, play, cards, winner } = facts;
    if (!winner) return ctx.words("event.drawn", { round, play });
    const [first, second] = cards.map((/** @type {string} */ card) => ctx.words(`showed.${card}`));
    const beats = headline({ cards, winner, you: ctx.you, call: (seat) => named(seat, ctx) }, ctx.words);
    return ctx.words("event.reveal", {
      round,
      play,
      one: inside(1, ctx),
      two: inside(2, ctx),
      first,
      second,
      beats,
    });
  },
  round: (facts, ctx) => {
    const { round, winner, paid } = facts;
    const score = scores(facts.score, ctx);
    return winner
      ? ctx.words("event.round", { name: named(winner, ctx), round, paid, score })
      : ctx.words("event.nobody", { round, score });
  },
  tie: (facts, ctx) =>
    ctx.words("event.tie", { mine: facts.score[0], theirs: facts.score[1], how: ctx.words(`event.tie.${facts.tie}`) }),
  resignation: (facts, ctx) => ctx.words("event.resignation", { name: named(facts.seat, ctx) }),
  forfeit: (facts, ctx) => ctx.words("event.forfeit", { name: named(facts.seat, ctx) }),
  end: (facts, ctx) => {
    const how = facts.termination === "resignation" ? "" : ended(facts, ctx); // who resigned was said just before
    if (!facts.winner) return ctx.words("event.end.drawn", { ...ordered(facts), how });
    return ctx.words("event.end", { name: named(facts.winner, ctx), ...ordered(facts), how });
  },
};

/** One event as a sentence; null for what needs no words.
 * @param {GameEvent} event @param {NarrationContext} ctx */
export function narrate(event, ctx) {
  const narrator = NARRATORS[event.kind];
  return narrator ? opened(narrator(event.facts, ctx).trimEnd()) : null;
}

/** Which card beat which, and what that is worth.
 * @param {GameEvent[]} events @param {NarrationContext} ctx */
export function answer(events, { words }) {
  const facts = (/** @type {string} */ kind) => /** @type {any} */ (events.find((each) => each.kind === kind)?.facts);
  const turned = facts("reveal");
  if (!turned) return null;
  const { cards, winner } = turned;
  const [best, worst] = winner === 2 ? [cards[1], cards[0]] : cards;
  const names = { best: words(`card.${best}`), worst: words(`card.${worst}`) };
  if (!winner) return { picture: [best, "=", worst], say: words("answer.draw", names) };
  return { picture: [best, ">", worst], say: words("answer.beats", { ...names, count: facts("round")?.paid ?? 1 }) };
}

/** @param {string} pick @param {NarrationContext} ctx */
export function pickName(pick, ctx) {
  return "ECS".includes(pick) || pick === "forfeit" ? ctx.words(`card.${pick}`) : pick;
}

/** One's own cards, or the stakes there are.
 * @param {import("/app/contract.js").Sight} sight @param {NarrationContext} ctx */
export function choice({ view, legal }, { words }) {
  if (view.stake === null) return words("stake.aloud", { most: legal[legal.length - 1] });
  const [special, ...citizens] = view.hand;
  return words(citizens.length ? "hand.aloud" : "hand.aloud.last", {
    special: words(`showed.${special}`),
    count: citizens.length,
  });
}

/** How the game stands, one's own side first: "3–8".
 * @param {any} view @param {NarrationContext} ctx */
export function standing(view, ctx) {
  if (ctx.aloud) return ctx.words("event.standing", { score: scores(view.purses ?? view.score, ctx) });
  const [first, second] = view.purses ?? view.score;
  return ctx.you === 2 ? `${second}–${first}` : `${first}–${second}`;
}

/** Where the game stands.
 * @param {any} view @param {NarrationContext} ctx */
export function place(view, ctx) {
  return ctx.words(view.extra ? "round.extra" : "round.of", { round: view.round, rounds: view.sides.length });
}
