// Watch over the server's public log for one seat: beside play, it has to prove that it has the table, and at the end
// that it has the end. The checks are loaded when they are first needed.

/** @import { Memory } from "./memory.js" */
/** @import { BrokenLog } from "./public_log.js" */
/** @import { Witness } from "./witness.js" */

/** The witness of a seat, and how it is kept. @typedef {{witness: Witness, memory: Memory,
 *   note: (what: (witness: Witness) => void) => void, change: (what: () => void) => void}} WatchedSeat */

const FIRST = 2_000; // an entry is in the log about a second after it happened
const SLOWER = 1.5;
const PATIENCE = 60_000; // no proof after this time is noted

export class LogWatch {
  /** @param {WatchedSeat} seat */
  constructor(seat) {
    this.seat = seat;
    this.started = false;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  /** The server's keys are known. */
  start() {
    this.started = true;
    this.update();
  }

  close() {
    this.started = false;
    clearTimeout(this.timer);
  }

  /** What the log has to prove next, and which head is in that entry. @returns {[string, string]|null} */
  get wanted() {
    const { witness, memory } = this.seat;
    const { chain, heads, isSigning, uncheckable } = witness;
    if (memory.seat === 0 || memory.alarm || heads.length === 0 || !isSigning || uncheckable) return null;
    if (memory.log.table === undefined) return ["table", heads[0]];
    const end = chain.ended === "over" ? "record" : chain.ended;
    return end && memory.log[end] === undefined ? [end, chain.head] : null;
  }

  update() {
    if (this.started && this.timer === undefined && this.wanted) this.wait(FIRST, PATIENCE);
  }

  /** @param {number} pause @param {number} left */
  wait(pause, left) {
    this.timer = setTimeout(() => this.ask(pause, left - pause), pause);
  }

  /** @param {number} pause @param {number} left */
  async ask(pause, left) {
    const [kind, head] = this.wanted ?? [];
    if (!kind || !head) return this.next();
    try {
      const { leafOf, prove } = await import("./public_log.js");
      await prove(leafOf(kind, this.seat.memory.table, head));
      this.note(kind, true);
    } catch (error) {
      const { message, statements } = /** @type {Partial<BrokenLog>} */ (error);
      if (statements) this.seat.change(() => this.seat.witness.noteBrokenLog(message ?? "", statements));
      else if (left > 0 && this.started) return this.wait(pause * SLOWER, left);
      else if (this.started) this.note(kind, false);
    }
    this.next();
  }

  next() {
    this.timer = undefined;
    this.update();
  }

  /** @param {string} kind @param {boolean} holds */
  note(kind, holds) {
    this.seat.note(({ memory }) => {
      memory.log[kind] = holds;
    });
  }
}
