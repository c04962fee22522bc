// Sealing of one seat's picks: commits to a pick, keeps it until the server has it, opens it at a blind table.

import { signal } from "../html.js";
import { ulid } from "../net/api.js";
import { hex, pickCommitment, random32 } from "../net/commitments.js";
import { savedSeat, saveSeat } from "./saved_seats.js";

/** @import { Signal } from "@preact/signals" */
/** @import { TurnInfo } from "../net/protocol.js" */
/** @import { Known } from "./fold.js" */
/** @import { Sealing } from "./saved_seats.js" */
/** @import { SeatWitness } from "./seat_witness.js" */

/** What the parts of a seat's session share.
 * @typedef {object} SeatParts
 * @property {string} table
 * @property {number} seat
 * @property {Signal<Known>} known
 * @property {SeatWitness} witness
 * @property {(command: {id: string, do: string, [name: string]: any}) => Promise<any>} command */

const LONGEST_BINDING = 10_000; // a pick waits this long for the machines to be bound to theirs
const LONGEST_PICK = 32;

export class PickSealing {
  /** @param {SeatParts} parts */
  constructor({ table, seat, known, witness, command }) {
    this.table = table;
    this.seat = seat;
    this.known = known;
    this.witness = witness;
    this.command = command;
    this.sending = signal(false);
    /** @type {Set<number>} decisions whose picks are being opened */
    this.opening = new Set();
    /** @type {Set<() => void>} checks of picks that wait for a machine to be bound */
    this.bindingChecks = new Set();
  }

  /** @param {string} pick */
  async pick(pick) {
    const { table, placed } = this.known.value;
    if (!table?.turn || placed !== null || this.sending.value || this.witness.alarm.value) return;
    this.sending.value = true; // before the first await: a second tap seals nothing
    const { decision } = table.turn;
    const nonce = random32();
    const commit = pickCommitment(this.table, decision, this.seat, pick, nonce);
    const sealing = { id: ulid(), decision, pick, nonce: hex(nonce), commit: hex(commit) };
    this.keep(sealing);
    await this.seal(sealing);
  }

  /** After a snapshot: sends a pick again that was on its way when the page closed. */
  resume() {
    const { sealing } = savedSeat(this.table, this.seat);
    if (!sealing || this.seat === 0 || this.sending.value) return;
    const { table, placed } = this.known.value;
    if (placed !== null) return;
    if (table?.turn?.decision === sealing.decision) this.seal(sealing).catch(() => {});
    else this.keep(null);
  }

  /** Saves the pick on its way, or forgets it. @param {Sealing|null} sealing */
  keep(sealing) {
    if (this.seat > 0) saveSeat(this.table, this.seat, { sealing });
  }

  /** The witness has taken a frame: opens this seat's pick if it is time, and sends one that waited for machines.
   * @param {TurnInfo|null|undefined} turn */
  update(turn) {
    if (turn) this.openPick(turn);
    for (const check of this.bindingChecks) check();
  }

  /** @param {Sealing} sealing */
  async seal(sealing) {
    this.sending.value = true;
    this.known.value = { ...this.known.value, placed: sealing.pick };
    this.witness.recordOwnSeal(sealing);
    try {
      await this.machinesBound(sealing.decision);
      const { id, decision, commit } = sealing;
      const whole = { ...sealing, pad: padding(sealing.pick) };
      await this.command({ ...(this.witness.memory.blind ? { id, decision, commit } : whole), do: "pick" });
    } catch (refusal) {
      if (this.known.value.table?.turn?.decision === sealing.decision) {
        this.known.value = { ...this.known.value, placed: null };
      }
      this.keep(null);
      throw refusal;
    } finally {
      this.sending.value = false;
    }
  }

  /** At a blind table, once every seat has sealed: opens this seat's pick. @param {TurnInfo} turn */
  openPick(turn) {
    const own = this.seat > 0 ? this.witness.witness.ownSealToOpen(turn) : null;
    const { decision } = turn;
    if (!own || own.opened || this.opening.has(decision)) return;
    this.opening.add(decision);
    const { pick, nonce, commit } = own;
    const id = `reveal-${decision}-${commit.slice(0, 12)}`; // the same each time, in every window
    this.command({ id, do: "reveal", decision, pick, nonce, pad: padding(pick) }).then(
      () => this.witness.recordOpenedPick(own),
      () => this.opening.delete(decision),
    );
  }

  /** Resolves once every machine is bound to its pick: only then may the server receive this one.
   * @param {number} decision @returns {Promise<void>} */
  machinesBound(decision) {
    if (!this.hasUnboundMachine(decision)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.bindingChecks.delete(check);
        clearTimeout(timer);
        resolve();
      };
      const check = () => {
        if (!this.hasUnboundMachine(decision)) done();
      };
      const timer = setTimeout(done, LONGEST_BINDING); // after it, the server holds the pick back on its own
      this.bindingChecks.add(check);
    });
  }

  /** @param {number} decision */
  hasUnboundMachine(decision) {
    const { table } = this.known.value;
    if (table?.turn?.decision !== decision) return false;
    const bound = this.witness.sealedSeats(decision);
    const machines = table.seats.filter(({ kind }) => kind === "machine").map(({ seat }) => seat);
    return (table.turn.waiting ?? []).flat().some((seat) => machines.includes(seat) && !bound.includes(seat));
  }
}

/** Makes the commands of all picks equally long, so that the length reveals nothing. @param {string} pick */
const padding = (pick) =>
  ".".repeat(Math.max(1, LONGEST_PICK + 3 - new TextEncoder().encode(JSON.stringify(pick)).length));
