// Witness of one seat: folds every link, and compares everything the server sends with what it sent before. The first
// thing that does not fit becomes the alarm: nothing more is sent, and the evidence is kept. It also says when this
// browser may open its number, seal its pick and open its pick: from its own chain alone, never by the server's word.
// Raises the same alarms as `facedown.client.witness`.

import { Chain, LinkRefused } from "./chain.js";
import { digest, entropyCommitment, hex, pickCommitment, unhex } from "./commitments.js";
import {
  canonicalJson,
  fieldOf,
  fromBase64url,
  headAfter,
  headDigest,
  isSigned,
  KINDS,
  NO_HEAD,
  NO_KEY,
  plainLink,
  readLink,
  UnreadableLink,
} from "./links.js";
import { memoryOf } from "./memory.js";

/** @import { Link } from "./links.js" */
/** @import { Alarm, AlarmKind, Memory, OpenedPick, OwnPick, Statement } from "./memory.js" */
/** @import { Frame } from "./socket.js" */
/** @import { GameRecord } from "./verify.js" */

/** Who has to pick by the rules, from a view; null if that is not known.
 * @typedef {((view: any, rules: string) => number[][]|null)|null} Due */

const SLACK = 5_000; // how far the server's times may be off, in ms, by this browser's own clock
const PATIENCE = 30_000; // another device may act so long before servers, which repeat lost hints, must have said so
const SETTLED = 60_000; // a connection this old must not see a machine in place of its seat
const FORFEIT = "forfeit";
/** @type {Record<string, string>} */
const KIND_OF_EVENT = { stood: "freed", released: "freed", renewed: "sat" };

let [elapsed, monotonic, wall] = [0, performance.now(), Date.now()];

/** Milliseconds on a clock that never goes back, and that counts sleep: no time passes that it does not count. It may
 * count more, if the system's clock is set. */
function ownTime() {
  const [perf, date] = [performance.now(), Date.now()];
  elapsed += Math.max(0, perf - monotonic, date - wall);
  [monotonic, wall] = [perf, date];
  return elapsed;
}

/** What is new in a view: parts to replace, and what is added to lists. @param {any} view
 * @param {import("./protocol.js").ViewDelta} change */
export function viewAfter(view, change) {
  const list = (/** @type {unknown} */ value) => (Array.isArray(value) ? value : []);
  const next = { ...view, ...change.put };
  for (const [part, added] of Object.entries(change.more ?? {})) next[part] = [...list(view[part]), ...list(added)];
  return next;
}

/** The link that an event is; null for other events. @param {Frame} event @returns {Link|null} */
function linkOfEvent(event) {
  if (event.n === undefined) return null;
  const kind = KIND_OF_EVENT[event.k] ?? event.k;
  const names = Object.hasOwn(KINDS, kind) ? Object.keys(KINDS[kind]) : [];
  return readLink([kind, event.at, ...names.map((name) => event[name])]);
}

