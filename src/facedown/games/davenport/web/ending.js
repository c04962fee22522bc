// The end of a game of Davenport from its last view: the cards that each seat held after each round, the cards that
// decided, and one sentence that is true of the game. Reads the view, judges nothing.

import { callers } from "/app/table/seats.js";
import { signed } from "./words/names.js";

/** @import { NarrationContext, Told } from "/app/contract.js" */

const LONGEST = 60;
const DEALT = 5;
const VALUES = "A23456789TJQK";

/** The rounds that were turned, in a phase if one is named. @param {any} view @param {string} [phase] */
const roundsOf = ({ history }, phase) =>
  history.filter((/** @type {any} */ each) => each.shown && (!phase || each.phase === phase));

/** The cards in a seat's hand when dealt and after each round that it took part in, before any playoff.
 * @param {any} view @param {number} seat @returns {number[]} */
export const handsOf = (view, seat) => [
  DEALT,
  ...roundsOf(view, "main").flatMap((/** @type {any} */ { shown, hands }) =>
    shown[seat - 1] ? [hands[seat - 1]] : [],
  ),
];

/** How often another seat came to hold the fewest cards alone. @param {any[]} rounds */
function leadChanges(rounds) {
  const alone = rounds.flatMap(({ hands, shown }) => {
    const held = hands.map((/** @type {number} */ each, /** @type {number} */ i) => (shown[i] ? each : Infinity));
    const least = Math.min(...held);
    return held.filter((/** @type {number} */ each) => each === least).length === 1 ? [held.indexOf(least)] : [];
  });
  return alone.filter((each, place) => place > 0 && each !== alone[place - 1]).length;
}

/** Sentences that hold for this game, the one that says most first; the last one fits whatever the names are.
 * @param {any} view @param {NarrationContext} ctx @returns {[string, Record<string, string|number>][]} */
export function stories(view, ctx) {
  const { winner, termination } = view.outcome;
  const { call } = callers(ctx.you, ctx.names, ctx.words);
  const who = winner === ctx.you ? "you" : "other";
  const [main, last] = [roundsOf(view, "main"), roundsOf(view).at(-1)];
  const name = winner ? call(winner) : "";
  if (termination === "playoff") {
    const count = main
      .at(-1)
      .hands.filter((/** @type {number} */ held, /** @type {number} */ i) => main.at(-1).shown[i] && held === 0).length;
    return [
      [`story.playoff.${who}`, { count, name, card: signed(last.shown[winner - 1]) }],
      ["ending.playoff", {}],
    ];
  }
  if (termination !== "out") return [[`ending.${termination}`, {}]];
  const others = last.hands.flatMap((/** @type {number} */ held, /** @type {number} */ i) =>
    last.shown[i] && held === 1 ? [i + 1] : [],
  );
  const lost = main.findLastIndex((/** @type {any} */ each) => !each.winners.includes(winner));
  const [streak, most] = [main.length - 1 - lost, Math.max(...handsOf(view, winner))];
  const changes = leadChanges(main);
  const tied = main.filter((/** @type {any} */ { winners }) => winners.length > 1).length;
  const facts = { card: signed(last.shown[winner - 1]), name, round: main.length };
  const close = others.length > 1 ? "several" : others[0] === ctx.you ? "mine" : "name";
  /** @type {[boolean, string, Record<string, string|number>][]} */
  const all = [
    [
      others.length > 0,
      `story.close.${close}.${who}`,
      { ...facts, other: others.length ? call(others[0]) : "", count: others.length },
    ],
    [most > DEALT + 2, `story.most.${who}`, { ...facts, count: most }],
    [streak > 2, `story.streak.${who}`, { ...facts, count: streak }],
    [changes > 2, "story.changes", { count: changes }],
    [tied > 2, "story.tied", { count: tied }],
    [true, `story.out.${who}`, facts],
    [true, "ending.out", {}],
  ];
  return all.flatMap(([holds, key, params]) => (holds ? [[key, params]] : []));
}

/** The winner's card in the last round that was turned, and the card it is shown with: the reader's own, else the
 * highest of the others. @param {any} view @param {number} you @returns {Told["cards"]} */
function decidingCards(view, you) {
  const round = roundsOf(view).at(-1);
  const { winner } = view.outcome;
  if (!round) return [];
  const value = (/** @type {number} */ seat) => VALUES.indexOf(round.shown[seat - 1][0]);
  const turned = round.shown.flatMap((/** @type {string|null} */ card, /** @type {number} */ i) =>
    card ? [i + 1] : [],
  );
  const first = turned.includes(winner) ? winner : round.winners[0];
  const others = turned.filter((/** @type {number} */ seat) => seat !== first);
  const second = others.includes(you)
    ? you
    : others.sort((/** @type {number} */ a, /** @type {number} */ b) => value(b) - value(a))[0];
  return [second, first].filter(Boolean).map((seat) => ({
    seat,
    pick: round.shown[seat - 1],
    won: seat === winner || round.winners.includes(seat),
  }));
}

/** @param {any} view @param {NarrationContext} ctx @returns {Told} */
export function tell(view, ctx) {
  const seats = Array.from({ length: view.seats }, (_, i) => i + 1);
  const { call } = callers(ctx.you, ctx.names, ctx.words);
  const { winner, termination } = view.outcome;
  const texts = stories(view, ctx).map(([key, params]) => ctx.words(key, params));
  const lines = seats.map((seat) => ({ seat, values: handsOf(view, seat) }));
  const steps = roundsOf(view, "main").length;
  return {
    story: texts.find((each) => each.length <= LONGEST) ?? "",
    cards: decidingCards(view, ctx.you),
    loud: false,
    step: termination === "out" || termination === "playoff" ? steps : 0,
    lines: [...lines.filter(({ seat }) => seat !== ctx.you), ...lines.filter(({ seat }) => seat === ctx.you)],
    names: true,
    summary: ctx.words("course", { name: winner ? call(winner) : "", count: steps }),
    stepName: (step) => ctx.words("round.number", { round: step }),
  };
}
