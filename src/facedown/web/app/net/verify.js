// Verification of a finished game in this browser: folds the links of its table, opens every seal and number, deals
// again, and checks the server's signature, key and public log. The list is that of `facedown verify`, and reports the
// first failure of each kind. What needs the rules of the game, or a machine, cannot be known without Python.

import { Chain } from "./chain.js";
import { hex, pickCommitment, Stream, seedCommitment, tableKey, tableNonce, unhex } from "./commitments.js";
import {
  canonicalJson,
  fieldOf,
  fromBase64url,
  gameDigest,
  headAfter,
  headDigest,
  isSigned,
  NO_HEAD,
  NO_KEY,
  readLink,
  recordDigest,
} from "./links.js";
import { checkpointOf, leafOf, signerOf } from "./public_log.js";

/** @import { AlarmKind } from "./memory.js" */

/** The record of a game, as far as verification reads it.
 * @typedef {{id: string, game: string, version: number, rules: string, seats: string[], seed?: string, result?: any,
 *   picks: (string|number|null)[][], chance: string[], continues?: {id: string, decisions: number, draws: number},
 *   fair?: {links: any[][], nonces: (string|null)[], sig?: string, pools?: {at: number, options: string[]}[],
 *     log?: Record<string, string>|null},
 *   signed?: {key: string, signature: string}}} GameRecord */

/** @typedef {{seat: number, placer: string, commit: string, nonce: string|null}} RecordedSeal */
/** One decision as the links have it. @typedef {{number: number, head: string, due: number[], seals: RecordedSeal[],
 *   forfeited: number[], resigned: number}} SealedDecision */
/** @typedef {{decision?: number, seat?: number}} Place */
/** `holds` is null if something is missing that the check needs; `say`: the sentence of `facedown verify`.
 * @typedef {{check: string, holds: boolean|null, count: number, at?: Place, why?: string, say?: string,
 *   alarm?: AlarmKind}} Finding */

const RESIGN = "resign";
const FORFEIT = "forfeit";

class Broken extends Error {
  /** @param {Place} [at] @param {number} [count] */
  constructor(at = {}, count = 0) {
    super("the record does not hold");
    this.at = at;
    this.count = count;
  }
}

/** @param {GameRecord} record @param {{draws?: {count: number, place: number}[]|null, origin?: GameRecord|null,
 *   keys?: Set<string>}} [known] `origin`: the record of the game that this one continues, if it can be read; `keys`:
 *   by which this server is known
 * @returns {Promise<Finding[]>} */
export async function verify(record, { draws = null, origin = null, keys = new Set() } = {}) {
  const { fair, continues } = record;
  const taken = continues ? [find("origin", () => originHolds(record, origin))] : [];
  const rules = [unknown("picks"), unknown("result"), ...taken];
  if (!fair) {
    const stripped = record.signed ? [{ ...unknown("signature"), holds: false }] : []; // its links were signed with it
    return [...rules, { ...unknown("links"), why: "local" }, unknown("deal"), ...stripped];
  }
  /** @type {ReturnType<typeof historyOf>|undefined} */
  let history;
  const links = find("links", () => {
    history = historyOf(fair);
    return linksHold(record, history);
  });
  if (!history) return [...rules, links];
  const { chain, decisions } = history;
  const key = record.seed && chain.full ? keyOf(record.seed, chain) : null;
  const machines = chain.setup?.flag === "random" ? ["machine"] : ["machine", "clock"];
  const hasMachines = decisions.some(({ seals }) => seals.some(({ placer }) => machines.includes(placer)));
  return [
    ...rules,
    links,
    find("promises", () => promisesHold(record, chain)),
    find("seals", () => sealsHold(record, decisions)),
    find("placers", () => placersHold(record, decisions, key)),
    ...(chain.setup?.seal === "blind" ? [forfeitsHold(record, decisions)] : []),
    find("deal", () => dealHolds(key, draws?.slice(continues?.draws ?? 0) ?? null)),
    ...(hasMachines ? [unknown("machines")] : []),
    await signatureHolds(record, chain),
    { ...unknown("key"), holds: keys.has(chain.key) || null },
    await logHolds(fair, chain, keys),
  ];
}