/** @param {unknown} one @param {unknown} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class Witness {
  /** @param {{table: string, seat: number, kept?: Partial<Memory>|null, entropy?: string, origin?: string,
   *   now?: () => number, steady?: () => number, onChecked?: () => void}} options `entropy`: the number that this seat
   *   promised last; `steady`: a clock that may miss sleep, but never counts more than has passed; `onChecked`: a
   *   signature has been checked */
  constructor({ table, seat, kept = null, entropy = "", origin = "", now, steady, onChecked = () => {} }) {
    this.now = now ?? ownTime;
    this.steady = steady ?? now ?? (() => performance.now());
    this.onChecked = onChecked;
    this.memory = memoryOf(table, seat, kept);
    this.memory.entropy = entropy || this.memory.entropy;
    this.memory.origin = origin || this.memory.origin;
    this.chain = new Chain();
    /** @type {string[]} */
    this.heads = [];
    /** @type {Set<string>} the keys that this server is known by; empty if it is not known yet */
    this.keys = new Set();
    this.plays = true; // this connection plays its seat
    this.uncheckable = false; // this browser cannot check signatures
    this.newest = 0; // the last event of the table when it welcomed us: views before it are of the past
    /** @type {any} */
    this.view = null;
    this.viewed = 0; // the decision of that view
    this.compared = 0; // the decision whose due seats are those of the rules
    this.unclear = 0; // the decision whose due seats are not known here
    /** @type {Due|undefined} undefined until the game's table is loaded */
    this.due = undefined;
    /** @type {number|null} */
    this.connectedAt = null;
    this.askedAt = 0;
    /** @type {{least: number, most: number}|null} by how much the server's clock is ahead of this one, in ms */
    this.offset = null;
    /** @type {number|null} the time of a link that the own clock does not allow: a new connection measures again */
    this.doubted = null;
    /** @type {Map<number, number>} links of the own seat that this browser did not cause, and when they came */
    this.suspects = new Map();
    this.steadyLeast = 0; // by how much the server's clock is ahead of the steady one, at least
    /** @type {Map<number, number>} by decision: the least time of the server at which a pick was sent */
    this.sent = new Map();
    this.madeAt = -Infinity; // when the newest link was made at the earliest, on the own clock
    /** @type {{began: number, left: number, deadline: number}|null} a time on the own clock, how long the own turn is
     * from there, and its end on the server's clock */
    this.turn = null;
    /** @type {number|null} */
    this.allSealedAt = null;
    this.isSeated = false; // the own promise is in the chain: before that, another person may have had the seat
    this.isFreed = false; // the seat was freed since: another person may have it, and nothing is sent for it
    /** @type {Link[]} the links that came with the alarm: what the server signs of them proves it */
    this.afterAlarm = [];
    this.otherFrom = 0;
    this.foldKept();
  }

  foldKept() {
    try {
      for (const each of this.memory.links) {
        const link = readLink(each);
        this.heads.push(this.chain.add(link));
        this.noteSeat(link);
      }
    } catch {
      // the storage is damaged: what this browser did itself is kept
      const { table, seat, origin, entropy, own } = this.memory;
      Object.assign(this.memory, memoryOf(table, seat), { origin, entropy, own });
      this.chain = new Chain();
      this.heads = [];
    }
  }

  get alarm() {
    return this.memory.alarm;
  }

  get key() {
    return this.chain.key;
  }

  get isSigning() {
    return this.key !== "" && this.key !== NO_KEY;
  }

  /** The number of the last link that is covered by a signature; all of them if nothing can be checked. */
  get covered() {
    return this.isSigning && !this.uncheckable ? this.memory.signed : this.chain.number;
  }

  // --- the connection -------------------------------------------------------------------------------------

  /** This browser says hello; what it knows of the table. @returns {{n?: number, head?: string}} */
  hello() {
    [this.askedAt, this.connectedAt] = [this.now(), null];
    return this.chain.number < 0 ? {} : { n: this.chain.number, head: this.chain.head };
  }

  /** The server answered with its time, which bounds its clock. @param {Frame} frame */
  takeWelcome({ now, plays, v }) {
    const at = this.now();
    this.newest = typeof v === "number" ? v : 0;
    this.plays = plays !== false;
    this.connectedAt = at;
    if (typeof now === "number") {
      this.offset = { least: now - at, most: now - this.askedAt };
      this.steadyLeast = now - this.steady();
    }
    if (this.doubted !== null && this.isFuture(this.doubted)) this.raise("clock", { came: String(this.doubted) });
    this.doubted = null;
  }

  /** @param {{connected: boolean, plays: boolean}} status */
  setStatus({ connected, plays }) {
    if (!connected) this.connectedAt = null;
    if (!connected || (this.plays && !plays)) {
      this.memory.elsewhere.push(...this.suspects.keys()); // may be another device's
      this.suspects.clear();
    }
    this.plays = plays;
  }

  /** The keys that this server may sign with. @param {Set<string>} keys */
  setKeys(keys) {
    this.keys = keys;
    if (this.key) this.checkKey(this.key);
  }

  /** The game's table is loaded. @param {Due} due */
  setDue(due) {
    this.due = due;
    if (this.viewed === this.chain.decision) this.checkDue();
  }

  // --- what comes -----------------------------------------------------------------------------------------

  /** @param {Frame} frame */
  take(frame) {
    if (frame.t === "welcome") this.takeWelcome(frame);
    if (frame.t === "links") this.takeLinks(frame);
    if (frame.t === "ev") this.takeEvent(frame);
    if (frame.t === "snap" && frame.v >= this.newest) this.takeSnapshot(frame);
  }

  /** The links that were missed; one that is known must be the same. @param {Frame} frame */
  takeLinks({ first, links: came, sig }) {
    /** @type {Link[]} */
    let links;
    try {
      if (!Number.isSafeInteger(first) || first < 0 || !Array.isArray(came)) throw new UnreadableLink();
      links = came.map(readLink);
    } catch {
      return this.raise("order", { came: "unreadable link" });
    }
    if (first > this.chain.number + 1) return this.raise("fork", { came: `link ${first}` });
    for (const [place, link] of links.entries()) this.takeLink(first + place, link, false);
    const last = first + links.length - 1;
    if (last < this.chain.number) this.raise("fork", { heard: String(this.chain.number), came: String(last) });
    this.takeSignature(sig);
  }

  /** @param {Frame} event */
  takeEvent(event) {
    let link;
    try {
      link = linkOfEvent(event);
    } catch {
      return this.raise("order", { came: "unreadable link" });
    }
    if (link) this.takeLink(event.n, link, true);
    if (event.k === "revealed" && Array.isArray(event.opens)) this.takeOpenings(event.decision, event.opens);
    if (event.v >= this.newest) {
      if (event.turn) this.checkDeadline(event.turn);
      this.takeView(event);
    }
    if (event.sig !== undefined) this.takeSignature(event.sig);
    this.checkSuspects();
  }

  /** A snapshot may only repeat what links say. @param {Frame} snap */
  takeSnapshot({ table, ...rest }) {
    const { chain } = this;
    if (!table || this.alarm) return;
    const { game, rules, seal, flag, opening, clock } = chain.setup ?? {};
    const known = [chain.key, chain.seedCommit, game, rules, seal, flag, opening, clock];
    const { key, seed_commit: seedCommit } = table;
    const shown = [key, seedCommit, table.game, table.rules, table.seal, table.flag, table.opening, table.clock];
    if (canonicalJson(shown.map((each) => each ?? null)) !== canonicalJson(known))
      this.raise("fork", { came: "snapshot" });
    if (table.turn && !this.isTurn(table.turn)) this.raise("fork", { decision: chain.decision, came: "snapshot" });
    if (table.turn) this.checkDeadline(table.turn);
    this.takeView(rest);
  }

  /** Whether a snapshot has the open decision and the seals of the chain. @param {any} turn */
  isTurn({ decision, sealed }) {
    const seals = [...this.chain.sealed].map(([seat, { placer, commit }]) => [seat, placer, commit]);
    const came = (sealed ?? []).map((/** @type {any} */ each) => [each.seat, each.placer, each.commit]);
    return decision === this.chain.decision && isSame(seals.sort(), came.sort());
  }

  /** The deadline that the player is shown must be that of the chain. @param {any} turn */
  checkDeadline({ deadlines }) {
    const { seat } = this.memory;
    const mine = this.chain.clocks.deadline(seat);
    const shown = deadlines?.[seat] ?? Infinity;
    if (shown === mine) return;
    const [heard, came] = [mine, shown].map((each) => `deadline ${each}`);
    this.raise("fork", { decision: this.chain.decision, seat, heard, came });
  }

  /** The own view after the last link: it is the same as before, and makes those due that the server says.
   * @param {{view?: any, change?: any, [name: string]: any}} frame */
  takeView({ view, change }) {
    if (view === undefined && (!change || !this.view)) return;
    this.view = view === undefined ? viewAfter(this.view, change) : view;
    const { chain, memory } = this;
    if (!this.view || chain.dealt === null || this.alarm) return;
    this.viewed = chain.decision;
    const seen = hex(digest("facedown/2/view", canonicalJson(this.view)));
    memory.views[chain.decision] ??= seen;
    const heard = memory.views[chain.decision];
    if (heard !== seen) this.raise("hand", { decision: chain.decision, seat: memory.seat, heard, came: seen });
    this.checkDue();
  }

  checkDue() {
    const { chain } = this;
    if (this.due === undefined || !this.view || chain.dealt === null || this.alarm) return;
    const due = this.dueByRules();
    if (due === null) this.unclear = chain.decision;
    else if (isSame(due, chain.due)) this.compared = chain.decision;
    else this.raise("due", { decision: chain.decision, heard: JSON.stringify(due), came: JSON.stringify(chain.due) });
  }

  dueByRules() {
    try {
      return this.due?.(this.view, this.chain.setup?.rules ?? "") ?? null;
    } catch {
      return [[]]; // no view of this game: no seat can be due by it
    }
  }

  /** @param {number} number @param {Link} link @param {boolean} live */
  takeLink(number, link, live) {
    const { chain, heads } = this;
    if (this.alarm) {
      if (this.afterAlarm.length > 0 && number === this.otherFrom + this.afterAlarm.length) this.afterAlarm.push(link);
      return;
    }
    if (number <= chain.number) {
      if (headAfter(heads[number - 1] ?? NO_HEAD, number, link) === heads[number]) return;
      this.raise("fork", { heard: heads[number], came: JSON.stringify(plainLink(link)) });
      [this.afterAlarm, this.otherFrom] = [[link], number];
      return;
    }
    if (number !== chain.number + 1) return this.raise("fork", { heard: String(chain.number), came: String(number) });
    this.checkLink(number, link, live);
    if (!this.alarm) this.fold(link);
    if (this.alarm) {
      [this.afterAlarm, this.otherFrom] = [[link], number];
      return;
    }
    this.memory.links.push(plainLink(link));
    this.noteLink(link);
  }

  /** @param {Link} link */
  fold(link) {
    try {
      this.heads.push(this.chain.add(link));
    } catch (error) {
      if (error instanceof LinkRefused) this.raise(error.alarm, { ...error.at, came: error.message });
      else if (error instanceof UnreadableLink) this.raise("order", { came: error.message });
      else throw error;
    }
  }

  /** Checks the signature of the newest head, beside play; of what came after an alarm, keeps it as evidence.
   * @param {unknown} sig */
  takeSignature(sig) {
    if (typeof sig !== "string" || !this.isSigning) return;
    const { memory, chain, afterAlarm, otherFrom } = this;
    if (this.alarm) {
      if (afterAlarm.length > 0)
        memory.statements.push({ links: [...memory.links.slice(0, otherFrom), ...afterAlarm.map(plainLink)], sig });
      this.afterAlarm = [];
      return;
    }
    const { number, head, table, key } = chain;
    if (number <= memory.signed || this.uncheckable) return;
    isSigned(key, headDigest(table, number, head), fromBase64url(sig)).then((holds) => {
      if (holds === null) this.uncheckable = true;
      else if (!holds) this.raiseUnsigned(number, head, sig);
      else if (number > memory.signed) Object.assign(memory, { sig, signed: number });
      this.onChecked();
    });
  }

  /** @param {number} number @param {string} head @param {string} sig */
  raiseUnsigned(number, head, sig) {
    if (!this.alarm) this.memory.statements.push({ links: this.memory.links.slice(0, number + 1), sig });
    this.raise("fork", { heard: head, came: sig });
  }

  // --- a link ---------------------------------------------------------------------------------------------

  /** What this browser knows better than the chain: its own acts, and its own clock.
   * @param {number} number @param {Link} link @param {boolean} live */
  checkLink(number, link, live) {
    const { own, seat } = this.memory;
    const decision = fieldOf(link, "decision");
    if (live && this.isFuture(link.at)) this.doubted = link.at; // it is measured again by a new connection
    if (link.kind === "revealed") this.checkForfeit(link);
    else if (link.kind === "made") this.checkMade(link);
    else if (link.kind === "sealed" && own[decision]?.opened)
      this.raise("due", { decision, seat: fieldOf(link, "seat") });
    else if (seat > 0 && fieldOf(link, "seat") === seat) OWN_LINKS[link.kind]?.(this, number, link, live);
    const [acked, mine] = Object.entries(own).find(([, each]) => each.acked === number) ?? [];
    if (!mine || this.alarm) return;
    if (!isSame([link.kind, ...link.fields], ["sealed", Number(acked), seat, "person", mine.commit]))
      this.raise("pick", { decision: Number(acked), seat, heard: mine.commit, came: JSON.stringify(plainLink(link)) });
  }

  /** @param {Link} link */
  checkMade({ fields: [id, key] }) {
    if (id !== this.memory.table) this.raise("fork", { heard: this.memory.table, came: id });
    else this.checkKey(key);
  }

  /** @param {string} key */
  checkKey(key) {
    if (this.keys.size > 0 && !this.keys.has(key)) this.raise("key", { heard: [...this.keys].join(" "), came: key });
  }

  /** Whether a time of the server has not come yet, by the own clock. @param {number} at */
  isFuture(at) {
    return this.offset !== null && at > this.now() + this.offset.most + SLACK;
  }

  /** The clock picks for the own seat only once its time has passed here as well, connected or not. */
  get isFlagEarly() {
    return this.turn !== null && this.now() - this.turn.began < this.turn.left - SLACK;
  }

  /** An opening that was acknowledged, or whose time is not over, is not forfeited. @param {Link} link */
  checkForfeit({ fields: [decision, forfeited] }) {
    const { seat } = this.memory;
    const own = this.memory.own[decision];
    if (!forfeited.includes(seat) || !own?.opened) return;
    const time = (this.chain.setup?.opening ?? 0) - SLACK;
    const early = this.allSealedAt !== null && this.now() - this.allSealedAt < time;
    if (own.opening_acked || this.chain.shown.has(seat) || early)
      this.raise("opening", { decision, seat, heard: own.commit, came: FORFEIT });
  }

  /** Bounds when the newest link was made, however late it came; from there, how long the own turn is.
   * @param {number} at */
  noteTime(at) {
    const { offset, memory, chain } = this;
    if (offset) this.madeAt = Math.max(this.madeAt, at - offset.most);
    const deadline = chain.clocks.deadline(memory.seat);
    if (deadline === Infinity) this.turn = null;
    else if (!this.turn || deadline < this.turn.deadline)
      // earlier: everyone was ready
      this.turn = { began: this.madeAt, left: deadline - at, deadline };
  }

  /** @param {Link} link */
  noteLink(link) {
    const { chain, memory } = this;
    this.noteTime(link.at);
    if (link.kind === "sealed") {
      const own = memory.own[chain.decision];
      const mine = chain.sealed.get(memory.seat);
      if (own && own.acked === undefined && mine?.placer === "person" && mine.commit === own.commit)
        own.acked = chain.number;
      this.allSealedAt = chain.unopened.length > 0 ? this.madeAt : null;
    }
    if (link.kind === "shown" && fieldOf(link, "seat") === memory.seat) this.noteRevealed(chain.decision);
    if (link.kind === "void") memory.full = "";
    this.noteSeat(link);
  }

  /** Notes whether the own promise, which no other device has, is the one of the own seat. @param {Link} link */
  noteSeat(link) {
    const { seat, entropy } = this.memory;
    if (link.kind === "sat" && fieldOf(link, "seat") === seat)
      this.isSeated = entropy !== "" && fieldOf(link, "commit") === this.ownPromise();
    else if ((link.kind === "freed" || link.kind === "void") && !this.chain.taken.has(seat)) {
      this.isFreed ||= this.isSeated;
      this.isSeated = false;
    }
    if (this.isSeated) this.isFreed = false;
  }

  /** An act of the own seat that this browser did not send: another device's, unless none plays.
   * @param {number} number @param {boolean} live */
  suspect(number, live) {
    if (live && this.plays && this.connectedAt !== null) this.suspects.set(number, this.now());
    else this.memory.elsewhere.push(number);
  }

  /** Raises the alarm for an act that no other device can have sent: this one has played all along. */
  checkSuspects() {
    for (const [number, since] of this.suspects)
      if (this.plays && this.now() - since > PATIENCE) this.raiseSuspect(number);
  }

  /** @param {number} number */
  raiseSuspect(number) {
    const link = readLink(this.memory.links[number]);
    const decision = fieldOf(link, "decision");
    this.raise("mine", { decision, seat: this.memory.seat, came: JSON.stringify(plainLink(link)) });
  }

  /** Checks openings against the seals in the chain. @param {number} decision @param {OpenedPick[]} opens */
  takeOpenings(decision, opens) {
    const { memory } = this;
    if (this.alarm || decision in memory.turned) return;
    const { sealed, head, forfeited } = this.sealsOf(decision);
    memory.turned[decision] = opens.map(({ seat, pick, nonce }) => ({ seat, pick, nonce }));
    for (const { seat, pick, nonce } of opens) {
      if (forfeited.includes(seat) && pick === FORFEIT && !nonce) continue;
      const { placer, commit: heard } = sealed.get(seat) ?? { placer: "", commit: "" };
      const came = sealOf(memory.table, decision, seat, head, pick, nonce);
      if (came !== heard) return this.raise("seal", { decision, seat, heard, came });
      const own = seat === memory.seat && placer === "person" ? memory.own[decision] : undefined;
      if (own && pick !== own.pick) this.raise("pick", { decision, seat, heard: own.pick, came: pick });
    }
  }

  /** The seals of a decision that was turned, its head, and the seats that forfeited it. @param {number} decision */
  sealsOf(decision) {
    /** @type {Map<number, {placer: string, commit: string}>} */
    const sealed = new Map();
    let head = NO_HEAD;
    /** @type {number[]} */
    let forfeited = [];
    for (const [number, [kind, , ...fields]] of this.memory.links.entries()) {
      if (kind === "sealed" && fields[0] === decision) sealed.set(fields[1], { placer: fields[2], commit: fields[3] });
      if (kind === "revealed" && fields[0] === decision) forfeited = fields[1];
      if (["dealt", "revealed", "resigned"].includes(kind) && sealed.size === 0) head = this.heads[number];
    }
    return { sealed, head, forfeited };
  }

  // --- what this browser does -----------------------------------------------------------------------------

  /** The commitment to the own number; empty if this browser has none. */
  ownPromise() {
    const { table, seat, entropy } = this.memory;
    return entropy ? hex(entropyCommitment(table, seat, unhex(entropy))) : "";
  }

  /** Whether a deal came to nothing, and this seat has to promise a fresh number. */
  toPromise() {
    const { chain, memory } = this;
    const waits = chain.voids > 0 && chain.full === null && !chain.ended && this.plays && !this.alarm;
    return waits && chain.taken.has(memory.seat) && !chain.promises.has(memory.seat);
  }

  /** The number that this browser has to open now; empty if none. All promises are fixed then, its own is among them,
   * and the server has signed them. */
  toOpen() {
    const { chain, memory } = this;
    const promised = chain.promises.get(memory.seat);
    if (this.alarm || chain.full === null || chain.dealt !== null || !memory.entropy || !promised) return "";
    if (chain.opened.has(memory.seat) || this.isFreed) return "";
    if (promised !== this.ownPromise()) {
      this.raise("promises", { seat: memory.seat, heard: this.ownPromise(), came: promised });
      return "";
    }
    if (this.covered < this.heads.lastIndexOf(chain.full)) return "";
    memory.full = chain.full;
    return memory.entropy;
  }

  /** Whether this seat is to seal now, and every machine is bound, by the own chain. @param {number} decision */
  maySeal(decision) {
    const { chain } = this;
    const isClear = !this.isFreed && (this.compared === decision || this.unclear === decision);
    const isOpen = decision === chain.decision && chain.maySeal.includes(this.memory.seat);
    return isClear && isOpen && chain.unpromised.length === 0 && !this.alarm;
  }

  /** The own pick of the open decision: the first one, if there is one already. @param {number} decision
   * @param {string} pick @param {Uint8Array} nonce @returns {OwnPick} */
  seal(decision, pick, nonce) {
    const { table, seat, own } = this.memory;
    const head = this.chain.decisionHead;
    const made = () => hex(pickCommitment(table, decision, seat, unhex(head), pick, nonce));
    own[decision] ??= { pick, nonce: hex(nonce), commit: made() };
    return own[decision];
  }

  /** The pick is about to be sent. @param {number} decision */
  notePickSent(decision) {
    if (this.offset && !this.sent.has(decision)) this.sent.set(decision, this.steady() + this.steadyLeast);
  }

  /** The server refused the pick: this browser may choose another. @param {number} decision */
  forgetRefused(decision) {
    if (this.memory.own[decision]?.acked === undefined) delete this.memory.own[decision];
    this.sent.delete(decision);
  }

  /** The server acknowledged the pick with this link: remembered even if something else does not fit.
   * @param {number} decision @param {unknown} number */
  noteSealed(decision, number) {
    const { own, seat, links } = this.memory;
    const mine = own[decision];
    if (!mine) return;
    const isNumber = typeof number === "number" && Number.isSafeInteger(number);
    if (isNumber) mine.acked ??= number;
    const known = isNumber ? links[number] : null;
    const wanted = [decision, seat, "person", mine.commit];
    if (known === null || (known && !isSame(known.slice(2), wanted)))
      this.raise("pick", { decision, seat, heard: mine.commit, came: JSON.stringify(known) });
  }

  /** The own pick of a blind table whose seals are all in the signed chain; null if it must stay here.
   * @returns {OwnPick|null} */
  toReveal() {
    const { chain, memory } = this;
    const own = memory.own[chain.decision];
    if (this.alarm || !own || !chain.unopened.includes(memory.seat)) return null;
    const last = memory.links.findLastIndex(([kind]) => kind === "sealed");
    const isMine = chain.sealed.get(memory.seat)?.commit === own.commit;
    return isMine && this.covered >= last ? own : null;
  }

  /** This browser is about to send its opening. @param {number} decision */
  noteRevealSent(decision) {
    this.memory.own[decision].opened = true;
  }

  /** The server acknowledged the opening. @param {number} decision */
  noteRevealed(decision) {
    const own = this.memory.own[decision];
    if (own) own.opening_acked = true;
  }

  /** The public log of the server does not hold what it must. @param {string} why @param {Statement[]} statements */
  noteBrokenLog(why, statements) {
    if (!this.alarm) this.memory.statements.push(...statements);
    this.raise("log", { came: why });
  }

  /** @param {AlarmKind} kind @param {Partial<Alarm>} [at] */
  raise(kind, { decision = 0, seat = 0, heard = "", came = "" } = {}) {
    this.memory.alarm ??= { kind, decision, seat, heard, came };
  }
}

