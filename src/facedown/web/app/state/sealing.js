// Sealing of one seat's picks: keeps a pick before it is sent, and opens it at a blind table. The witness says when.

import { signal } from "../html.js";
import { random32 } from "../net/commitments.js";

/** @import { Signal } from "@preact/signals" */
/** @import { OwnPick } from "../net/memory.js" */
/** @import { Known } from "./fold.js" */
/** @import { SeatWitness } from "./seat_witness.js" */

/** What the parts of a seat's session share.
 * @typedef {object} SeatParts
 * @property {string} table
 * @property {number} seat
 * @property {Signal<Known>} known
 * @property {SeatWitness} witness
 * @property {(command: {id: string, do: string, [name: string]: any}) => Promise<any>} command */

const LONGEST_PICK = 32;
const UNANSWERED = 10_000; // a pick without an answer is noted after this time

export class PickSealing {
  /** @param {SeatParts} parts */
  constructor({ seat, known, witness, command }) {
    this.seat = seat;
    this.known = known;
    this.witness = witness;
    this.command = command;
    this.sending = signal(false);
    this.asks = signal(0); // the decision whose pick is opened only if the player says so: who is due is not known
    /** @type {Set<number>} decisions whose picks are being opened */
    this.opening = new Set();
    /** @type {Set<() => void>} checks of picks that wait for their turn or for machines */
    this.waiting = new Set();
  }

  /** @param {string} pick */
  async pick(pick) {
    const { table, placed } = this.known.value;
    const decision = table?.turn?.decision;
    if (!decision || placed !== null || this.sending.value || this.witness.alarm.value) return;
    if (decision !== this.witness.chain.decision) return; // it is over: its reveal is still being shown
    this.sending.value = true; // before the first await: a second tap seals nothing
    await this.send(
      decision,
      this.witness.note((witness) => witness.seal(decision, pick, random32())),
    );
  }

  /** After a snapshot: shows the own pick, and sends it again if it was on its way when the page closed. */
  resume() {
    const { table, placed } = this.known.value;
    const { chain, memory } = this.witness;
    const decision = table?.turn?.decision ?? 0;
    const own = memory.own[decision];
    if (this.seat === 0 || !own || this.sending.value || decision !== chain.decision) return;
    const seal = chain.sealed.get(this.seat);
    if (!seal) this.send(decision, own).catch(() => {});
    else if (seal.commit === own.commit && placed === null)
      this.known.value = { ...this.known.value, placed: own.pick };
  }

  /** The witness has taken a frame or checked a signature. */
  update() {
    this.openPick();
    for (const check of this.waiting) check();
  }

  /** @param {number} decision @param {OwnPick} own */
  async send(decision, own) {
    this.sending.value = true;
    this.known.value = { ...this.known.value, placed: own.pick };
    try {
      if (!(await this.isTurn(decision))) return;
      this.witness.note((witness) => witness.notePickSent(decision));
      const { pick, nonce, commit } = own;
      const isBlind = this.witness.chain.setup?.seal === "blind"; // pick and nonce stay here until all have sealed
      const whole = isBlind ? { commit } : { pick, nonce, commit, pad: padding(pick) };
      const noted = setTimeout(() => this.noteUnanswered(decision), UNANSWERED);
      const id = `pick-${decision}-${commit.slice(0, 12)}`; // the same each time, in every tab
      const { n } = await this.command({ id, do: "pick", decision, ...whole }).finally(() => clearTimeout(noted));
      this.witness.note((witness) => witness.noteSealed(decision, n));
    } catch (refusal) {
      if (this.witness.alarm.value) return;
      if (this.known.value.table?.turn?.decision === decision) this.known.value = { ...this.known.value, placed: null };
      this.witness.note((witness) => witness.forgetRefused(decision));
      throw refusal;
    } finally {
      this.sending.value = false;
    }
  }

  /** @param {number} decision */
  noteUnanswered(decision) {
    this.witness.note(({ connectedAt, memory: { unanswered } }) => {
      if (connectedAt !== null && !unanswered.includes(decision)) unanswered.push(decision);
    });
  }

  /** At a blind table, once every seat that is due has sealed, by the signed chain: opens this seat's pick.
   * @param {boolean} [isAsked] the player said so, where this browser does not know who is due */
  openPick(isAsked = false) {
    const { witness } = this.witness;
    const { decision } = witness.chain;
    const own = this.seat > 0 ? witness.toReveal() : null;
    const isUnclear = witness.unclear === decision;
    this.asks.value = own && isUnclear && !own.opened ? decision : 0;
    if (!own || own.opening_acked || this.opening.has(decision)) return;
    if (isUnclear ? !isAsked && !own.opened : witness.compared !== decision) return;
    this.opening.add(decision);
    this.witness.note(() => witness.noteRevealSent(decision));
    this.asks.value = 0;
    const { pick, nonce, commit } = own;
    const id = `reveal-${decision}-${commit.slice(0, 12)}`;
    this.command({ id, do: "reveal", decision, pick, nonce, pad: padding(pick) }).then(
      () => this.witness.note(() => witness.noteRevealed(decision)),
      () => this.opening.delete(decision),
    );
  }

  /** Resolves once this seat is to seal and every machine is bound, so that none can depend on this pick; to false if
   * the decision is over before that. @param {number} decision @returns {Promise<boolean>} */
  isTurn(decision) {
    const { witness } = this.witness;
    if (witness.maySeal(decision)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const check = () => {
        const isOver = decision !== witness.chain.decision || witness.alarm !== null;
        if (!isOver && !witness.maySeal(decision)) return;
        this.waiting.delete(check);
        resolve(!isOver);
      };
      this.waiting.add(check);
      check();
    });
  }
}

/** Makes the commands of all picks equally long, so that the length reveals nothing. @param {string} pick */
const padding = (pick) =>
  ".".repeat(Math.max(1, LONGEST_PICK + 3 - new TextEncoder().encode(JSON.stringify(pick)).length));
