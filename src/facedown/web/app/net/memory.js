// Memory of one seat: the links of its table as this browser folded them, and what it did itself. It outlives the page;
// with an alarm it becomes the evidence. The same JSON as `facedown.client.memory` writes.

/** @typedef {"fork"|"promises"|"order"|"due"|"pick"|"mine"|"opening"|"clock"|"seal"|"hand"|"record"|"key"|
 *   "log"} AlarmKind */
/** The first thing that did not fit. @typedef {{kind: AlarmKind, decision: number, seat: number, heard: string,
 *   came: string}} Alarm */
/** A pick of this browser: kept before it is sent, and sent unchanged until it is answered. `acked`: the number of the
 * link that the server acknowledged it with; `opened`: at a blind table, its opening has been sent.
 * @typedef {{pick: string, nonce: string, commit: string, acked?: number, opened?: boolean,
 *   opening_acked?: boolean}} OwnPick */
/** A pick of any seat that was turned before this browser.
 * @typedef {{seat: number, pick: string, nonce: string}} OpenedPick */
/** What a server signed: links with the signature of the last head, or a checkpoint of its public log.
 * @typedef {{links: any[][], sig: string}|import("./public_log.js").CheckpointStatement} Statement */

const FORMAT = "facedown/memory/2";
const EVIDENCE = "facedown/evidence/2";

/** @param {string} table @param {number} seat */
const emptyMemory = (table, seat) => ({
  table,
  seat,
  format: FORMAT,
  origin: "",
  /** @type {any[][]} */
  links: [],
  sig: "", // the newest signature of a head that was checked
  signed: -1, // the number of the link whose head it signs
  entropy: "", // what this seat throws into the deal
  full: "", // the head of the link `full` on which this browser opened its number
  /** @type {Record<string, OwnPick>} by decision */
  own: {},
  /** @type {Record<string, string>} the digest of the own view when each decision was opened */
  views: {},
  /** @type {Record<string, OpenedPick[]>} */
  turned: {},
  resigned: 0, // the decision in which this browser resigned
  ready: false, // this browser said that its player is ready for the first decision
  left: false, // this browser left its seat: a machine may take it over
  /** @type {number[]} links of the own seat that this browser did not cause: another device played */
  elsewhere: [],
  /** @type {number[]} decisions whose pick the server did not answer, though it answered otherwise */
  unanswered: [],
  /** @type {Record<string, boolean>} whether the server proved in time that its log has the `table`, and its end
   * (`record` or `closed`) */
  log: {},
  /** @type {Alarm|null} */
  alarm: null,
  /** @type {Statement[]} what the server signed that does not fit the links above */
  statements: [],
});

/** @typedef {ReturnType<typeof emptyMemory>} Memory */

/** @param {string} table @param {number} seat @param {Partial<Memory>|null} [kept] @returns {Memory} */
export function memoryOf(table, seat, kept = null) {
  const fits = kept?.format === FORMAT && kept.table === table && kept.seat === seat;
  return { ...emptyMemory(table, seat), ...(fits ? kept : {}) };
}

/** The evidence of an alarm: a pick and its nonce only of decisions that were turned. @param {Memory} memory
 * @param {string} key the table's @param {import("./rest.js").ServerKeys|null} [keys] how the server changed its key */
export function evidenceOf(memory, key, keys = null) {
  const { origin, table, seat, alarm, links, sig, signed } = memory;
  const turned = Object.entries(memory.own).filter(([decision]) => decision in memory.turned);
  const shown = { ...memory, entropy: "", own: Object.fromEntries(turned), statements: [] };
  const mine = sig ? [{ links: links.slice(0, signed + 1), sig }] : [];
  const statements = [...mine, ...memory.statements];
  const evidence = { format: EVIDENCE, origin, key, table, seat, alarm, statements, memory: withoutDefaults(shown) };
  return keys?.changes?.length ? { ...evidence, keys } : evidence;
}

/** @param {Memory} memory */
function withoutDefaults(memory) {
  const usual = new Map(Object.entries({ ...emptyMemory("", -1), format: "" }));
  const parts = Object.entries(memory).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual.get(name)),
  );
  return Object.fromEntries(parts);
}
