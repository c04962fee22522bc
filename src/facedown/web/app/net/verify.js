// Verification of a finished game in this browser: commitments made before it against what was opened after. Reports
// the first failure of each kind.

import {
  dealKey,
  entropyCommitment,
  hex,
  pickCommitment,
  Stream,
  seedCommitment,
  tableNonce,
  unhex,
} from "./commitments.js";

/** The record of a game, as far as verification reads it.
 * @typedef {{id: string, seed?: string, seats?: string[], picks: (string|number|null)[][], chance: string[],
 *   continues?: {id: string, decisions: number, draws: number},
 *   fair?: {seed_commit: string, entropy: {seat: number, commit: string, opened: string|null}[],
 *   table?: {seats: {kind: "person"|"machine", machine?: string}[], flag?: string, software?: string, seal?: string},
 *   seals: RecordedSeal[][], pools?: {at: number, options: string[]}[]}}} GameRecord */

/** @typedef {{seat: number, commit: string, nonce: string, flag?: boolean, machine?: string,
 *   forfeit?: boolean}} RecordedSeal `forfeit`: never opened, a pick was drawn instead, and there is no nonce */

/** @typedef {{check: "origin"|"seed"|"entropy"|"people"|"seals"|"placers"|"order"|"deal"|"heard",
 *   holds: boolean|null, count: number,
 *   at?: {decision?: number, seat?: number}}} Finding */

const RESIGN = "resign";

/** @param {GameRecord} record @param {{count: number, place: number}[]|null} draws @param {string} [promised] the
 *   seed's
 *   commitment as this browser saw it before the game, if it did
 * @param {GameRecord|null} [origin]  the record of the game that this one continues, if it can be read
 * @returns {Finding[]} */
export function verify(record, draws, promised, origin = null) {
  const { fair, seed } = record;
  if (!fair || !seed) return [{ check: "seed", holds: null, count: 0 }];
  const kept = promised === undefined || promised === fair.seed_commit;
  const commit = hex(seedCommitment(record.id, unhex(seed)));
  const taken = record.continues ?? { decisions: 0, draws: 0 };
  return [
    ...originHolds(record, origin),
    { check: "seed", holds: kept && commit === fair.seed_commit, count: 1 },
    entropyHolds(record.id, fair.entropy),
    peopleHold(fair),
    sealsHold(record.id, record.picks, fair.seals, taken.decisions),
    ...placersHold(record.id, seed, fair, taken.decisions),
    dealHolds(record.id, seed, fair.entropy, draws?.slice(taken.draws) ?? null),
  ];
}

/** Checks that what was taken over from another game agrees with that game's record.
 * @param {GameRecord} record @param {GameRecord|null} origin @returns {Finding[]} */
function originHolds({ continues, picks, chance }, origin) {
  if (!continues) return [];
  const { id, decisions: count, draws } = continues;
  if (!origin) return [{ check: "origin", holds: null, count }];
  /** @param {{picks: any[], chance: string[]}} of */
  const taken = (of) => JSON.stringify([of.picks.slice(0, count), of.chance.slice(0, draws)]);
  const holds = origin.id === id && origin.picks.length >= count && taken(origin) === taken({ picks, chance });
  return [{ check: "origin", holds, count }];
}

/** @param {string} game @param {{seat: number, commit: string, opened: string|null}[]} thrown @returns
 *   {Finding} */
function entropyHolds(game, thrown) {
  let count = 0;
  for (const { seat, commit, opened } of thrown) {
    if (opened === null) continue;
    const again = hex(entropyCommitment(game, seat, unhex(opened)));
    if (again !== commit) return { check: "entropy", holds: false, count, at: { seat } };
    count += 1;
  }
  return { check: "entropy", holds: true, count };
}

/** Checks that the deal uses the entropy of every person. @param {NonNullable<GameRecord["fair"]>} fair
 * @returns {Finding} */
function peopleHold({ table, entropy }) {
  if (!table) return { check: "people", holds: null, count: 0 };
  let count = 0;
  for (const [place, { kind }] of table.seats.entries()) {
    const share = entropy.find(({ seat }) => seat === place + 1);
    if (kind === "person" ? !share?.opened : share)
      return { check: "people", holds: false, count, at: { seat: place + 1 } };
    if (share) count += 1;
  }
  return { check: "people", holds: entropy.length === count, count };
}