/** @param {string} table @param {number} decision @param {number} seat @param {string} head @param {unknown} pick
 * @param {unknown} nonce @returns {string} empty if no seal can be computed from this */
function sealOf(table, decision, seat, head, pick, nonce) {
  try {
    return hex(pickCommitment(table, decision, seat, unhex(head), String(pick), unhex(String(nonce))));
  } catch {
    return "";
  }
}

/** What a link of the own seat is compared with.
 * @type {Record<string, (witness: Witness, number: number, link: Link, live: boolean) => void>} */
const OWN_LINKS = {
  sat(witness, _number, { fields: [seat, came] }) {
    const heard = witness.ownPromise();
    if (witness.isSeated && came !== heard) witness.raise("promises", { seat, heard, came });
  },
  opened(witness, _number, { fields: [seat, came] }) {
    if (witness.isSeated && came !== witness.memory.entropy) witness.raise("promises", { seat, came });
  },
  sealed(witness, number, { at, fields: [decision, seat, placer, commit] }, live) {
    const own = witness.memory.own[decision];
    const isPerson = placer === "person";
    if (!own) {
      if (isPerson) witness.suspect(number, live);
    } else if (isPerson ? commit !== own.commit : own.acked !== undefined)
      witness.raise("pick", { decision, seat, heard: own.commit, came: isPerson ? commit : placer });
    const isOld = isPerson && own && at < (witness.sent.get(decision) ?? 0) - SLACK;
    if (isOld || (placer === "clock" && witness.isFlagEarly))
      witness.raise("clock", { decision, seat, came: String(at) });
  },
  shown(witness, number, { fields: [decision] }, live) {
    const own = witness.memory.own[decision]; // the device that sealed a pick opens it, whichever one plays by then
    if (!own) witness.memory.elsewhere.push(number);
    else if (!own.opened) witness.suspect(number, live);
  },
  resigned(witness, number, { fields: [decision] }, live) {
    const asked = witness.memory.resigned;
    const isMine = asked > 0 && (decision === asked || decision === asked + 1); // the next one: all had sealed already
    if (!isMine) witness.suspect(number, live);
  },
  ready(witness, number, _link, live) {
    if (!witness.memory.ready) witness.suspect(number, live);
  },
  replaced(witness, number, _link, live) {
    const since = witness.connectedAt;
    const isSettled = since !== null && witness.now() - since > SETTLED;
    if (!witness.memory.left) witness.suspect(number, live && isSettled);
  },
};

