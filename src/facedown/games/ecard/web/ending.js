// The end of a game of E-Card from its last view: the score after each round, the round that decided, and one sentence
// that is true of it. Reads the view, judges nothing.

import { callers } from "/app/table/seats.js";
import { numberWord } from "./reveal/scene.js";

/** @import { NarrationContext, Told } from "/app/contract.js" */

const LONGEST = 60;
const FORFEIT = "forfeit"; // stands for a card that was not opened

/** The score at the start and after each round, by seat. @param {any} view @returns {number[][]} */
export function scoresOf({ rounds, score, purses, wins }) {
  const course = [score];
  const counted = !purses && score.every((/** @type {number} */ each, /** @type {number} */ i) => each === wins[i]);
  for (const { winner, paid } of [...rounds].reverse()) {
    const [after] = course;
    const won = counted ? 1 : paid;
    const before = [1, 2].map((seat) => after[seat - 1] - (seat === winner ? won : purses && winner ? -won : 0));
    course.unshift(before);
  }
  return course;
}

/** By how much a seat leads; less than 0 if it is behind. @param {number[]} score @param {number} seat */
const leadOf = (score, seat) => score[seat - 1] - score[2 - seat];

/** The round with which the winner took a lead that lasted, or with which the score of a drawn game became level. If a
 * player who was not behind gave up, the last round that had a winner; 0 for none.
 * @param {any} view @param {number[][]} scores */
function lastingRound({ rounds, outcome: { winner } }, scores) {
  if (winner === null) return scores.findLastIndex((each) => leadOf(each, 1) !== 0) + 1;
  const lasting = scores.findLastIndex((each) => leadOf(each, winner) <= 0) + 1;
  return lasting <= rounds.length ? lasting : rounds.findLastIndex((/** @type {any} */ each) => each.winner) + 1;
}

/** The round that decided: a comeback, else of those that the winner won from then on the one that brought most.
 * @param {any} view @param {number[][]} scores */
function decidingRound(view, scores) {
  const { winner } = view.outcome;
  const lasting = lastingRound(view, scores);
  if (!winner || !lasting || leadOf(scores[lasting - 1], winner) < -1) return lasting;
  const gains = scores.map((each, i) => (i > lasting ? leadOf(each, winner) - leadOf(scores[i - 1], winner) : 0));
  const first = leadOf(scores[lasting], winner) - leadOf(scores[lasting - 1], winner);
  const most = Math.max(...gains);
  return most > first ? gains.indexOf(most) : lasting;
}

/** How often the lead went from one seat to the other. @param {number[][]} scores */
function leadChanges(scores) {
  const leaders = scores.map((each) => Math.sign(leadOf(each, 1))).filter(Boolean);
  return leaders.filter((each, place) => place > 0 && each !== leaders[place - 1]).length;
}

/** Sentences that hold for this game, the one that says most first; the last one fits whatever the names are.
 * @param {any} view @param {NarrationContext} ctx @returns {[string, Record<string, string|number>][]} */
