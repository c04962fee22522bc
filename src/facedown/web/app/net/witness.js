// Witness of one seat: compares openings and the record with what this browser has received and done. Pure; the owner
// keeps its plain memory until the review. Raises the same alarms as `facedown.client.witness`.

import { entropyCommitment, hex, pickCommitment, seedCommitment, unhex } from "./commitments.js";

/** @import { GameRecord } from "./verify.js" */
/** @import { Frame } from "./socket.js" */

/** @typedef {"promise"|"seats"|"entropy"|"unopened"|"seal"|"pick"|"seed"|"record"} Trouble */
/** @typedef {{kind: Trouble, decision?: number, seat?: number, heard?: string, came?: string}} Alarm */
/** @typedef {{seat: number, commit: string, flag?: boolean}} HeardSeal */
/** @typedef {{pick: string, nonce: string, commit: string, after: number[], opened?: boolean}} OwnSeal `opened`: at a
 *   blind table the server has acknowledged its opening */
/** @typedef {object} Memory
 * @property {string} format
 * @property {string} table
 * @property {number} seat
 * @property {string} seedCommit
 * @property {string} entropy       this seat's random bytes
 * @property {boolean} opened       whether the server has acknowledged that it was opened
 * @property {Record<string, string>} dealt  by seat: the commitment to entropy when the game was dealt
 * @property {Record<string, HeardSeal[]>} seals  by decision, in the order of arrival
 * @property {Record<string, OwnSeal>} own
 * @property {boolean} blind         the server may not know a pick before every seat has sealed; this never changes
 * @property {Alarm|null} alarm */

const FORMAT = "facedown/witness/1";

/** @param {string} table @param {number} seat @param {Partial<Memory>|null} [kept] @returns {Memory} */
export function memoryOf(table, seat, kept = null) {
  const fits = kept?.format === FORMAT && kept.table === table && kept.seat === seat;
  const empty = { seedCommit: "", entropy: "", opened: false, dealt: {}, seals: {}, own: {}, alarm: null };
  return { format: FORMAT, table, seat, blind: false, ...empty, ...(fits ? kept : {}) };
}

export class Witness {
  /** @param {Memory} memory */
  constructor(memory) {
    this.memory = memory;
  }

  get alarm() {
    return this.memory.alarm;
  }

  /** @param {Frame} frame @param {any} table what was known of the table before this frame */
  take(frame, table) {
    try {
      if (frame.t === "snap") this.takeSnapshot(frame);
      if (frame.t === "ev") this.takeEvent(frame, table);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.raise({ kind: "record", came: String(error.message) }); // bytes that no commitment can be computed from
    }
  }

  /** @param {Frame} frame */
  takeSnapshot({ table }) {
    if (!table || typeof table.seed_commit !== "string") return;
    const known = this.memory.seedCommit;
    if (known && known !== table.seed_commit) this.raise({ kind: "promise", heard: known, came: table.seed_commit });
    this.memory.seedCommit = known || table.seed_commit;
    this.memory.blind ||= table.seal === "blind";
    if (table.state === "playing" || table.state === "over") this.checkSeats(table.seats);
    if (table.turn) this.takeSeals(table.turn.decision, [...(table.turn.promised ?? []), ...(table.turn.sealed ?? [])]);
    this.checkSeed(table.seed);
  }

  /** @param {Frame} event @param {any} table */
  takeEvent(event, table) {
    const { k, seat, decision } = event;
    if (k === "sealed" || k === "promised") this.takeSeals(decision, [event]);
    if (k === "revealed") for (const each of event.opens ?? []) this.checkOpening(decision, each);
    if (k === "opened") this.checkEntropy(seat, event.entropy, event.seats);
    if (k === "unopened" && this.memory.opened && event.unopened?.includes(this.memory.seat))
      this.raise({ kind: "unopened", seat: this.memory.seat, heard: this.memory.entropy });
    if (k === "over") this.checkSeed(event.seed);
    // Of events that come together only the last has the table's current state: before it, seats may be outdated.
    const stands = event.state === "playing" || event.state === "over";
    if (stands && (event.seats || k === "dealt")) this.checkSeats(event.seats ?? table?.seats);
  }

