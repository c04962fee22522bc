// Events in words: the game tells its own, the shell what belongs to every table. What it does not know it leaves out.

import { t } from "../words.js";
import { calm } from "./name.js";

/** @import { Entry } from "../state/fold.js" */
/** @import { GameTable, Telling, Words } from "../contract.js" */

/** @typedef {{say: string, rules: string[], kind: string}} Sentence */

/** @param {Entry} event @param {GameTable|null} game
 * @param {Telling} telling @returns {Sentence[]} */
export function told(event, game, telling) {
  const own = Array.isArray(event.events) ? event.events.flatMap((each) => gameTold(each, game, telling)) : [];
  const shell = shellTold(event, telling);
  return shell ? [{ say: shell, rules: [], kind: event.k }, ...own] : own;
}

/** @param {any} event @param {GameTable|null} game
 * @param {Telling} telling @returns {Sentence[]} */
function gameTold(event, game, telling) {
  if (!game || !event || typeof event.kind !== "string" || event.kind === "-") return [];
  try {
    const say = game.tell({ facts: {}, rules: [], ...event }, telling);
    return say ? [{ say, rules: event.rules ?? [], kind: event.kind }] : [];
  } catch {
    return []; // an event that this edition of the game cannot tell
  }
}

/** @param {any} event @param {Telling} telling @returns {string|null} */
function shellTold(event, { names, you, words }) {
  const name = typeof event.name === "string" && event.name ? calm(event.name) : event.seat ? names(event.seat) : "";
  switch (event.k) {
    case "sealed":
      return event.seat === you
        ? event.flag
          ? t("told.flagged_you")
          : null
        : t(event.flag ? "told.flagged" : "told.sealed", { name: names(event.seat) });
    case "sat":
    case "stood":
    case "left":
    case "back":
    case "resigned":
      return t(`told.${event.k}`, { name });
    case "named":
      return t("told.named", { seat: event.seat, name });
    case "offered":
    case "replaced":
      return t(`told.${event.k}`, { name: names(event.seat), machine: machineWord(event.machine, words) });
    case "agreed":
      return t("told.agreed", { name: names(event.seat), by: names(event.by) });
    case "said":
      return t("told.said", { name: name || t("talk.spectator"), text: saidText(event) });
    case "outage":
      return t("told.outage", { n: Math.max(1, Math.round(Number(event.ms) / 1000)) });
    case "closed":
      return t("told.closed");
    case "unopened":
      return t("told.unopened");
    default:
      return null;
  }
}

/** @param {unknown} machine @param {Words} words */
function machineWord(machine, words) {
  const key = `machine.${machine}.name`;
  const own = words(key);
  if (own !== key) return own;
  const known = t(`machine.${machine}`);
  return known === `machine.${machine}` ? calm(machine) : known;
}

/** @param {any} said */
export function saidText(said) {
  if (typeof said.preset === "string") return t(`talk.${said.preset}`);
  return calm(said.text, 280);
}
