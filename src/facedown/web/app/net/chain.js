// The chain of a table's links: folds them into the head, and refuses a link where it is not allowed. Knows who sits
// where, what is promised, sealed and opened, and the clocks; the lists of due seats are compared by its callers.

import { entropyCommitment, hex, seedCommitment, unhex } from "./commitments.js";
import { headAfter, NO_HEAD, UnreadableLink } from "./links.js";

/** @import { Link, LinkValue } from "./links.js" */
/** @typedef {{decision?: number, seat?: number}} LinkPlace */
/** @typedef {{kind: string, seconds: number, days: number, bank: number, grace: number,
 * ready: number}} ClockSetup */
/** @typedef {{id: string, decisions: number, draws: number, digest: string}} ContinuedSetup */
/** Everything that is fixed before anyone sits down.
 * @typedef {object} TableSetup
 * @property {string} origin
 * @property {string} game
 * @property {number} version
 * @property {string} rules
 * @property {(string|null)[]} seats the machine of each seat; null for a person's
 * @property {ClockSetup} clock
 * @property {string} flag
 * @property {string} substitute
 * @property {string} seal
 * @property {number} opening
 * @property {string} software
 * @property {ContinuedSetup|null} continues */

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

/** A link that is not allowed where it is; `alarm` says what it breaks. */
export class LinkRefused extends Error {
  /** @param {string} say @param {LinkPlace} [at] @param {"order"|"promises"|"clock"} [alarm] */
  constructor(say, at = {}, alarm = "order") {
    super(say);
    this.at = at;
    this.alarm = alarm;
  }
}

class Clocks {
  /** @param {ClockSetup} clock @param {number[]} seats */
  constructor({ kind, seconds, days, bank, grace, ready }, seats) {
    const unit = kind === "correspondence" ? DAY : SECOND;
    this.runs = kind !== "none";
    this.allowed = (kind === "correspondence" ? days : seconds) * unit;
    this.grace = grace * SECOND;
    this.ready = ready * SECOND;
    this.pausedUntil = 0;
    /** @type {Set<number>} the seats for which the clocks of the first decision wait */
    this.unready = new Set();
    /** @type {Map<number, number>} */
    this.starts = new Map();
    this.banks = new Map(this.runs ? seats.map((seat) => [seat, bank * unit]) : []);
  }

  /** The game was dealt: no clock starts before all people are ready, or the time for that is over.
   * @param {number[]} people @param {number} at */
  openGame(people, at) {
    if (!this.runs || this.ready === 0) return;
    this.unready = new Set(people);
    this.pausedUntil = at + this.ready;
  }

  /** A person is ready; after the last one, the clocks start. @param {number} seat @param {number} at */
  setReady(seat, at) {
    if (!this.unready.delete(seat) || this.unready.size > 0 || at >= this.pausedUntil) return;
    this.pausedUntil = at;
    this.starts = new Map([...this.starts.keys()].map((each) => [each, at]));
  }

  /** A decision was revealed: no clock starts before the grace is over. @param {number} at */
  showResult(at) {
    this.unready.clear();
    this.pausedUntil = at + this.grace;
  }

  /** Starts the clocks of these seats, keeps those that run already, stops all others.
   * @param {number[]} seats @param {number} at */
  waitFor(seats, at) {
    const start = Math.max(at, this.pausedUntil);
    this.starts = new Map(seats.map((seat) => [seat, this.starts.get(seat) ?? start]));
  }

  /** @param {number} seat @param {number} at */
  stop(seat, at) {
    const spent = Math.max(0, at - (this.starts.get(seat) ?? at));
    this.starts.delete(seat);
    const bank = this.banks.get(seat);
    if (bank !== undefined) this.banks.set(seat, Math.max(0, bank - Math.max(0, spent - this.allowed)));
  }

  /** @param {number} ms */
  extend(ms) {
    this.pausedUntil += ms;
    this.starts = new Map([...this.starts].map(([seat, start]) => [seat, start + ms]));
  }

  /** When the time of a seat is up; never without a clock. @param {number} seat */
  deadline(seat) {
    if (!this.runs) return Infinity;
    return (this.starts.get(seat) ?? Infinity) + this.allowed + (this.banks.get(seat) ?? 0);
  }
}

