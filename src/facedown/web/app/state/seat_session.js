// Session of one seat at a table: its connection, what it knows as a signal, and its commands.
// Shows reveals one after the other: later events wait until one has been seen.

import { batch, computed, effect, signal } from "../html.js";
import { ulid } from "../net/api.js";
import { hex, pickCommitment, random32 } from "../net/commitments.js";
import { SeatSocket } from "../net/socket.js";
import { memoryOf, Witness } from "../net/witness.js";
import { read, write } from "../storage.js";
import { fold, NOTHING } from "./fold.js";
import { games, rulesOptions } from "./games.js";
import { heardAt, rememberHeard, savedSeat, saveSeat } from "./saved_seats.js";

/** @import { Sight } from "../contract.js" */
/** @import { TableInfo } from "../net/protocol.js" */
/** @import { Environment } from "../net/socket.js" */
/** @import { Known } from "./fold.js" */
/** @import { Sealing } from "./saved_seats.js" */
/** @import { ReadonlySignal, Signal } from "@preact/signals" */
/** @import { Frame } from "../net/socket.js" */

const LONGEST_REVEAL = 30_000;
const LONGEST_BINDING = 10_000; // for so long a pick waits until the machines are bound to theirs
const LONGEST_PICK = 32;
const MANY_WAITING = 40; // reveals are skipped where the table is that far ahead

/** One seat at the table, or the place of a spectator (seat 0). */
export class SeatSession {
  /** @param {{table: string, seat: number, token: string|null, onEvent: (frame: Frame, known: Known) => void,
   *   address?: string, environment?: Environment, alone?: boolean, hidden?: boolean}} options `alone`: no other seat
   *   has this screen, and what was turned while the page was closed is shown first; `hidden`: reveals are watched
   *   elsewhere on this screen, and are over at once here */
  constructor({
    table,
    seat,
    token,
    onEvent,
    address = socketAddress(table),
    environment,
    alone = false,
    hidden = false,
  }) {
    this.table = table;
    this.seat = seat;
    this.onEvent = onEvent;
    /** @type {Signal<Known>} */
    this.known = signal({ ...NOTHING, seat });
    this.revealing = signal(false);
    this.recapping = signal(false); // what is shown happened before this page was opened
    this.sending = signal(false);
    this.status = signal({ connected: false, plays: true, slow: false, refused: /** @type {any} */ (undefined) });
    /** @type {Frame[]} */
    this.waiting = [];
    /** @type {any} */
    this.patience = null;
    this.settling = false; // the result of a reveal stands until the player acts
    this.opening = false;
    this.newest = 0; // the last event of the table when it welcomed us
    this.shown = 0;
    this.hurried = false;
    this.hidden = hidden;
    this.witness = new Witness(memoryOf(table, seat, heardAt(table, seat)));
    /** @type {Signal<import("../net/witness.js").Alarm|null>} what did not fit what was heard before */
    this.alarm = signal(this.witness.alarm);
    /** @type {Set<number>} decisions whose picks are being opened */
    this.openings = new Set();
    /** @type {Set<() => void>} */
    this.binding = new Set();
    this.connection = new SeatSocket({
      address,
      table,
      token,
      environment,
      recap: alone && seat > 0,
      seen: (alone && seat > 0 ? savedSeat(table, seat).seen : null) ?? null,
      onFrame: (frame) => this.receive(frame),
      onStatus: (status) => (this.status.value = { slow: false, refused: undefined, ...status }),
    });
    this.stopOpening = effect(() => this.openEntropy());
  }

  start() {
    this.connection.start();
  }

  close() {
    clearTimeout(this.patience);
    this.stopOpening();
    this.connection.close();
  }

  // --- what comes in ----------------------------------------------------------------------------------

  /** @param {Frame} frame */
  receive(frame) {
    this.hear(frame);
    if (!this.waits(frame)) return this.show(frame);
    this.waiting.push(frame);
    if (this.waiting.length > MANY_WAITING) this.catchUp();
  }

  /** Held against what was heard before, the moment it comes. @param {Frame} frame */
  hear(frame) {
    if (frame.t !== "ev" && frame.t !== "snap") return;
    this.witness.take(frame, this.known.value.table);
    this.keepHeard();
    this.openPick(frame.t === "snap" ? frame.table?.turn : frame.turn);
    for (const look of this.binding) look();
  }

  keepHeard() {
    if (this.seat > 0) rememberHeard(this.table, this.seat, this.witness.memory);
    if (this.witness.alarm && !this.alarm.value) this.alarm.value = this.witness.alarm;
  }

  /** Behind a reveal; behind its result only another reveal, and whatever comes after that one. @param {Frame} frame */
  waits(frame) {
    if (frame.t !== "ev" && frame.t !== "snap") return false;
    if (this.waiting.length > 0) return true;
    return this.revealing.value && !(this.settling && isQuiet(frame));
  }