// --- the record -------------------------------------------------------------------------------------------

/** Where the record of a game differs from what was received and done here. @param {Memory} memory
 * @param {GameRecord} record @returns {Alarm[]} */
export function differences(memory, { fair, picks }) {
  /** @param {AlarmKind} kind @param {Partial<Alarm>} [at] @returns {Alarm} */
  const alarm = (kind, at) => ({ kind, decision: 0, seat: 0, heard: "", came: "", ...at });
  const { links, own, seat, turned } = memory;
  if (!fair) return links.length > 0 ? [alarm("record")] : [];
  const found = [];
  const other = links.findIndex((link, place) => canonicalJson(link) !== canonicalJson(fair.links[place] ?? null));
  if (other >= 0)
    found.push(alarm("record", { heard: JSON.stringify(links[other]), came: JSON.stringify(fair.links[other] ?? "") }));
  for (const [at, { acked, commit }] of Object.entries(own)) {
    const decision = Number(at);
    const [kind, , ...fields] = fair.links[acked ?? -1] ?? [];
    if (acked !== undefined && !isSame([kind, fields], ["sealed", [decision, seat, "person", commit]]))
      found.push(alarm("pick", { decision, seat, heard: commit, came: JSON.stringify(fields) }));
  }
  for (const [at, opens] of Object.entries(turned))
    for (const each of opens) {
      const came = String(picks[Number(at) - 1]?.[each.seat - 1]);
      if (came !== each.pick)
        found.push(alarm("record", { decision: Number(at), seat: each.seat, heard: each.pick, came }));
    }
  return found;
}