/** @param {string} check @returns {Finding} */
const unknown = (check) => ({ check, holds: null, count: 0 });

/** The verdict on what was found. @param {Finding[]} findings @returns {"false"|"proven"|"consistent"} */
export function verdictOf(findings) {
  if (findings.some(({ holds }) => holds === false)) return "false";
  return findings.length > 0 && findings.every(({ holds }) => holds) ? "proven" : "consistent";
}

/** The checks of which something is missing. @param {Finding[]} findings */
export const missingIn = (findings) => findings.filter(({ holds }) => holds === null).map(({ check }) => check);

/** What was found here, completed by what `facedown verify` found: it knows the rules, but may have no library for
 * signatures. @param {Finding[]} here @param {{check: string, holds: boolean|null, say: string}[]} whole
 * @returns {Finding[]} */
export function completed(here, whole) {
  const found = here.map((mine) => {
    const theirs = whole.find(({ check, holds }) => check === mine.check && holds !== null);
    return theirs && mine.holds === null ? { ...mine, ...theirs } : mine;
  });
  const known = new Set(here.map(({ check }) => check));
  return [...found, ...whole.filter(({ check }) => !known.has(check)).map((each) => ({ count: 0, ...each }))];
}

/** @param {string} check @param {() => Partial<Finding>} work @returns {Finding} */
function find(check, work) {
  try {
    return { check, holds: true, count: 0, ...work() };
  } catch (error) {
    const { at, count = 0 } = /** @type {Partial<Broken>} */ (error); // a refused link has its place too
    return { check, holds: false, count, at };
  }
}

/** Everything that follows from the links. @param {NonNullable<GameRecord["fair"]>} fair */
function historyOf({ links, nonces }) {
  const chain = new Chain();
  /** @type {SealedDecision[]} */
  const decisions = [];
  /** @type {Map<number, string|null>} */
  const opening = new Map();
  let [seals, voids] = [0, 0];
  for (const each of links) {
    const link = readLink(each);
    const { decision: number, decisionHead: head, dueSeats: due } = chain;
    const sealed = [...chain.sealed].map(([seat, seal]) => ({ seat, ...seal, nonce: opening.get(seat) ?? null }));
    chain.add(link);
    if (link.kind === "void") voids += 1;
    if (link.kind === "sealed") opening.set(fieldOf(link, "seat"), nonces[seals++]);
    if (link.kind !== "revealed" && link.kind !== "resigned") continue;
    const [forfeited, resigned] =
      link.kind === "revealed" ? [fieldOf(link, "forfeited"), 0] : [[], fieldOf(link, "seat")];
    decisions.push({ number, head, due, seals: sealed, forfeited, resigned });
    opening.clear();
  }
  if (seals !== nonces.length) throw new Broken();
  return { chain, decisions, voids };
}

/** @param {string} seed @param {Chain} chain */
function keyOf(seed, { table, full, opened }) {
  const numbers = [...opened].toSorted(([one], [other]) => one - other).map(([, number]) => unhex(number));
  return tableKey(unhex(seed), table, unhex(full ?? ""), numbers);
}

/** Checks that what was taken over from another game agrees with that game's record.
 * @param {GameRecord} record @param {GameRecord|null} origin @returns {Partial<Finding>} */
function originHolds({ continues, picks, chance, fair }, origin) {
  const { id = "", decisions: count = 0, draws = 0 } = continues ?? {};
  if (!origin) return { holds: null, count };
  /** @param {{picks: any[], chance: string[]}} of */
  const taken = (of) => JSON.stringify([of.picks.slice(0, count), of.chance.slice(0, draws)]);
  const digest = fair?.links[0]?.[4]?.continues?.digest;
  const same = origin.id === id && origin.picks.length >= count && taken(origin) === taken({ picks, chance });
  if (!same || (fair && digest !== hex(gameDigest(origin)))) throw new Broken();
  return { count };
}

/** The links are about this game, its picks and its result.
 * @param {GameRecord} record @param {ReturnType<typeof historyOf>} history @returns {Partial<Finding>} */
