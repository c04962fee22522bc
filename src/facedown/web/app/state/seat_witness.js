// Witness of one seat with its storage: checks frames on arrival, keeps its memory in this browser, where all tabs
// share it, and shows an alarm.

import { signal } from "../html.js";
import { acceptKey, publishedKeys, serverKeys } from "../net/keys.js";
import { LogWatch } from "../net/log_watch.js";
import { evidenceOf } from "../net/memory.js";
import { isLocal } from "../net/place.js";
import { Witness } from "../net/witness.js";
import { tableOf } from "./games.js";
import { keptWitnessMemory, loadWitnessMemory, savedSeat, saveWitnessMemory } from "./saved_seats.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Alarm, Memory } from "../net/memory.js" */
/** @import { Frame } from "../net/socket.js" */

const AFTER_FIRST_VIEW = 1_000; // requests the server's keys beside play

export class SeatWitness {
  /** @param {string} table @param {number} seat @param {() => void} onChange something was found out beside frames */
  constructor(table, seat, onChange) {
    this.onChange = onChange;
    this.kept = keptWitnessMemory(table, seat);
    this.witness = new Witness({
      table,
      seat,
      kept: loadWitnessMemory(table, seat),
      entropy: savedSeat(table, seat).entropy ?? "",
      origin: globalThis.location?.origin ?? "",
      onChecked: () => this.change(() => {}),
    });
    /** @type {Signal<Alarm|null>} the first thing that did not fit what this seat has received or done */
    this.alarm = signal(this.witness.alarm);
    this.loads = false;
    this.log = new LogWatch(this);
    this.meeting = isLocal(table) ? 0 : setTimeout(() => this.meet(), AFTER_FIRST_VIEW);
  }

  async meet() {
    const keys = await serverKeys();
    this.change(() => this.witness.setKeys(keys));
    if (keys.size > 0) this.log.start();
  }

  close() {
    clearTimeout(this.meeting);
    this.log.close();
  }

  get memory() {
    return this.witness.memory;
  }

  get chain() {
    return this.witness.chain;
  }

  get evidence() {
    return evidenceOf(this.memory, this.witness.key, publishedKeys());
  }

  /** @param {Frame} frame */
  take(frame) {
    this.share();
    this.witness.take(frame);
    const { game } = this.chain.setup ?? {};
    if (game && !this.loads) this.loadDue(game);
    this.save();
    this.log.update();
  }

  /** Who is due by the rules is known to the game's table. @param {string} game */
  async loadDue(game) {
    this.loads = true;
    const table = await tableOf(game).catch(() => null);
    this.change(() => this.witness.setDue(table?.due ?? null));
  }

  /** Notes what this browser does, before it does it. @template T @param {(witness: Witness) => T} what @returns {T} */
  note(what) {
    this.share();
    const noted = what(this.witness);
    this.save();
    return noted;
  }

  /** @param {() => void} what */
  change(what) {
    what();
    this.save();
    this.onChange();
  }

  /** Takes over what another tab did for this seat. */
  share() {
    const { table, seat, own } = this.memory;
    const kept = keptWitnessMemory(table, seat);
    if (seat === 0 || kept === this.kept) return;
    this.kept = kept;
    const other = /** @type {Partial<Memory>} */ (loadWitnessMemory(table, seat) ?? {});
    for (const [decision, theirs] of Object.entries(other.own ?? {})) {
      own[decision] ??= theirs;
      if (own[decision].commit === theirs.commit) own[decision] = { ...theirs, ...own[decision] };
    }
    this.memory.entropy = other.entropy || this.memory.entropy;
    this.memory.resigned ||= other.resigned ?? 0;
    this.memory.ready ||= other.ready ?? false;
    this.memory.left = other.left ?? this.memory.left;
    this.memory.alarm ??= other.alarm ?? null;
  }

  /** The player accepts another key of the server: its operator lost the old one. */
  acceptKey() {
    acceptKey(this.alarm.value?.came ?? "");
    this.memory.alarm = null;
    this.save();
  }

  save() {
    const { table, seat } = this.memory;
    if (seat > 0 && JSON.stringify(this.memory) !== this.kept) {
      saveWitnessMemory(table, seat, this.memory);
      this.kept = keptWitnessMemory(table, seat);
    }
    if (this.witness.alarm && !this.alarm.value) this.alarm.value = this.witness.alarm;
  }
}