  /** The seats dealt in and their commitments to entropy are fixed from the deal on. @param {any[]} seats */
  checkSeats(seats) {
    if (!Array.isArray(seats) || seats.length === 0) return;
    const { memory } = this;
    if (Object.keys(memory.dealt).length === 0)
      memory.dealt = Object.fromEntries(seats.map((each) => [each.seat, each.commit ?? ""]));
    for (const [seat, heard] of Object.entries(memory.dealt)) {
      const came = seats.find((each) => each.seat === Number(seat))?.commit ?? "";
      if (came !== heard) this.raise({ kind: "seats", seat: Number(seat), heard, came });
    }
    for (const each of seats) if (each.opened) this.checkEntropy(each.seat, each.opened, [each]);
    const mine = seats.find((each) => each.seat === memory.seat);
    if (memory.opened && mine && mine.replaced_at == null && (mine.opened ?? "") !== memory.entropy)
      this.raise({ kind: "unopened", seat: memory.seat, heard: memory.entropy, came: mine.opened ?? "" });
  }

  /** A seat must open the entropy it committed to; `seats` are today's, because a seat may have changed hands.
   * @param {number} seat @param {string} opened @param {any[]|undefined} seats */
  checkEntropy(seat, opened, seats) {
    const heard = seats?.find((each) => each.seat === seat)?.commit;
    if (heard && hex(entropyCommitment(this.memory.table, seat, unhex(opened))) !== heard)
      this.raise({ kind: "entropy", seat, heard, came: opened });
  }

  /** @param {number} decision @param {any[]} seals */
  takeSeals(decision, seals) {
    this.memory.seals[decision] ??= [];
    const heard = this.memory.seals[decision];
    for (const { seat, commit, flag } of seals) {
      const known = heard.find((each) => each.seat === seat);
      if (!known) heard.push(flag ? { seat, commit, flag } : { seat, commit });
      else if (known.commit !== commit && !flag)
        this.raise({ kind: "seal", decision, seat, heard: known.commit, came: commit });
      const mine = seat === this.memory.seat ? this.memory.own[decision] : undefined;
      if (mine && !flag && commit !== mine.commit)
        this.raise({ kind: "pick", decision, seat, heard: mine.commit, came: commit });
    }
  }

  /** @param {number} decision @param {{seat: number, pick: string, nonce: string}} opening */
  checkOpening(decision, { seat, pick, nonce }) {
    if (!nonce && this.memory.blind) return this.checkForfeit(decision, seat);
    const came = hex(pickCommitment(this.memory.table, decision, seat, pick, unhex(nonce)));
    const heard = this.memory.seals[decision]?.find((each) => each.seat === seat)?.commit ?? "";
    if (heard !== came) this.raise({ kind: "seal", decision, seat, heard, came });
  }

  /** The server reports that a seat did not open its pick: impossible for mine once the opening is acknowledged.
   * @param {number} decision @param {number} seat */
  checkForfeit(decision, seat) {
    const mine = seat === this.memory.seat ? this.memory.own[decision] : undefined;
    if (mine?.opened) this.raise({ kind: "pick", decision, seat, heard: mine.commit, came: "forfeit" });
  }

  /** This seat's seal if it has to be opened now: every seal of the decision has arrived.
   * @param {any} turn @returns {OwnSeal|null} */
  ownSealToOpen(turn) {
    const { seat, seals, own } = this.memory;
    if (!turn?.to_open?.includes(seat) || this.alarm) return null;
    const heard = (seals[turn.decision] ?? []).map((each) => each.seat);
    const mine = own[turn.decision];
    const all = (turn.waiting ?? []).flat().every((/** @type {number} */ each) => heard.includes(each));
    return mine && all && this.serverHas(turn.decision, mine.commit) ? mine : null;
  }

