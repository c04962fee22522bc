// Witness of one seat with its storage: checks frames on arrival, keeps its memory in this browser, shows an alarm.

import { signal } from "../html.js";
import { memoryOf, Witness } from "../net/witness.js";
import { read, write } from "../storage.js";
import { loadWitnessMemory, saveWitnessMemory } from "./saved_seats.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Frame } from "../net/socket.js" */
/** @import { Alarm, OwnSeal } from "../net/witness.js" */
/** @import { TableInfo } from "../net/protocol.js" */
/** @import { Sealing } from "./saved_seats.js" */

export class SeatWitness {
  /** @param {string} table @param {number} seat */
  constructor(table, seat) {
    this.witness = new Witness(memoryOf(table, seat, loadWitnessMemory(table, seat)));
    /** @type {Signal<Alarm|null>} the first thing that did not fit what this seat has received or done */
    this.alarm = signal(this.witness.alarm);
  }

  get memory() {
    return this.witness.memory;
  }

  /** @param {Frame} frame @param {TableInfo|null} table what was known of the table before this frame */
  take(frame, table) {
    this.witness.take(frame, table);
    if (frame.t === "snap" && frame.table && frame.table.state !== "over") this.keepPromise(frame.table.seed_commit);
    this.save();
  }

  /** @param {Sealing} sealing */
  recordOwnSeal(sealing) {
    this.witness.recordOwnSeal(sealing);
    this.save();
  }

  /** The seats known to have sealed a decision. @param {number} decision */
  sealedSeats(decision) {
    return this.memory.seals[decision]?.map(({ seat }) => seat) ?? [];
  }

  /** The server has acknowledged this seat's pick, opened at a blind table. @param {OwnSeal} own */
  recordOpenedPick(own) {
    own.opened = true;
    this.save();
  }

  /** The server has acknowledged this seat's entropy. */
  recordOpenedEntropy() {
    this.memory.opened = true;
    this.save();
  }

  /** Keeps the commitment to the deal for the review: the first one received. @param {string} commit */
  keepPromise(commit) {
    const name = `promised.${this.memory.table}`;
    if (!read(name, "")) write(name, commit);
  }

  save() {
    const { table, seat } = this.memory;
    if (seat > 0) saveWitnessMemory(table, seat, this.memory);
    if (this.witness.alarm && !this.alarm.value) this.alarm.value = this.witness.alarm;
  }
}