function linksHold(record, { chain, decisions }) {
  const { continues } = record;
  const setup = /** @type {NonNullable<Chain["setup"]>} */ (chain.setup);
  const taken = continues && { id: continues.id, decisions: continues.decisions, draws: continues.draws };
  const { digest: _, ...named } = setup.continues ?? {};
  const mine = [record.id, record.game, record.version, record.rules, record.seats.length, taken ?? {}];
  const theirs = [chain.table, setup.game, setup.version, setup.rules, chain.machines.length, named];
  if (canonicalJson(mine) !== canonicalJson(theirs)) throw new Broken();
  const after = continues?.decisions ?? 0;
  if (chain.dealt !== null && record.picks.length - after !== decisions.length) throw new Broken();
  for (const { number, due, forfeited, resigned } of decisions) {
    const joint = record.picks[number - 1];
    const seats = seatsWith(joint, (pick) => pick !== null);
    const wanted = resigned ? [resigned] : due.toSorted((one, other) => one - other);
    const same =
      canonicalJson(seatsWith(joint, (pick) => pick === FORFEIT)) === canonicalJson(forfeited.toSorted()) &&
      (seatsWith(joint, (pick) => pick === RESIGN)[0] ?? 0) === resigned &&
      canonicalJson(seats) === canonicalJson(wanted);
    if (!same) throw new Broken({ decision: number });
  }
  const result = canonicalJson({ replaced: [], ...record.result });
  if (chain.result !== null && (result !== canonicalJson(chain.result) || record.seed !== chain.seed))
    throw new Broken();
  return { holds: chain.ended === "over" ? true : null, count: chain.number + 1 };
}

/** @param {(string|number|null)[]} joint @param {(pick: string|number|null) => boolean} wanted */
const seatsWith = (joint, wanted) => joint.flatMap((pick, place) => (wanted(pick) ? [place + 1] : []));

/** What was published before the deal: the server's seed; the numbers of people were checked with the links.
 * @param {GameRecord} record @param {Chain} chain @returns {Partial<Finding>} */
function promisesHold({ id, seed }, { seedCommit, opened, voids }) {
  const count = opened.size;
  if (!seed) return { holds: null, count, why: "open" };
  if (hex(seedCommitment(id, unhex(seed))) !== seedCommit) throw new Broken();
  return voids > 0 ? { holds: null, count: voids, why: "void" } : { count };
}

/** Every pick of a person is the one that was sealed. @param {GameRecord} record @param {SealedDecision[]} decisions
 * @returns {Partial<Finding>} */
function sealsHold(record, decisions) {
  let count = 0;
  for (const { decision, seat, holds, isOpen } of sealChecks(record, decisions)) {
    if (!holds) throw new Broken({ decision, seat }, count);
    count += isOpen ? 1 : 0;
  }
  return { count };
}

/** @param {GameRecord} record @param {SealedDecision[]} decisions */
function sealChecks({ id, picks }, decisions) {
  return decisions.flatMap(({ number, head, seals, forfeited, resigned }) =>
    seals.map(({ seat, placer, commit, nonce }) => {
      const pick = String(picks[number - 1][seat - 1]);
      const isOpen = placer === "person" && !resigned && !forfeited.includes(seat);
      const made = nonce === null ? "" : hex(pickCommitment(id, number, seat, unhex(head), pick, unhex(nonce)));
      return { decision: number, seat, pick, commit, isOpen, holds: isOpen ? made === commit : nonce === null };
    }),
  );
}

/** Every seal of a person that was opened: what was sealed, its fingerprint, and whether it opens to that pick.
 * @param {GameRecord} record */
export const sealSteps = (record) =>
  record.fair ? sealChecks(record, historyOf(record.fair).decisions).filter(({ isOpen }) => isOpen) : [];

/** Machines and the clock placed what the links say: their nonces follow from the key of the deal, which no person
 * knows during the game. @param {GameRecord} record @param {SealedDecision[]} decisions @param {Uint8Array|null} key
 * @returns {Partial<Finding>} */