/** Who placed the seals, people or the table itself, and in which order.
 * @param {string} game @param {string} seed @param {NonNullable<GameRecord["fair"]>} fair @param {number} after
 * @returns {Finding[]} */
function placersHold(game, seed, { table, entropy, seals }, after) {
  if (!table) return [];
  const key = dealKey(unhex(seed), game, openedBytes(entropy));
  let [count, late, machines] = [0, 0, 0];
  for (const [place, each] of seals.entries()) {
    let people = 0;
    for (const { seat, nonce, flag, machine, forfeit } of place < after ? [] : each) {
      const decision = place + 1;
      /** @type {Record<string, string>} */
      const own = Object.fromEntries(["machine", "clock"].map((by) => [by, hex(tableNonce(key, by, decision, seat))]));
      const by = flag ? "clock" : machine ? "machine" : "";
      const lawful = !forfeit || (!by && table.seal === "blind");
      const fits = lawful && (by ? own[by] === nonce : !Object.values(own).includes(nonce));
      const seated = table.seats[seat - 1]?.kind === "machine" ? Boolean(machine) : true;
      if (!fits || !seated) return [{ check: "placers", holds: false, count, at: { decision, seat } }];
      count += flag ? 1 : 0;
      people += by ? 0 : 1;
      machines += machine ? 1 : 0;
      late += machine && people ? 1 : 0;
    }
  }
  /** @type {Finding} */
  const order = { check: "order", holds: late > 0 ? null : true, count: late };
  return [{ check: "placers", holds: true, count }, ...(machines > 0 ? [order] : [])];
}

/** @param {{opened: string|null}[]} thrown */
const openedBytes = (thrown) => thrown.flatMap((each) => (each.opened === null ? [] : [unhex(each.opened)]));

/** @param {string} game @param {(string|number|null)[][]} picks
 * @param {RecordedSeal[][]} seals @param {number} after  the number of decisions that were sealed
 *   in another game
 * @returns {Finding} */
function sealsHold(game, picks, seals, after) {
  let count = 0;
  for (const [place, joint] of picks.entries()) {
    if (place < after || joint.includes(RESIGN)) continue;
    for (const [at, pick] of joint.entries()) {
      if (pick === null) continue;
      const [decision, seat] = [place + 1, at + 1];
      const seal = seals[place]?.find((each) => each.seat === seat);
      if (seal?.forfeit) continue;
      const again = seal && hex(pickCommitment(game, decision, seat, String(pick), unhex(seal.nonce)));
      if (!seal || again !== seal.commit) return { check: "seals", holds: false, count, at: { decision, seat } };
      count += 1;
    }
  }
  return { check: "seals", holds: true, count };
}

/** Every seal of a game: what was sealed, its fingerprint, and whether it opens to that pick.
 * @param {GameRecord} record
 * @returns {{decision: number, seat: number, pick: string, commit: string, holds: boolean}[]} */
export function sealSteps({ id, picks, fair, continues }) {
  return picks.flatMap((joint, place) => {
    if (!fair || place < (continues?.decisions ?? 0) || joint.includes(RESIGN)) return [];
    return joint.flatMap((made, at) => {
      if (made === null) return [];
      const [decision, seat, pick] = [place + 1, at + 1, String(made)];
      const seal = fair.seals[place]?.find((each) => each.seat === seat);
      if (seal?.forfeit) return [];
      const again = seal && hex(pickCommitment(id, decision, seat, pick, unhex(seal.nonce)));
      return [{ decision, seat, pick, commit: seal?.commit ?? "", holds: seal !== undefined && again === seal.commit }];
    });
  });
}

/** @param {string} game @param {string} seed @param {{opened: string|null}[]} thrown
 * @param {{count: number, place: number}[]|null} draws @returns {Finding} */
function dealHolds(game, seed, thrown, draws) {
  if (!draws) return { check: "deal", holds: null, count: 0 };
  const stream = new Stream(dealKey(unhex(seed), game, openedBytes(thrown)), "chance");
  let count = 0;
  for (const draw of draws) {
    if (Number(stream.below(draw.count)) !== draw.place) return { check: "deal", holds: false, count };
    count += 1;
  }
  return { check: "deal", holds: true, count };
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
