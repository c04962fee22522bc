// Names, times, rule sets, results and errors in the language shown: text that several screens need.

import { gameWord, lang, t, wordsOf } from "./words.js";

/** @import { Words } from "./contract.js" */
/** @import { SeatInfo } from "./net/protocol.js" */

const LONGEST = 40;

/** Drops control and direction characters; a name that is too long ends in an ellipsis.
 * @param {unknown} text @param {number} [longest] */
export function sanitized(text, longest = LONGEST) {
  const plain = String(text ?? "")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const signs = Array.from(plain.slice(0, longest * 4));
  return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : signs.join("");
}

/** The name of a seat. @param {SeatInfo|undefined} seat */
export function seatName(seat) {
  if (!seat) return "";
  return sanitized(seat.name) || t("seat.number", { seat: seat.seat });
}

/** A machine's name by its game's words, else by the shell's (for the machine that plays every game); other names, such
 * as a person's, stay as they are. @param {Words} words @param {unknown} machine */
export function machineName(words, machine) {
  const own = words(`machine.${machine}.name`);
  if (own !== `machine.${machine}.name`) return own;
  const general = t(`machine.${machine}`);
  return general === `machine.${machine}` ? sanitized(machine) : general;
}

/** What a person is called whose name others may not read. @param {number} seat @param {number} seats how many */
export const unnamed = (seat, seats) => (seats === 2 ? t("share.opponent") : t("seat.number", { seat }));

/** The names of a game's seats, as its record has them: machines by their own, and those alike with a number.
 * @param {string} game @param {string[]} seats */
export function distinctNames(game, seats) {
  const names = seats.map((each, place) => machineName(wordsOf(game), each) || unnamed(place + 1, seats.length));
  return names.map((name, place) => {
    const alike = names.filter((each) => each === name).length;
    return alike > 1 ? `${name} ${names.slice(0, place + 1).filter((each) => each === name).length}` : name;
  });
}

const MINUTE = 60_000;

/** A span of time in its largest unit, as the language writes it: "12 min", "3日". @param {number} ms */
export function span(ms) {
  const minutes = Math.max(1, Math.round(ms / MINUTE));
  if (minutes < 60) return formatUnit(minutes, "minute");
  if (minutes < 48 * 60) return formatUnit(Math.round(minutes / 60), "hour");
  return formatUnit(Math.round(minutes / 60 / 24), "day");
}

/** @param {number} n @param {"minute"|"hour"|"day"} unit */
const formatUnit = (n, unit) =>
  new Intl.NumberFormat(lang.value, { style: "unit", unit, unitDisplay: unit === "day" ? "long" : "short" }).format(n);

/** @param {number} at @param {number} [now] */
export const ago = (at, now = Date.now()) => (now - at < MINUTE / 2 ? t("time.now") : span(now - at));

/** @param {number} at */
export const day = (at) => new Intl.DateTimeFormat(lang.value, { dateStyle: "medium" }).format(at);

/** @param {number} at */
export const dayAndTime = (at) =>
  new Intl.DateTimeFormat(lang.value, { day: "numeric", month: "long", hour: "numeric", minute: "2-digit" }).format(at);

/** What a moderator decided, and until which day. @param {{kind: string, until: number}} sanction */
export function sanctionText({ kind, until }) {
  if (kind === "warning") return t("sanction.warning");
  if (!until) return t(`sanction.${kind}.for_good`);
  const year = new Date(until).getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  const day = new Intl.DateTimeFormat(lang.value, { day: "numeric", month: "long", year }).format(until);
  return t(`sanction.${kind}`, { day });
}

/** The sentence for an error: the shell's own words for its code, else the server's text; with the server's text where
 * the code says no more than that it was refused. @param {any} error */
export function errorText(error) {
  const code = typeof error?.code === "string" ? error.code : "unknown";
  const says = error?.say || error?.message;
  if (code === "bad_message" && says) return t("error.refused", { says });
  const own = t(`error.${code}`);
  if (own !== `error.${code}`) return own;
  return says || t("error.unknown");
}

/** @typedef {{winner: number|null, score?: number[], termination?: string}} Result */

/** Whether one of two has resigned in a game for a score: the headline then says so.
 * @param {string} game @param {Result} result */
export function isResigned(game, { winner, score, termination }) {
  const counts = score?.length === 2 && gameWord(game, "score", "-", { own: 0, other: 0 }).trim() !== "";
  return winner !== null && termination === "resignation" && counts;
}

/** Who won, in a few words; with the score if two played for one: the reader's own first, else the winner's.
 * @param {{game: string, result: Result, mine: number,
 *   names: (seat: number) => string}} ended */
export function resultHeadline({ game, result, mine, names }) {
  if (isResigned(game, result)) return resignedHeadline(result, mine, names);
  const { winner, score: points = [] } = result;
  const two = points.length === 2;
  const first = mine || winner || 1;
  const [own, other] = [points[first - 1], points[2 - first]];
  const score = two ? gameWord(game, "score", t("ending.score", { own, other }), { own, other }).trimEnd() : "";
  if (winner === null) return t("ending.drawn", { score });
  if (winner === mine) return t("ending.won", { score });
  return two && mine ? t("ending.lost", { score }) : t("ending.won_by", { name: names(winner), score });
}

/** @param {Result} result @param {number} mine @param {(seat: number) => string} names */
function resignedHeadline({ winner, score = [] }, mine, names) {
  const loser = 3 - (winner ?? 1);
  const first = mine || loser;
  const key = mine === 0 ? "ending.resigned" : mine === loser ? "ending.resigned_you" : "ending.won_resigned";
  const [own, other] = [score[first - 1], score[2 - first]];
  return t(key, { own, other, name: names(loser), winner: names(3 - loser) });
}

/** A time control: the time of a pick, and the reserve for the whole game.
 * @param {import("./net/protocol.js").Clock} clock */
export function clockText({ kind = "none", seconds = 30, days = 3, bank = 0 }) {
  if (kind === "none") return t("lobby.clock.none");
  const long = (/** @type {number} */ n) =>
    kind === "correspondence"
      ? t("clock.days", { count: n })
      : n % 60 === 0
        ? t("clock.minutes", { n: n / 60 })
        : t("clock.seconds", { n });
  const pace = t("clock.pace", { time: long(kind === "correspondence" ? days : seconds) });
  return bank > 0 ? t("clock.reserve", { pace, time: long(bank) }) : pace;
}

/** The preset by its name, and whether something is changed in it; a common change has a word of the game's own.
 * @param {{game: string, rules: string}} record */
export function rulesName({ game, rules }) {
  const [, preset = rules, changed = ""] = /^(\w+)\((.*)\)$/.exec(rules) ?? [];
  const name = gameWord(game, `preset.${preset}.name`, preset);
  return changed ? gameWord(game, `changed.${changed}`, t("home.changed_rules", { name }), { name }) : name;
}