  /** All that a frame changes is seen at once. @param {Frame} frame */
  show(frame) {
    batch(() => this.take(frame));
  }

  /** @param {Frame} frame */
  take(frame) {
    const known = fold(this.known.value, frame);
    this.known.value = known;
    if (frame.t === "welcome") this.newest = frame.v ?? 0;
    if (frame.t === "snap") {
      this.settle(known);
      this.recapping.value = frame.v < this.newest;
    }
    if (frame.t === "ev") this.onEvent(frame, known);
    if (frame.t === "ev" || frame.t === "snap") this.shown = frame.v;
    if (frame.k === "over" && this.settling && known.table?.result?.termination === "resignation") this.revealed();
    if (frame.k === "revealed" && this.seat > 0) saveSeat(this.table, this.seat, { sealing: null });
    if (frame.k !== "revealed" || frame.late || this.hidden || this.hurried) return this.remember();
    this.revealing.value = true;
    this.settling = false;
    this.patience = setTimeout(() => this.revealed(), LONGEST_REVEAL);
  }

  /** What has been shown up to now needs no recap when the page is opened again; what is still being shown does. */
  remember() {
    if (this.revealing.value) return;
    const { token, seen } = savedSeat(this.table, this.seat);
    if (token && this.shown !== seen) saveSeat(this.table, this.seat, { seen: this.shown });
  }

  /** The table is far ahead: nobody wants to see all that was turned. */
  catchUp() {
    this.hurried = true;
    while (this.revealing.value || this.waiting.length > 0) this.revealed();
    this.hurried = false;
  }

  /** The result of the reveal stands until the player acts: on with what came meanwhile, up to the next reveal. */
  settled() {
    if (!this.revealing.value || this.settling) return;
    clearTimeout(this.patience);
    this.settling = true;
    while (this.waiting.length > 0 && isQuiet(this.waiting[0])) this.show(/** @type {Frame} */ (this.waiting.shift()));
  }

  /** The reveal has been seen: on with what came meanwhile, up to the next one. */
  revealed() {
    clearTimeout(this.patience);
    this.settling = false;
    this.revealing.value = false;
    this.remember();
    while (this.waiting.length > 0 && !this.revealing.value) {
      this.show(/** @type {Frame} */ (this.waiting.shift()));
    }
  }

  /** After a snapshot: a pick that was on its way when the page closed goes on its way again.
   * @param {Known} known */
  settle(known) {
    if (known.table && known.table.state !== "over") promise(this.table, known.table.seed_commit);
    const { sealing } = savedSeat(this.table, this.seat);
    if (!sealing || this.seat === 0 || this.sending.value) return;
    const due = known.table?.turn?.decision === sealing.decision && known.placed === null;
    if (due) this.seal(sealing).catch(() => {});
    else if (known.placed === null) saveSeat(this.table, this.seat, { sealing: null });
  }

  /** Once all seats are taken, this seat shows the random bytes that it threw in; then nobody needs them any more. */
  openEntropy() {
    const { table } = this.known.value;
    if (!table || this.seat === 0) return;
    const { entropy, over } = savedSeat(this.table, this.seat);
    const mine = table.seats.find((each) => each.seat === this.seat);
    if (entropy && (mine?.opened || table.state === "playing")) saveSeat(this.table, this.seat, { entropy: null });
    if (table.state === "over" && !over) saveSeat(this.table, this.seat, { over: true, entropy: null, sealing: null });
    if (table.state !== "opening" || !entropy || !mine || mine.opened || this.opening) return;
    this.opening = true;
    this.witness.memory.entropy = entropy;
    this.connection.command({ id: ulid(), do: "open", entropy }).then(
      () => {
        this.witness.memory.opened = true;
        this.keepHeard();
      },
      () => {},
    );
  }

  // --- what the person does ---------------------------------------------------------------------------

  /** @param {string} pick */
  async pick(pick) {
    const { table, placed } = this.known.value;
    if (!table?.turn || placed !== null || this.sending.value || this.alarm.value) return;
    this.sending.value = true; // before anything is waited for: a second tap seals nothing
    const { decision } = table.turn;
    const nonce = random32();
    const commit = pickCommitment(this.table, decision, this.seat, pick, nonce);
    const sealing = { id: ulid(), decision, pick, nonce: hex(nonce), commit: hex(commit) };
    saveSeat(this.table, this.seat, { sealing });
    await this.seal(sealing);
  }