  /** Whether the server is known to have this seat's commitment. @param {number} decision @param {string} commit */
  serverHas(decision, commit) {
    const { seat, seals } = this.memory;
    return (seals[decision] ?? []).some((each) => each.seat === seat && each.commit === commit);
  }

  /** @param {string|null|undefined} seed */
  checkSeed(seed) {
    if (!seed || !this.memory.seedCommit) return;
    const came = hex(seedCommitment(this.memory.table, unhex(seed)));
    if (came !== this.memory.seedCommit) this.raise({ kind: "seed", heard: this.memory.seedCommit, came });
  }

  /** Records this seat's seal, unless the server is known to have an earlier one.
   * @param {{decision: number, pick: string, nonce: string, commit: string}} sealing */
  recordOwnSeal({ decision, pick, nonce, commit }) {
    const after = (this.memory.seals[decision] ?? []).map(({ seat }) => seat);
    const before = this.memory.own[decision];
    if (!before || !this.serverHas(decision, before.commit)) this.memory.own[decision] = { pick, nonce, commit, after };
  }

  /** @param {Alarm} alarm */
  raise(alarm) {
    this.memory.alarm ??= alarm;
  }
}

/** Differences between the record of a game and what was received and done here. @param {Memory} memory
 * @param {GameRecord} record @returns {Alarm[]} */
export function differences(memory, { fair, picks, seats }) {
  const decisions = Object.entries(memory.seals);
  if (!fair) return decisions.length > 0 ? [{ kind: "record" }] : [];
  /** @type {Alarm[]} */
  const found = [];
  if (memory.seedCommit && fair.seed_commit !== memory.seedCommit)
    found.push({ kind: "promise", heard: memory.seedCommit, came: fair.seed_commit });
  const dealt = Object.entries(memory.dealt);
  if (dealt.length > 0 && seats && dealt.length !== seats.length) found.push({ kind: "seats" });
  for (const [seat, heard] of dealt) {
    const came = fair.entropy.find((each) => each.seat === Number(seat))?.commit ?? "";
    if (came !== heard) found.push({ kind: "seats", seat: Number(seat), heard, came });
  }
  const opened = fair.entropy.find((each) => each.seat === memory.seat)?.opened ?? "";
  if (memory.opened && opened !== memory.entropy)
    found.push({ kind: "unopened", seat: memory.seat, heard: memory.entropy, came: opened });
  for (const [decision, heard] of decisions)
    found.push(...sealDifferences(fair.seals[Number(decision) - 1], Number(decision), heard));
  for (const [decision, own] of Object.entries(memory.own)) {
    const seal = fair.seals[Number(decision) - 1]?.find((each) => each.seat === memory.seat);
    if (!seal || seal.flag || seal.machine) continue;
    if (seal.forfeit && !own.opened && seal.commit === own.commit) continue;
    const pick = String(picks[Number(decision) - 1]?.[memory.seat - 1]);
    if (seal.commit !== own.commit || pick !== own.pick)
      found.push({ kind: "pick", decision: Number(decision), seat: memory.seat, heard: own.commit, came: seal.commit });
  }
  return found;
}

/** @param {{seat: number, commit: string, flag?: boolean}[]|undefined} seals  of one decision; none if it was never
 *   turned
 * @param {number} decision @param {HeardSeal[]} heard @returns {Alarm[]} */
function sealDifferences(seals, decision, heard) {
  if (!seals || seals.length === 0) return [];
  return heard.flatMap(({ seat, commit, flag }) => {
    const came = seals.find((each) => each.seat === seat);
    const same = came && (came.commit === commit ? (came.flag ?? false) === (flag ?? false) : came.flag);
    return same
      ? []
      : [{ kind: /** @type {Trouble} */ ("seal"), decision, seat, heard: commit, came: came?.commit ?? "" }];
  });
}
