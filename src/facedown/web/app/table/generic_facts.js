// Plain values in words: the fields of a view and the facts of an event, for a game that draws neither itself.
// A list with an entry for each seat is told by name, and so is a seat's number under a name that says it is one.

/** @import { GameEvent, NarrationContext, Words } from "../contract.js" */

/** @typedef {{words: Words, names: (seat: number) => string, seats: number}} Telling */

/** What every view holds, and the table shows in its own way or not at all. */
const COMMON = ["viewer", "rules", "waiting", "outcome", "history"];
const ONE_SEAT = ["seat", "winner", "by"];
const OWN = "hand";

/** A word of the game for this key; else the name itself, with spaces.
 * @param {Words} words @param {string} kind @param {string} name */
export function label(words, kind, name) {
  const own = words(`${kind}.${name}`);
  const plain = name.replaceAll("_", " ");
  return own === `${kind}.${name}` ? plain.charAt(0).toUpperCase() + plain.slice(1) : own;
}

/** What a pick is called. @param {Words} words @param {string|number} pick */
export function pickLabel(words, pick) {
  const own = words(`pick.${pick}`);
  return own === `pick.${pick}` ? String(pick) : own;
}

/** One value in a line of text.
 * @param {string} name @param {any} value @param {Telling} telling @returns {string} */
export function told(name, value, telling) {
  const { words, names, seats } = telling;
  if (value === null || value === undefined) return words(ONE_SEAT.includes(name) ? "generic.nobody" : "generic.none");
  if (typeof value === "boolean") return words(value ? "generic.yes" : "generic.no");
  if (typeof value === "number" && ONE_SEAT.includes(name)) return names(value);
  if (Array.isArray(value)) {
    if (name === "seats") return value.map((seat) => names(seat)).join(words("generic.list")) || words("generic.none");
    const bySeat = value.length === seats && name !== OWN;
    const parts = value.map((each, i) =>
      bySeat ? words("generic.pair", { name: names(i + 1), fact: told("", each, telling) }) : told("", each, telling),
    );
    return parts.join(bySeat ? words("generic.list") : " ") || words("generic.none");
  }
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([key, each]) =>
      words("generic.pair", { name: label(words, "fact", key), fact: told(key, each, telling) }),
    );
    return parts.join(words("generic.list"));
  }
  return pickLabel(words, value);
}

/** The fields of a view that are worth a line, in the order in which the game has them.
 * @param {Record<string, any>|null} view @param {Telling} telling
 * @returns {{name: string, label: string, lines: string[]}[]} */
export function fields(view, telling) {
  return Object.entries(view ?? {})
    .filter(([name]) => !COMMON.includes(name))
    .map(([name, value]) => ({
      name,
      label: label(telling.words, "view", name),
      lines:
        Array.isArray(value) && value.length === telling.seats && name !== OWN
          ? value.map((each, i) =>
              telling.words("generic.pair", { name: telling.names(i + 1), fact: told("", each, telling) }),
            )
          : [told(name, value, telling)],
    }));
}

/** One event as a sentence: the game's own, with the facts filled in; else its name and its facts.
 * @param {GameEvent} event @param {Telling} telling @returns {string} */
export function eventTold(event, telling) {
  const { words } = telling;
  const facts = Object.entries(event.facts ?? {});
  const params = Object.fromEntries(facts.map(([name, value]) => [name, told(name, value, telling)]));
  const own = words(`event.${event.kind}`, params);
  if (own !== `event.${event.kind}`) return own;
  const kind = label(words, "kind", event.kind);
  const listed = facts.map(([name]) =>
    name === event.kind
      ? params[name]
      : words("generic.pair", { name: label(words, "fact", name).toLowerCase(), fact: params[name] }),
  );
  return listed.length > 0 ? words("generic.event", { kind, facts: listed.join(words("generic.list")) }) : `${kind}.`;
}

/** How many sit at the table that a narration is about: not told, so a list is by seat where all its names are known.
 * @param {NarrationContext} ctx @param {number} seats @returns {Telling} */
export const telling = (ctx, seats) => ({
  words: ctx.words,
  names: (seat) => (seat === ctx.you ? ctx.words("generic.you") : ctx.names(seat)),
  seats,
});
