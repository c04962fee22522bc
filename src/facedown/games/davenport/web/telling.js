// What happened, in sentences: for the live region, the log and whoever asks. Reads events, judges nothing.
import { callers } from "/app/table/seats.js";
import { drawn, held, listed, readPick, signed } from "./names.js";

/** @import { GameEvent, Telling } from "/app/contract.js" */

/** @param {number} seat @param {Telling} ctx */
const named = (seat, ctx) => callers(ctx.you, ctx.names, ctx.words).call(seat);
/** @param {Telling} ctx */
const inside = (ctx) => callers(ctx.you, ctx.names, ctx.words).inside;
/** @param {number[]} seats @param {Telling} ctx */
const all = (seats, ctx) => listed(seats.map(inside(ctx)), ctx.words);
/** @param {string[]} cards */
const cardsOf = (cards) => held(cards).map(signed).join(" ");
/** @param {string} sentence */
const opened = (sentence) => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);

/** @type {Record<string, (facts: any, ctx: Telling) => string>} */
const TELLERS = {
  deal: (facts, ctx) => ctx.words("tell.deal", { count: facts.cards }),
  hand: (facts, ctx) => ctx.words("tell.hand", { name: named(facts.seat, ctx), cards: cardsOf(facts.cards) }),
  reveal: (facts, ctx) => {
    const showed = facts.shown.flatMap((/** @type {string|null} */ card, /** @type {number} */ i) =>
      card
        ? [
            ctx.words(facts.exchanged[i] ? "tell.showed.exchanged" : "tell.showed", {
              name: inside(ctx)(i + 1),
              card: signed(card),
            }),
          ]
        : [],
    );
    const everybody = showed.length > 1 && facts.winners.length === showed.length;
    const winners = everybody ? ctx.words("everybody") : all(facts.winners, ctx);
    const where = ctx.words(facts.phase === "playoff" ? "round.playoff" : "round.number", { round: facts.round });
    return ctx.words("tell.reveal", { where, showed: showed.join(ctx.words("list.comma")), winners: opened(winners) });
  },
  draws: (facts, ctx) => ctx.words("tell.draws", { draws: drawn(facts.drew, inside(ctx), ctx.words) }),
  drawn: (facts, ctx) =>
    ctx.words("tell.drawn", { name: named(facts.seat, ctx), cards: facts.cards.map(signed).join(" ") }),
  shuffle: (_, ctx) => ctx.words("tell.shuffle"),
  skipped: (_, ctx) => ctx.words("tell.skipped"),
  out: (facts, ctx) => ctx.words("tell.out", { names: all(facts.seats, ctx) }),
  playoff: (facts, ctx) => ctx.words(`tell.playoff.${facts.playoff}`, { names: all(facts.seats, ctx) }),
  eliminated: (facts, ctx) => ctx.words("tell.eliminated", { names: all(facts.seats, ctx) }),
  resignation: (facts, ctx) => ctx.words("tell.resignation", { name: named(facts.seat, ctx) }),
  end: (facts, ctx) =>
    ctx.words("tell.end", { name: named(facts.winner, ctx), how: ctx.words(`termination.${facts.termination}`) }),
};

/** One event as a sentence; null for what needs no words.
 * @param {GameEvent} event @param {Telling} ctx */
export function tell(event, ctx) {
  const teller = TELLERS[event.kind];
  return teller ? opened(teller(event.facts, ctx)) : null;
}

/** @param {string} pick @param {Telling} ctx */
export function pickName(pick, ctx) {
  const { card, exchange } = readPick(pick);
  return exchange ? ctx.words("pick.exchange", { card: signed(card) }) : signed(card);
}

/** Where the game stands.
 * @param {any} view @param {Telling} ctx */
export function place(view, ctx) {
  return ctx.words(view.phase === "playoff" ? "round.playoff" : "round.number", { round: view.round });
}