export class Chain {
  constructor() {
    this.number = -1; // of the last link
    this.head = NO_HEAD;
    this.table = "";
    this.key = "";
    this.seedCommit = "";
    /** @type {TableSetup|null} */
    this.setup = null;
    /** @type {string[]} the machine on each seat; empty for a person's */
    this.machines = [];
    /** @type {Set<number>} the seats of people that are taken */
    this.taken = new Set();
    /** @type {Map<number, string>} the promises of random numbers in this attempt to deal */
    this.promises = new Map();
    /** @type {Map<number, string>} */
    this.opened = new Map();
    this.voids = 0;
    /** @type {string|null} the head of the link `full` of this attempt; null while seats may change */
    this.full = null;
    /** @type {string|null} the head of the link `dealt` */
    this.dealt = null;
    /** @type {string[]} */
    this.dealtMachines = [];
    this.decision = 0;
    this.decisionHead = NO_HEAD; // of the link that opened it: every seal of the decision is made on it
    /** @type {number[][]} */
    this.due = [];
    /** @type {Map<number, {machine: string, commit: string}>} */
    this.promised = new Map();
    /** @type {Map<number, {placer: string, commit: string}>} */
    this.sealed = new Map();
    /** @type {Set<number>} */
    this.shown = new Set();
    /** @type {Map<number, number>} how often each seat has forfeited */
    this.forfeits = new Map();
    /** @type {Record<string, LinkValue>|null} */
    this.result = null;
    this.seed = "";
    this.ended = ""; // `over` or `closed`, once the last link is there
    this.clocks = new Clocks({ kind: "none", seconds: 0, days: 0, bank: 0, grace: 0, ready: 0 }, []);
    /** @type {number|null} when the time for opening ends, of numbers or of picks */
    this.openUntil = null;
  }

  /** @param {number} seat */
  isPerson(seat) {
    return this.machines[seat - 1] === "";
  }

  get people() {
    return this.machines.flatMap((machine, place) => (machine ? [] : [place + 1]));
  }

  get dueSeats() {
    return this.due.flat();
  }

  /** Who may seal now: the seats of the first wave that is not complete. */
  get maySeal() {
    const left = this.due.map((wave) => wave.filter((seat) => !this.sealed.has(seat)));
    return left.find((wave) => wave.length > 0) ?? [];
  }

  get allSealed() {
    return this.due.length > 0 && this.dueSeats.every((seat) => this.sealed.has(seat));
  }

  /** The machines that have to pick and are not bound yet: no person seals before them. */
  get unpromised() {
    return this.dueSeats.filter((seat) => !this.isPerson(seat) && !this.promised.has(seat) && !this.sealed.has(seat));
  }

  /** At a blind table, once all have sealed: the seats that have not opened their picks. */
  get unopened() {
    if (this.setup?.seal !== "blind" || !this.allSealed) return [];
    const people = this.dueSeats.filter((seat) => this.sealed.get(seat)?.placer === "person");
    return people.filter((seat) => !this.shown.has(seat)).toSorted((one, other) => one - other);
  }

  /** Folds the next link and returns the head after it; throws `LinkRefused` and changes nothing if it is not allowed.
   * @param {Link} link */
  add(link) {
    if (this.ended) throw new LinkRefused(`a link after the last one, ${this.ended}`);
    if ((link.kind === "made") !== this.number < 0)
      throw new LinkRefused("the first link, and no other, creates the table");
    const commit = RULES[link.kind](this, link);
    this.number += 1;
    this.head = headAfter(this.head, this.number, link);
    commit();
    return this.head;
  }
}

// Each rule checks a link on the chain before it, and returns what changes once the link is folded.

