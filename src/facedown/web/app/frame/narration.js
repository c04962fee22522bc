// Narration: events as sentences (a game narrates its own, this module those of every table), and the live region that
// reads them aloud. Leaves out what it does not know.

import { html, useEffect, useRef, useState } from "../html.js";
import { clockText, machineName, sanitized } from "../phrases.js";
import { sentences, t } from "../words.js";

/** @import { GameTable, NarrationContext, Sight } from "../contract.js" */
/** @import { Frame } from "../net/socket.js" */
/** @import { Entry } from "../state/fold.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */

/** @typedef {{say: string, rules: string[], kind: string}} Sentence */

/** @param {Entry} event @param {GameTable|null} game
 * @param {NarrationContext} narration @returns {Sentence[]} */
export function sentencesOf(event, game, narration) {
  const own = Array.isArray(event.events) ? event.events.flatMap((each) => gameSentences(each, game, narration)) : [];
  const saysWhoResigned = own.some(({ kind }) => kind === "resignation"); // in the game's own words
  const shell = saysWhoResigned ? null : tableSentence(event, narration);
  return shell ? [{ say: shell, rules: [], kind: event.k }, ...own] : own;
}

/** @param {any} event @param {GameTable|null} game
 * @param {NarrationContext} narration @returns {Sentence[]} */
function gameSentences(event, game, narration) {
  if (!game || !event || typeof event.kind !== "string" || event.kind === "-") return [];
  try {
    const say = game.narrate({ facts: {}, rules: [], ...event }, narration);
    return say ? [{ say, rules: event.rules ?? [], kind: event.kind }] : [];
  } catch {
    return []; // an event that this edition of the game cannot narrate
  }
}

/** @param {any} event @param {NarrationContext} narration @returns {string|null} */
function tableSentence(event, { names, you, words }) {
  const name =
    typeof event.name === "string" && event.name ? sanitized(event.name) : event.seat ? names(event.seat) : "";
  switch (event.k) {
    case "sealed":
      if (event.seat === you) return t(event.placer === "clock" ? "event.flagged_you" : "event.sealed_you");
      return t(event.placer === "clock" ? "event.flagged" : "event.sealed", { name: names(event.seat) });
    case "sat":
    case "stood":
    case "left":
    case "back":
    case "reclaimed":
    case "resigned":
    case "resigning":
      return t(`event.${event.k}`, { name });
    case "named":
      return t("event.named", { seat: event.seat, name });
    case "offered":
    case "replaced":
      return t(`event.${event.k}`, { name: names(event.seat), machine: machineName(words, event.machine) });
    case "agreed":
      return t("event.agreed", { name: names(event.seat), by: names(event.by) });
    case "said":
      return t("event.said", { name: name || t("chat.spectator"), text: chatText(event) });
    case "outage":
      return t("event.outage", { n: Math.max(1, Math.round(Number(event.ms) / 1000)) });
    case "chat":
      return switchedText(event.on === true);
    case "closed":
      return t("event.closed");
    case "void":
      return t("event.void");
    default:
      return null;
  }
}

/** What everyone reads when the host switches the chat. @param {boolean} on */
export const switchedText = (on) => t(on ? "event.chat_on" : "event.chat_off");

/** @param {any} said */
export function chatText(said) {
  if (typeof said.preset === "string") return t(`chat.${said.preset}`);
  return sanitized(said.text, 280);
}

/** @param {{frame: Frame, seat: number}} latest @param {GameTable} game @param {NarrationContext} narration */
function newsOf({ frame, seat }, game, narration) {
  const context = { ...narration, you: seat, aloud: true };
  const found = sentencesOf(/** @type {Frame & Entry} */ (frame), game, context).map((each) => each.say);
  return frame.k === "dealt" ? found.slice(-LAST) : found;
}

const LAST = 4; // a continued game starts with all events of the other one; the log has them all

/** Where the game stands, said on entering it; a new deal tells of itself.
 * @param {Sight} sight @param {GameTable} game @param {NarrationContext} narration @param {boolean} dealt */
function standingNews({ view, table }, game, narration, dealt) {
  const known =
    view && !dealt ? [game.place?.(view, narration), game.standing?.(view, { ...narration, aloud: true })] : [];
  const clock = table.clock.kind !== "none" && clockText(table.clock);
  return [...known, clock].filter(Boolean).map((each) => t("live.place", { place: String(each) }));
}

/** A sentence that is said once, else nothing. @param {string} key @param {Set<string>} said */
function once(key, said) {
  if (said.has(key)) return "";
  said.add(key);
  return t(key);
}

/** Sentences for one person behind the curtain disappear with their hand. What others seal behind a result is said when
 * the player goes on from it, with the round that begins, whose turn it is and what there is to choose. The keys are
 * named once each: those that choose at the first turn, the one that goes on at the first result.
 * @param {{screenSeats: ScreenSeats, sight: Sight, game: GameTable|null, narration: NarrationContext}} props */
export function LiveRegion({ screenSeats, sight, game, narration }) {
  const [said, setSaid] = useState({ words: "", seat: 0 });
  const announced = useRef({
    frame: /** @type {any} */ (null),
    held: /** @type {string[]} */ ([]),
    keys: /** @type {Set<string>} */ (new Set()),
    place: /** @type {string|null} */ (null),
    turn: false,
  });
  const latest = screenSeats.latest.value;
  const { revealing, mayPick, table } = sight;
  useEffect(() => {
    if (!game) return;
    const before = announced.current;
    const news = latest && latest.frame !== before.frame ? newsOf(latest, game, narration) : [];
    before.frame = latest?.frame ?? null;
    if (revealing && latest?.frame.k === "sealed") before.held.push(...news.splice(0));
    if (revealing && news.length > 0 && !sight.view?.outcome) news.push(once("live.go_on", before.keys));
    if (revealing || !mayPick) before.turn = false;
    let seat = news.length > 0 && latest ? latest.seat : narration.you;
    if (!revealing && table.state === "playing" && (seat === 0 || seat === narration.you)) {
      const place = (sight.view && game.place?.(sight.view, narration)) ?? "";
      if (before.place === null) news.push(...standingNews(sight, game, narration, latest?.frame.k === "dealt"));
      else if (before.place !== place) news.push(t("live.place", { place }));
      news.push(...before.held.splice(0));
      if (mayPick && !before.turn) {
        news.push(t("live.turn"), game.choice?.(sight, narration) ?? "", once("live.choose", before.keys));
        seat = narration.you; // the hand disappears with its owner
      }
      Object.assign(before, { place, turn: mayPick });
    }
    if (news.length > 0) setSaid({ words: sentences(...news), seat });
  }, [latest, game, revealing, mayPick, table.state, narration.you]);
  const mine = said.seat === 0 || said.seat === narration.you;
  return html`<div class="unseen" role="log" aria-live="polite" aria-label=${t("live.label")}>
    ${mine ? said.words : ""}
  </div>`;
}