  /** @param {Sealing} sealing */
  async seal(sealing) {
    this.sending.value = true;
    this.known.value = { ...this.known.value, placed: sealing.pick };
    this.witness.sealed(sealing);
    this.keepHeard();
    try {
      await this.machinesBound(sealing.decision);
      const { id, decision, commit } = sealing;
      const whole = { ...sealing, pad: padding(sealing.pick) };
      await this.connection.command({ ...(this.witness.memory.blind ? { id, decision, commit } : whole), do: "pick" });
    } catch (refusal) {
      if (this.known.value.table?.turn?.decision === sealing.decision) {
        this.known.value = { ...this.known.value, placed: null };
      }
      saveSeat(this.table, this.seat, { sealing: null });
      throw refusal;
    } finally {
      this.sending.value = false;
    }
  }

  /** At a blind table, once all have sealed: what lies face down here is opened. @param {any} turn */
  openPick(turn) {
    const own = this.seat > 0 ? this.witness.toReveal(turn) : null;
    if (!own || own.opened || this.openings.has(turn.decision)) return;
    const { decision } = turn;
    const id = `reveal-${decision}-${own.commit.slice(0, 12)}`; // the same each time, in every window
    this.openings.add(decision);
    const { pick, nonce } = own;
    this.connection.command({ id, do: "reveal", decision, pick, nonce, pad: padding(pick) }).then(
      () => {
        own.opened = true;
        this.keepHeard();
      },
      () => this.openings.delete(decision),
    );
  }

  /** Every machine is bound to its pick before the server hears of this one. @param {number} decision
   * @returns {Promise<void>} */
  machinesBound(decision) {
    const unbound = () => {
      const { table } = this.known.value;
      if (table?.turn?.decision !== decision) return false;
      const bound = this.witness.memory.seals[decision]?.map(({ seat }) => seat) ?? [];
      const machines = table.seats.filter(({ kind }) => kind === "machine").map(({ seat }) => seat);
      return (table.turn.waiting ?? []).flat().some((seat) => machines.includes(seat) && !bound.includes(seat));
    };
    if (!unbound()) return Promise.resolve();
    return new Promise((done) => {
      const look = () => {
        if (unbound()) return;
        this.binding.delete(look);
        clearTimeout(patience);
        done();
      };
      const patience = setTimeout(() => {
        this.binding.delete(look);
        done(); // the server holds the pick back by itself
      }, LONGEST_BINDING);
      this.binding.add(look);
    });
  }

  /** @param {{do: string, [name: string]: any}} what */
  do(what) {
    return this.connection.command({ id: ulid(), ...what });
  }

  resign() {
    return this.do({ do: "resign", decision: this.known.value.table?.turn?.decision ?? 1 });
  }

  now() {
    return Date.now() + this.known.value.ahead;
  }
}

/** Makes the command of any pick equally long: its length says nothing. @param {string} pick */
const padding = (pick) =>
  ".".repeat(Math.max(1, LONGEST_PICK + 3 - new TextEncoder().encode(JSON.stringify(pick)).length));

/** Whether an event may be folded in behind the result of a reveal. @param {Frame} frame */
const isQuiet = (frame) => frame.t === "ev" && frame.k !== "revealed";

/** What the server promised of the deal, kept until the review asks for it.
 * @param {string} table @param {string} commit */
function promise(table, commit) {
  if (!read(`promised.${table}`, "")) write(`promised.${table}`, commit);
}

/** The table's id is in the address, so that a proxy before several servers can bring its seats together.
 * @param {string} table */
export function socketAddress(table) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws/v1/${encodeURIComponent(table)}`;
}

/** The open decision; while a machine plays this seat, it is not this seat that is waited for.
 * @param {TableInfo} table @param {number} seat */
function turnOf({ turn, seats }, seat) {
  if (!turn || seats.find((each) => each.seat === seat)?.kind !== "machine") return turn;
  return { ...turn, may_seal: turn.may_seal.filter((each) => each !== seat) };
}

/** All that the game's table may show, as a value that changes when anything does.
 * @param {SeatSession} session @param {(seat: number) => string} names @param {boolean} shared
 * @returns {ReadonlySignal<Sight|null>} */
export function sightOf(session, names, shared) {
  return computed(() => {
    const { table, view, legal, placed, lastReveal, seat } = session.known.value;
    if (!table) return null;
    const revealing = session.revealing.value;
    const { connected, plays } = session.status.value;
    const turn = turnOf(table, seat);
    const info = games.value?.find((each) => each.name === table.game);
    const due = turn !== null && turn?.may_seal?.includes(seat) === true && !session.alarm.value;
    return {
      table,
      seat,
      view,
      legal,
      placed,
      sending: session.sending.value,
      turn,
      mayPick: due && plays && placed === null && !revealing && table.state === "playing",
      options: info ? rulesOptions(info, table.rules) : {},
      names,
      lastReveal,
      revealing,
      shared,
      connected,
      now: () => session.now(),
    };
  });
}