/** @param {LinkValue} setup @returns {TableSetup} */
function readSetup(setup) {
  const text = (/** @type {any} */ whole, /** @type {string} */ name) =>
    typeof whole[name] === "string" && [...whole[name]].length <= 1000;
  const number = (/** @type {any} */ whole, /** @type {string} */ name) =>
    Number.isSafeInteger(whole[name]) && whole[name] >= 0 && whole[name] < 2 ** 32;
  const { seats, clock, continues } = setup;
  const fits =
    Array.isArray(seats) &&
    seats.length >= 1 &&
    seats.length <= 99 &&
    seats.every((each) => each === null || (typeof each === "string" && each !== "")) &&
    ["game", "rules", "flag", "substitute", "seal", "software", "origin"].every((name) => text(setup, name)) &&
    ["version", "opening"].every((name) => number(setup, name)) &&
    typeof clock === "object" &&
    clock !== null &&
    text(clock, "kind") &&
    ["seconds", "days", "bank", "grace", "ready"].every((name) => number(clock, name)) &&
    (continues == null ||
      (typeof continues === "object" &&
        text(continues, "id") &&
        number(continues, "decisions") &&
        number(continues, "draws") &&
        /^[0-9a-f]{64}$/.test(continues.digest)));
  if (!fits) throw new UnreadableLink("the setup of a table");
  return setup;
}

/** @param {Chain} chain @param {number} seat */
function checkSeating(chain, seat) {
  if (chain.full !== null) throw new LinkRefused("the seats are fixed once all are taken", { seat }, "promises");
  if (seat > chain.machines.length) throw new LinkRefused("there is no such seat", { seat });
}

/** @param {Chain} chain @param {number} seat */
function free(chain, seat) {
  chain.taken.delete(seat);
  chain.promises.delete(seat);
}

/** @param {Chain} chain @param {number[][]} due */
function checkDue(chain, due) {
  if (due.flat().some((seat) => seat > chain.machines.length))
    throw new LinkRefused("a seat is due that is not there", { decision: chain.decision + 1 });
}

/** @param {Chain} chain @param {number[][]} due @param {number} at */
function openDecision(chain, due, at) {
  chain.decision += 1;
  chain.decisionHead = chain.head;
  chain.due = due;
  chain.openUntil = null;
  for (const each of [chain.promised, chain.sealed, chain.shown]) each.clear();
  runClocks(chain, at);
}

/** @param {Chain} chain @param {number} at */
const runClocks = (chain, at) =>
  chain.clocks.waitFor(
    chain.maySeal.filter((seat) => chain.isPerson(seat)),
    at,
  );

/** @param {Chain} chain @param {number} decision @param {number} [seat] */
function checkDecision(chain, decision, seat) {
  if (chain.dealt === null || decision !== chain.decision || chain.due.length === 0)
    throw new LinkRefused("this decision is not open", { decision, seat });
}

/** @param {Chain} chain @param {number} decision @param {number} seat */
function checkHandover(chain, decision, seat) {
  if (chain.dealt === null || chain.due.length === 0 || seat > chain.machines.length)
    throw new LinkRefused("no game is being played, or there is no such seat", { decision, seat });
  if (decision !== chain.decision + (chain.sealed.has(seat) ? 1 : 0))
    throw new LinkRefused("a seat changes hands where it has not sealed", { decision, seat });
}

/** @param {number[]} one @param {number[]} other */
const areSame = (one, other) => one.length === other.length && one.every((seat, place) => seat === other[place]);
/** @param {number[]} seats */
const inOrder = (seats) => seats.toSorted((one, other) => one - other);

