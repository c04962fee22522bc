// Narration of Davenport: events as sentences, for the live region and the log. Reads events, judges nothing.

import { opened } from "/app/table/rule_text.js";
import { callers } from "/app/table/seats.js";
import { drawn, held, listed, readPick, signed, spoken } from "./names.js";

/** @import { GameEvent, NarrationContext } from "/app/contract.js" */

const MOST = 3; // equal cards in a picture

/** @param {number} seat @param {NarrationContext} ctx */
const named = (seat, ctx) => callers(ctx.you, ctx.names, ctx.words).call(seat);
/** @param {NarrationContext} ctx */
const inside = (ctx) => callers(ctx.you, ctx.names, ctx.words).inside;
/** @param {number[]} seats @param {NarrationContext} ctx */
const all = (seats, ctx) => listed(seats.map(inside(ctx)), ctx.words);
/** @param {string} card @param {NarrationContext} ctx */
const cardOf = (card, { aloud, words }) => (aloud ? spoken(card, words) : signed(card));
/** @param {string[]} cards @param {NarrationContext} ctx */
const cardsOf = (cards, ctx) =>
  ctx.aloud
    ? listed(
        cards.map((card) => cardOf(card, ctx)),
        ctx.words,
      )
    : cards.map(signed).join(" ");

/** @type {Record<string, (facts: any, ctx: NarrationContext) => string>} */
const NARRATORS = {
  deal: (facts, ctx) => ctx.words("deal", { count: facts.cards }),
  hand: (
    facts,
    ctx, // aloud, the choice names the hand
  ) =>
    ctx.aloud ? "" : ctx.words("event.hand", { name: named(facts.seat, ctx), cards: cardsOf(held(facts.cards), ctx) }),
  reveal: (facts, ctx) => {
    const showed = facts.shown.flatMap((/** @type {string|null} */ card, /** @type {number} */ i) =>
      card
        ? [
            ctx.words(facts.exchanged[i] ? "event.showed.exchanged" : "event.showed", {
              name: inside(ctx)(i + 1),
              card: cardOf(card, ctx),
            }),
          ]
        : [],
    );
    const everybody = showed.length > 1 && facts.winners.length === showed.length;
    const winners = everybody ? ctx.words("everybody") : all(facts.winners, ctx);
    const where = ctx.words(facts.phase === "playoff" ? "round.playoff" : "round.number", { round: facts.round });
    return ctx.words("event.reveal", {
      where,
      showed: opened(showed.join(ctx.words("list.comma"))),
      winners: opened(winners),
    });
  },
  draws: (facts, ctx) => ctx.words("event.draws", { draws: drawn(facts.drew, ctx.you, inside(ctx), ctx.words) }),
  drawn: (facts, ctx) => ctx.words("event.drawn", { name: named(facts.seat, ctx), cards: cardsOf(facts.cards, ctx) }),
  shuffle: (_, ctx) => ctx.words("event.shuffle"),
  skipped: (_, ctx) => ctx.words("skipped"),
  out: (facts, ctx) => ctx.words("event.out", { names: all(facts.seats, ctx) }),
  playoff: (facts, ctx) =>
    ctx.words(`event.playoff.${facts.playoff}`, { names: all(facts.seats, ctx), count: facts.cards }),
  eliminated: (facts, ctx) => ctx.words("event.eliminated", { names: all(facts.seats, ctx) }),
  resignation: (facts, ctx) => ctx.words("event.resignation", { name: named(facts.seat, ctx) }),
  forfeit: (facts, ctx) => ctx.words("event.forfeit", { name: named(facts.seat, ctx) }),
  end: (facts, ctx) =>
    ctx.words("event.end", { name: named(facts.winner, ctx), how: ctx.words(`ending.${facts.termination}`) }),
};

/** One event as a sentence; null for what needs no words.
 * @param {GameEvent} event @param {NarrationContext} ctx */
export function narrate(event, ctx) {
  const narrator = NARRATORS[event.kind];
  return narrator ? opened(narrator(event.facts, ctx)) : null;
}

/** The winning cards, and the highest of the others. @param {GameEvent[]} events */
export function answer(events) {
  const turned = /** @type {any} */ (events.find((each) => each.kind === "reveal")?.facts);
  if (!turned) return null;
  const isWon = (/** @type {number} */ at) => turned.winners.includes(at + 1);
  const shown = turned.shown.map((/** @type {string|null} */ card, /** @type {number} */ at) => ({ card, at }));
  const won = shown.flatMap((/** @type {any} */ { card, at }) => (card && isWon(at) ? [card] : []));
  const lost = held(shown.flatMap((/** @type {any} */ { card, at }) => (card && !isWon(at) ? [card] : [])));
  const picture = won
    .slice(0, MOST)
    .flatMap((/** @type {string} */ card, /** @type {number} */ i) => (i ? ["=", card] : [card]));
  return { picture: [...picture, ...(lost.length > 0 ? [">", lost[lost.length - 1]] : [])], say: "" };
}

/** @param {string} pick @param {NarrationContext} ctx */
export function pickName(pick, ctx) {
  const { card, exchange } = readPick(pick);
  return exchange ? ctx.words("pick.exchange", { card: signed(card) }) : signed(card);
}

/** One's own cards, and how many the others hold.
 * @param {import("/app/contract.js").Sight} sight @param {NarrationContext} ctx */
export function choice({ view, seat }, ctx) {
  const { words } = ctx;
  const others = view.seats_in
    .filter((/** @type {number} */ each) => each !== seat)
    .map((/** @type {number} */ each) => words("hand.of", { name: named(each, ctx), count: view.hands[each - 1] }));
  return words("hand.aloud", {
    cards: cardsOf(held(view.hand), { ...ctx, aloud: true }),
    others: others.join(words("list.comma")),
  });
}

/** How the game stands: the cards in one's own hand, and in the smallest of the others'. Aloud, the choice says it.
 * @param {any} view @param {NarrationContext} ctx */
export function standing(view, { you, words, aloud }) {
  if (aloud) return "";
  const others = view.hands.filter((/** @type {number} */ _, /** @type {number} */ at) => at !== you - 1);
  return words("standing", { count: view.hands[you - 1] ?? 0, least: Math.min(...others) });
}

/** Where the game stands.
 * @param {any} view @param {NarrationContext} ctx */
export function place(view, ctx) {
  return ctx.words(view.phase === "playoff" ? "round.playoff" : "round.number", { round: view.round });
}
