// Plain values in words: the fields of a view and the facts of an event, for a game that draws neither itself.
// Lists with an entry for each seat show the seats' names, and so do fields that hold a seat's number.

/** @import { GameEvent, NarrationContext, Words } from "../contract.js" */

/** @typedef {{words: Words, names: (seat: number) => string, seats: number}} Context */

/** Fields of every view that the table shows in its own way, or not at all. */
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

/** The name of a pick. @param {Words} words @param {string|number} pick */
export function pickLabel(words, pick) {
  const own = words(`pick.${pick}`);
  return own === `pick.${pick}` ? String(pick) : own;
}

/** One value in a line of text.
 * @param {string} name @param {any} value @param {Context} context @returns {string} */
function valueText(name, value, context) {
  const { words, names, seats } = context;
  if (value === null || value === undefined) return words(ONE_SEAT.includes(name) ? "generic.nobody" : "generic.none");
  if (typeof value === "boolean") return words(value ? "generic.yes" : "generic.no");
  if (typeof value === "number" && ONE_SEAT.includes(name)) return names(value);
  if (Array.isArray(value)) {
    if (name === "seats") return value.map((seat) => names(seat)).join(words("generic.list")) || words("generic.none");
    const bySeat = value.length === seats && name !== OWN;
    const parts = value.map((each, i) =>
      bySeat
        ? words("generic.pair", { name: names(i + 1), fact: valueText("", each, context) })
        : valueText("", each, context),
    );
    return parts.join(bySeat ? words("generic.list") : " ") || words("generic.none");
  }
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([key, each]) =>
      words("generic.pair", { name: label(words, "fact", key), fact: valueText(key, each, context) }),
    );
    return parts.join(words("generic.list"));
  }
  return pickLabel(words, value);
}

/** The fields of a view that are worth a line, in the order in which the game has them.
 * @param {Record<string, any>|null} view @param {Context} context
 * @returns {{name: string, label: string, lines: string[]}[]} */
export function fields(view, context) {
  return Object.entries(view ?? {})
    .filter(([name]) => !COMMON.includes(name))
    .map(([name, value]) => ({
      name,
      label: label(context.words, "view", name),
      lines:
        Array.isArray(value) && value.length === context.seats && name !== OWN
          ? value.map((each, i) =>
              context.words("generic.pair", { name: context.names(i + 1), fact: valueText("", each, context) }),
            )
          : [valueText(name, value, context)],
    }));
}

/** One event as a sentence: the game's own, with the facts filled in; else its name and its facts.
 * @param {GameEvent} event @param {Context} context @returns {string} */
export function eventSentence(event, context) {
  const { words } = context;
  const facts = Object.entries(event.facts ?? {});
  const params = Object.fromEntries(facts.map(([name, value]) => [name, valueText(name, value, context)]));
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

/** The number of seats is not known here: a list is by seat if all its names are known.
 * @param {NarrationContext} ctx @param {number} seats @returns {Context} */
export const narrationContext = (ctx, seats) => ({
  words: ctx.words,
  names: (seat) => (seat === ctx.you ? ctx.words("generic.you") : ctx.names(seat)),
  seats,
});