export function stories(view, ctx) {
  const { rounds, outcome } = view;
  const { winner, termination } = outcome;
  const scores = scoresOf(view);
  const round = lastingRound(view, scores);
  const { call } = callers(ctx.you, ctx.names, ctx.words);
  const count = (/** @type {number} */ n) => numberWord(n, ctx.words);
  if (termination === "resignation")
    return [[view.extra ? "story.extra_round" : "story.round", { round: view.round, rounds: view.sides.length }]];
  if (termination === "ruin")
    return [
      [`ended.ruin.${3 - winner === ctx.you ? "you" : "name"}`, { name: call(3 - winner) }],
      ["ending.ruin", {}],
    ];
  if (termination === "extra") return [["story.extra", { count: view.sides.length }]];
  if (termination !== "completed") return [[`ending.${termination}`, {}]];
  if (winner === null) return drawnStories(view, round, call, ctx);
  const best = rounds[round - 1].cards[winner - 1];
  const [name, last] = [call(winner), round === rounds.length];
  const [before, worst] = [
    -leadOf(scores[round - 1], winner),
    Math.max(...scores.map((each) => -leadOf(each, winner))),
  ];
  const changes = leadChanges(scores);
  const turned = { card: ctx.words(`card.${best || FORFEIT}`), name, round };
  const first = rounds.findIndex((/** @type {any} */ each) => each.winner) + 1 === round;
  const who = ctx.you === winner ? "you" : "other";
  const reader = ctx.you ? who : "watched";
  const decided = decidingRound(view, scores);
  const [one, other] = [rounds[decided - 1].cards[winner - 1], rounds[decided - 1].cards[2 - winner]];
  const met = { name: call(ctx.you === winner ? 3 - winner : winner), loser: call(3 - winner), round: decided };
  return holding([
    [best && before > 1, `story.behind${last ? "_last" : ""}.${who}`, { ...turned, by: count(before) }],
    [changes > 2, "story.changes", { times: count(changes) }],
    [worst > 1, `story.comeback.${who}`, { by: count(worst), name }],
    [one === "S" && other === "E", `story.slave.${reader}`, met],
    [best && last && before === 0 && round > 1, `story.level_last.${who}`, turned],
    [first, `story.ahead.${who}`, turned],
    [true, `story.lead.${who}`, turned],
    [true, "story.lasted", turned],
  ]);
}

/** Those whose condition holds. @param {[any, string, Record<string, string|number>][]} all
 * @returns {[string, Record<string, string|number>][]} */
const holding = (all) => all.flatMap(([holds, key, params]) => (holds ? [[key, params]] : []));

/** @param {any} view @param {number} round
 * @param {(seat: number) => string} call @param {NarrationContext} ctx
 * @returns {[string, Record<string, string|number>][]} */
function drawnStories({ rounds }, round, call, ctx) {
  if (round === 0) return [["story.nobody", {}]];
  const { winner, cards } = rounds[round - 1];
  /** @type {[string, Record<string, string|number>]} */
  const level = ["story.level", { round }];
  if (round < rounds.length) return [level];
  const card = ctx.words(`card.${cards[winner - 1] || FORFEIT}`);
  return [
    ...holding([
      [cards[winner - 1], `story.levelled.${winner === ctx.you ? "you" : "other"}`, { card, name: call(winner) }],
    ]),
    level,
  ];
}

/** @param {any} view @param {NarrationContext} ctx @returns {Told} */
export function tell(view, ctx) {
  const scores = scoresOf(view);
  const round = decidingRound(view, scores);
  const below = ctx.you || 1;
  const seats = [3 - below, below];
  const shown = view.rounds[(round || view.rounds.length) - 1];
  const texts = stories(view, ctx).map(([key, params]) => ctx.words(key, params));
  const { call } = callers(ctx.you, ctx.names, ctx.words);
  const [mine, theirs] = [view.outcome.score[below - 1], view.outcome.score[2 - below]];
  return {
    story: texts.find((each) => each.length <= LONGEST) ?? "",
    cards: seats.map((seat) => ({
      seat,
      pick: shown ? shown.cards[seat - 1] || FORFEIT : FORFEIT,
      won: shown?.winner ? shown.winner === seat : null,
    })),
    loud: shown?.winner ? shown.cards[shown.winner - 1] === "S" : false,
    step: view.outcome.winner === null || shown?.winner === view.outcome.winner ? round : 0,
    lines: seats.map((seat) => ({ seat, values: scores.map((each) => each[seat - 1]) })),
    cells: view.rounds.map((/** @type {any} */ each) =>
      seats.map((seat) => ({
        pick: each.cards[seat - 1] || FORFEIT,
        won: each.winner === seat,
        text: each.winner === seat ? `+${each.paid}` : "",
      })),
    ),
    nobody: ctx.words("ledger.no_one"),
    parts: view.sides.flatMap((/** @type {number} */ seat, /** @type {number} */ place) =>
      place > 0 && seat !== view.sides[place - 1] ? [place] : [],
    ),
    summary: ctx.words("ledger.course", { name: call(below), other: call(3 - below), mine, theirs }),
    stepName: (step) => ctx.words("round.number", { round: step }),
  };
}