/** @type {Record<string, (chain: Chain, link: Link) => () => void>} */
const RULES = {
  made(chain, { fields: [table, key, setup, seedCommit] }) {
    const read = readSetup(setup);
    return () => {
      Object.assign(chain, { table, key, setup: read, seedCommit });
      chain.machines = read.seats.map((machine) => machine ?? "");
    };
  },
  sat(chain, { fields: [seat, promise] }) {
    checkSeating(chain, seat);
    if (!chain.isPerson(seat) || chain.promises.has(seat))
      throw new LinkRefused("the seat is a machine's, or has promised its number already", { seat });
    return () => {
      chain.taken.add(seat);
      chain.promises.set(seat, promise);
    };
  },
  freed(chain, { fields: [seat] }) {
    checkSeating(chain, seat);
    if (!chain.taken.has(seat)) throw new LinkRefused("a seat is freed that is not taken", { seat });
    return () => free(chain, seat);
  },
  filled(chain, { fields: [seat, machine] }) {
    checkSeating(chain, seat);
    if (!machine || !chain.isPerson(seat) || chain.taken.has(seat))
      throw new LinkRefused("a machine can only take a free seat", { seat });
    return () => {
      chain.machines[seat - 1] = machine;
    };
  },
  dropped(chain, { fields: [left] }) {
    checkSeating(chain, left);
    if (chain.machines.some((machine, place) => place >= left && (machine || chain.taken.has(place + 1))))
      throw new LinkRefused("only free seats can be dropped");
    return () => {
      chain.machines.length = left;
    };
  },
  full(chain, { at }) {
    if (chain.full !== null) throw new LinkRefused("all seats were taken already");
    const missing = chain.people.find((seat) => !chain.promises.has(seat));
    if (missing) throw new LinkRefused("not every person has promised a number", { seat: missing });
    return () => {
      chain.full = chain.head;
      chain.openUntil = at + (chain.setup?.opening ?? 0);
    };
  },
  opened(chain, { fields: [seat, entropy] }) {
    if (chain.full === null || chain.dealt !== null || chain.opened.has(seat) || !chain.isPerson(seat))
      throw new LinkRefused("numbers are opened once by each person, between the last seat and the deal", { seat });
    if (hex(entropyCommitment(chain.table, seat, unhex(entropy))) !== chain.promises.get(seat))
      throw new LinkRefused("a number was opened that was not promised", { seat }, "promises");
    return () => chain.opened.set(seat, entropy);
  },
  void(chain, { at, fields: [unopened] }) {
    if (chain.full === null || chain.dealt !== null || chain.openUntil === null)
      throw new LinkRefused("a deal can only come to nothing between the last seat and the deal");
    const missing = chain.people.filter((seat) => !chain.opened.has(seat));
    if (unopened.length === 0 || !areSame(inOrder(unopened), missing))
      throw new LinkRefused("the seats that did not open their numbers are not those that are named");
    if (at < chain.openUntil)
      throw new LinkRefused("the time for opening numbers is not over", { seat: unopened[0] }, "clock");
    return () => {
      for (const seat of unopened) free(chain, seat);
      chain.promises.clear();
      chain.opened.clear();
      chain.full = chain.openUntil = null;
      chain.voids += 1;
    };
  },
  dealt(chain, { at, fields: [due] }) {
    if (chain.full === null || chain.dealt !== null)
      throw new LinkRefused("a game is dealt once, after all seats are taken");
    const missing = chain.people.find((seat) => !chain.opened.has(seat));
    if (missing) throw new LinkRefused("dealt without a person's number", { seat: missing }, "promises");
    checkDue(chain, due);
    return () => {
      chain.dealt = chain.head;
      chain.dealtMachines = [...chain.machines];
      if (chain.setup) chain.clocks = new Clocks(chain.setup.clock, chain.people);
      chain.clocks.openGame(chain.people, at);
      chain.decision = chain.setup?.continues?.decisions ?? 0;
      openDecision(chain, due, at);
    };
  },
  ready(chain, { at, fields: [seat] }) {
    if (!chain.clocks.unready.has(seat))
      throw new LinkRefused("no clock waits until this seat is ready", { decision: chain.decision, seat });
    return () => chain.clocks.setReady(seat, at);
  },
  promised(chain, { fields: [decision, seat, machine, commit] }) {
    checkDecision(chain, decision, seat);
    if (!chain.dueSeats.includes(seat) || chain.isPerson(seat) || chain.machines[seat - 1] !== machine)
      throw new LinkRefused("only a machine that is due can promise a pick", { decision, seat });
    if (chain.promised.has(seat) || chain.sealed.has(seat))
      throw new LinkRefused("a second promise of a machine", { decision, seat });
    return () => chain.promised.set(seat, { machine, commit });
  },
  sealed(chain, { at, fields: [decision, seat, placer, commit] }) {
    checkDecision(chain, decision, seat);
    const here = { decision, seat };
    if (chain.sealed.has(seat)) throw new LinkRefused("a second seal of one seat in a decision", here);
    if (!chain.maySeal.includes(seat)) throw new LinkRefused("this seat is not to seal now", here);
    if (!["person", "machine", "clock"].includes(placer) || (placer === "machine") === chain.isPerson(seat))
      throw new LinkRefused("a pick of a person's seat by a machine, or the other way round", here);
    if (placer === "machine" && chain.promised.get(seat)?.commit !== commit)
      throw new LinkRefused("a machine sealed what it had not promised", here);
    if (placer === "person" && chain.unpromised.length > 0)
      throw new LinkRefused("a person sealed before every machine was bound", here);
    if (placer === "clock" && !chain.clocks.runs)
      throw new LinkRefused("the clock picked at a table without a clock", here, "clock");
    if (placer === "clock" && at < chain.clocks.deadline(seat))
      throw new LinkRefused("the clock picked before the time was up", here, "clock");
    return () => {
      chain.sealed.set(seat, { placer, commit });
      chain.clocks.stop(seat, at);
      chain.clocks.setReady(seat, at);
      runClocks(chain, at);
      if (chain.unopened.length > 0) chain.openUntil = at + (chain.setup?.opening ?? 0);
    };
  },
  shown(chain, { fields: [decision, seat] }) {
    checkDecision(chain, decision, seat);
    if (!chain.unopened.includes(seat)) throw new LinkRefused("this seat has no pick to open now", { decision, seat });
    return () => chain.shown.add(seat);
  },
  revealed(chain, { at, fields: [decision, forfeited, due] }) {
    checkDecision(chain, decision);
    if (!chain.allSealed) throw new LinkRefused("picks were turned before all had sealed", { decision });
    if (!areSame(inOrder(forfeited), chain.unopened))
      throw new LinkRefused("the seats that did not open their picks are not those that forfeit", { decision });
    if (forfeited.length > 0 && (chain.openUntil === null || at < chain.openUntil))
      throw new LinkRefused("the time for opening picks is not over", { decision, seat: forfeited[0] }, "clock");
    checkDue(chain, due);
    return () => {
      for (const seat of forfeited) chain.forfeits.set(seat, (chain.forfeits.get(seat) ?? 0) + 1);
      chain.clocks.showResult(at);
      openDecision(chain, due, at);
    };
  },
  resigned(chain, { at, fields: [decision, seat, due] }) {
    checkDecision(chain, decision, seat);
    if (chain.unopened.length > 0)
      throw new LinkRefused("a seat resigned while picks are being opened", { decision, seat });
    if (seat > chain.machines.length) throw new LinkRefused("there is no such seat", { decision, seat });
    checkDue(chain, due);
    return () => {
      chain.clocks.showResult(at);
      openDecision(chain, due, at);
    };
  },
  replaced(chain, { at, fields: [decision, seat, machine] }) {
    checkHandover(chain, decision, seat);
    if (!machine || !chain.isPerson(seat))
      throw new LinkRefused("a machine can only replace a person", { decision, seat });
    return () => {
      chain.machines[seat - 1] = machine;
      runClocks(chain, at);
    };
  },
  reclaimed(chain, { at, fields: [decision, seat] }) {
    checkHandover(chain, decision, seat);
    if (chain.isPerson(seat) || chain.dealtMachines[seat - 1])
      throw new LinkRefused("only a person who was replaced can take a seat back", { decision, seat });
    return () => {
      chain.machines[seat - 1] = "";
      runClocks(chain, at);
    };
  },
  outage(chain, { fields: [ms] }) {
    return () => {
      chain.clocks.extend(ms);
      if (chain.openUntil !== null) chain.openUntil += ms;
    };
  },
  over(chain, { fields: [result, seed] }) {
    if (chain.dealt === null || chain.due.length > 0)
      throw new LinkRefused("the game ended although seats are due", { decision: chain.decision });
    if (hex(seedCommitment(chain.table, unhex(seed))) !== chain.seedCommit)
      throw new LinkRefused("the seed is not the one that was promised", {}, "promises");
    return () => Object.assign(chain, { result, seed, ended: "over" });
  },
  closed(chain) {
    return () => {
      chain.ended = "closed";
    };
  },
};
