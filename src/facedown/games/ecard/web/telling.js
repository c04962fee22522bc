// What happened, in sentences: for the live region, the log and whoever asks. Reads events, judges nothing.
import { callers } from "/app/table/seats.js";
import { planOf } from "./plan.js";

/** @import { GameEvent, Telling } from "/app/contract.js" */

/** @typedef {(facts: any, ctx: Telling) => string} Teller */

/** A seat's name at the start of a sentence, and inside one.
 * @param {number} seat @param {Telling} ctx */
const named = (seat, ctx) => callers(ctx.you, ctx.names, ctx.words).call(seat);
/** @param {number} seat @param {Telling} ctx */
const inside = (seat, ctx) => callers(ctx.you, ctx.names, ctx.words).inside(seat);
/** @param {string} sentence */
const opened = (sentence) => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);

/** @param {number[]} score @param {Telling} ctx */
const scores = (score, ctx) =>
  score
    .map((each, i) => ctx.words("tell.score", { name: inside(i + 1, ctx), score: each }))
    .join(ctx.words("tell.comma"));

/** The score with the winner's first.
 * @param {any} facts */
const ordered = ({ winner, score }) => ({ mine: score[(winner ?? 1) - 1], theirs: score[2 - (winner ?? 1)] });

/** @type {Record<string, Teller>} */
const TELLERS = {
  sides: (facts, ctx) =>
    ctx.words("tell.sides", {
      round: facts.round,
      emperor: inside(facts.emperor, ctx),
      slave: inside(3 - facts.emperor, ctx),
    }),
  stake: (facts, ctx) =>
    ctx.words("tell.stake", { name: named(facts.seat, ctx), round: facts.round, stake: facts.stake }),
  reveal: (facts, ctx) => {
    const { round, play, cards, winner } = facts;
    if (!winner) return ctx.words("tell.drawn", { round, play });
    const [first, second] = cards.map((/** @type {string} */ card) => ctx.words(`card.${card}.shown`));
    const [best, worst] = [cards[winner - 1], cards[2 - winner]].map((card) => ctx.words(`card.${card}`));
    return ctx.words("tell.reveal", {
      round,
      play,
      one: inside(1, ctx),
      two: inside(2, ctx),
      first,
      second,
      best,
      worst,
    });
  },
  round: (facts, ctx) => {
    const { round, winner, paid } = facts;
    const score = scores(facts.score, ctx);
    return winner
      ? ctx.words("tell.round", { name: named(winner, ctx), round, paid, score })
      : ctx.words("tell.nobody", { round, score });
  },
  tie: (facts, ctx) =>
    ctx.words("tell.tie", { mine: facts.score[0], theirs: facts.score[1], how: ctx.words(`tell.tie.${facts.tie}`) }),
  resignation: (facts, ctx) => ctx.words("tell.resignation", { name: named(facts.seat, ctx) }),
  end: (facts, ctx) => {
    const how = ctx.words(`termination.${facts.termination}`);
    if (!facts.winner) return ctx.words("tell.end.drawn", { ...ordered(facts), how });
    return ctx.words("tell.end", { name: named(facts.winner, ctx), ...ordered(facts), how });
  },
};

/** One event as a sentence; null for what needs no words.
 * @param {GameEvent} event @param {Telling} ctx */
export function tell(event, ctx) {
  const teller = TELLERS[event.kind];
  return teller ? opened(teller(event.facts, ctx)) : null;
}

/** @param {string} pick @param {Telling} ctx */
export function pickName(pick, ctx) {
  return "ECS".includes(pick) ? ctx.words(`card.${pick}`) : pick;
}

/** Where the game stands.
 * @param {any} view @param {Telling} ctx */
export function place(view, ctx) {
  return ctx.words(view.extra ? "round.extra" : "round.of", { round: view.round, rounds: planOf(view.rules).rounds });
}