function placersHold({ id, picks }, decisions, key) {
  if (!key) return { holds: null, why: "open" };
  let clocked = 0;
  for (const { number, head, seals, resigned } of decisions) {
    for (const { seat, placer, commit, nonce } of seals) {
      const isHidden = ["machine", "clock"].some((by) => hex(tableNonce(key, by, number, seat)) === nonce);
      if (isHidden) throw new Broken({ decision: number, seat });
      if (placer === "person" || resigned) continue;
      const pick = String(picks[number - 1][seat - 1]);
      const made = pickCommitment(id, number, seat, unhex(head), pick, tableNonce(key, placer, number, seat));
      if (hex(made) !== commit) throw new Broken({ decision: number, seat });
      clocked += placer === "clock" ? 1 : 0;
    }
  }
  return clocked > 0 ? { holds: null, count: clocked, why: "clock" } : {};
}

/** At a blind table: with three or more seats, a coalition may have sacrificed one that did not open.
 * @param {GameRecord} record @param {SealedDecision[]} decisions @returns {Finding} */
function forfeitsHold({ seats }, decisions) {
  const count = decisions.reduce((sum, { forfeited }) => sum + forfeited.length, 0);
  return { check: "forfeits", holds: count > 0 && seats.length > 2 ? null : true, count };
}

/** @param {Uint8Array|null} key @param {{count: number, place: number}[]|null} draws @returns {Partial<Finding>} */
function dealHolds(key, draws) {
  if (!draws || (!key && draws.length > 0)) return { holds: null };
  if (!key) return {};
  const stream = new Stream(key, "chance");
  for (const [count, draw] of draws.entries())
    if (Number(stream.below(draw.count)) !== draw.place) throw new Broken({}, count);
  return { count: draws.length };
}

/** Whether the server signed the record and the last head. @param {GameRecord} record @param {Chain} chain
 * @returns {Promise<Finding>} */
async function signatureHolds(record, { key, table, number, head }) {
  const { signed, fair } = record;
  const finding = unknown("signature");
  if (signed && signed.key !== key) return { ...finding, holds: false };
  if (!signed || !fair?.sig || key === NO_KEY) return { ...finding, why: "none" };
  const checks = await Promise.all([
    isSigned(key, recordDigest(record), unhex(signed.signature)),
    isSigned(key, headDigest(table, number, head), fromBase64url(fair.sig)),
  ]);
  if (checks.includes(false)) return { ...finding, holds: false };
  if (checks.includes(null)) return { ...finding, why: "no_crypto" };
  return { ...finding, holds: true };
}

/** Whether the table and its end are in the server's public log; it may have changed its key since.
 * @param {NonNullable<GameRecord["fair"]>} fair @param {Chain} chain @param {Set<string>} keys
 * @returns {Promise<Finding>} */
async function logHolds({ links, log }, { table, head, key }, keys) {
  const finding = unknown("log");
  if (!log) return { ...finding, why: "none" };
  const heads = { table: headAfter(NO_HEAD, 0, readLink(links[0])), record: head };
  try {
    for (const [kind, each] of Object.entries(heads)) {
      const { checkpoint } = checkpointOf(String(log[kind]), leafOf(kind, table, each));
      const signer = await signerOf(checkpoint, new Set([key, ...keys]));
      if (!signer) return { ...finding, why: signer === null ? "no_crypto" : "other_key" };
      finding.count = Math.max(finding.count, checkpoint.size);
    }
  } catch {
    return { ...finding, holds: false };
  }
  return { ...finding, holds: true };
}

/** Each draw as the number of options and the place of the one drawn; null if the record does not name the options.
 * `fair.pools` lists the options, in canonical order, of every draw (`at`, from 0) that does not simply go on with what
 * the draw before it left.
 * @param {{chance: string[], fair?: {pools?: {at: number, options: string[]}[]}}} record
 * @returns {{count: number, place: number}[]|null} */
export function drawsOf({ chance, fair }) {
  if (!fair?.pools) return null;
  const begins = new Map(fair.pools.map(({ at, options }) => [at, options]));
  /** @type {string[]} */
  let options = [];
  return chance.map((drawn, at) => {
    options = begins.get(at) ?? options;
    const place = options.indexOf(drawn);
    const draw = { count: Math.max(1, options.length), place };
    options = options.filter((_, i) => i !== place);
    return draw;
  });
}
