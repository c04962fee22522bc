// Queue of one seat's frames: reveals are shown one after the other, and later frames wait until one has been seen.

import { batch, signal } from "../html.js";

/** @import { Frame } from "../net/socket.js" */

const LONGEST_REVEAL = 30_000;
const MOST_WAITING = 40; // so far behind the table, reveals are skipped

export class RevealQueue {
  /** @param {{apply: (frame: Frame) => void, onCaughtUp: () => void, hidden: boolean, hasResigned: () => boolean}}
   *   options `apply`: takes a frame in; `onCaughtUp`: no reveal is being shown; `hidden`: reveals are shown elsewhere
   *   on this screen, and end at once here; `hasResigned`: this seat does not wait for the end behind reveals */
  constructor({ apply, onCaughtUp, hidden, hasResigned }) {
    this.apply = apply;
    this.onCaughtUp = onCaughtUp;
    this.hidden = hidden;
    this.hasResigned = hasResigned;
    this.running = signal(false);
    this.settled = false; // the result of the reveal stays in view until the player acts
    this.skipping = false;
    /** @type {Frame[]} */
    this.waiting = [];
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  close() {
    clearTimeout(this.timer);
  }

  /** @param {Frame} frame */
  receive(frame) {
    if (!this.mustWait(frame)) return this.show(frame);
    this.waiting.push(frame);
    if (this.waiting.length > MOST_WAITING || (frame.k === "over" && this.hasResigned())) this.skipAll();
  }

  /** The result of the reveal stays until the player acts: quiet events go on behind it, up to the next reveal. */
  settle() {
    if (!this.running.value || this.settled) return;
    clearTimeout(this.timer);
    this.settled = true;
    while (this.waiting.length > 0 && isQuiet(this.waiting[0])) this.showNext();
  }

  /** The reveal has been seen: shows what waited, up to the next reveal. */
  finish() {
    clearTimeout(this.timer);
    this.settled = false;
    this.running.value = false;
    this.onCaughtUp();
    while (this.waiting.length > 0 && !this.running.value) this.showNext();
  }

  /** Every frame of the table's state waits behind a reveal; behind its result, only the next reveal and what follows.
   * @param {Frame} frame */
  mustWait(frame) {
    if (frame.t !== "ev" && frame.t !== "snap") return false;
    if (this.waiting.length > 0) return true;
    return this.running.value && !(this.settled && isQuiet(frame));
  }

  showNext() {
    this.show(/** @type {Frame} */ (this.waiting.shift()));
  }

  /** Everything that a frame changes becomes visible together. @param {Frame} frame */
  show(frame) {
    batch(() => {
      this.apply(frame);
      const isResigned = frame.result?.termination === "resignation" || this.hasResigned();
      if (this.settled && frame.k === "over" && isResigned) this.finish();
      if (frame.k === "revealed" && !frame.late && !this.hidden && !this.skipping) this.begin();
      else if (!this.running.value) this.onCaughtUp();
    });
  }

  begin() {
    this.running.value = true;
    this.settled = false;
    this.timer = setTimeout(() => this.finish(), LONGEST_REVEAL);
  }

  skipAll() {
    this.skipping = true;
    while (this.running.value || this.waiting.length > 0) this.finish();
    this.skipping = false;
  }
}

/** Whether an event may be shown behind the result of a reveal. @param {Frame} frame */
const isQuiet = (frame) => frame.t === "ev" && frame.k !== "revealed";
