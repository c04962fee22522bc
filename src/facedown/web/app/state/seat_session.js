// Session of one seat at a table: its connection, what it knows as a signal, and its commands. Frames pass through the
// seat's witness, its sealing and its queue of reveals before they are folded.

import { computed, signal } from "../html.js";
import { ulid } from "../net/api.js";
import { SeatSocket } from "../net/socket.js";
import { entropyOpening } from "./entropy.js";
import { fold, NOTHING } from "./fold.js";
import { games, rulesOptions } from "./games.js";
import { RevealQueue } from "./reveal_queue.js";
import { savedSeat, saveSeat } from "./saved_seats.js";
import { PickSealing } from "./sealing.js";
import { SeatWitness } from "./seat_witness.js";

/** @import { ReadonlySignal, Signal } from "@preact/signals" */
/** @import { Sight } from "../contract.js" */
/** @import { TableInfo } from "../net/protocol.js" */
/** @import { Environment, Frame, Status } from "../net/socket.js" */
/** @import { Known } from "./fold.js" */

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
    this.recapping = signal(false); // what is shown happened before this page was opened
    /** @type {Signal<Status>} */
    this.status = signal({ connected: false, plays: true, slow: false });
    this.newest = 0; // the last event of the table when it welcomed us
    this.shown = 0;
    const recap = alone && seat > 0;
    this.connection = new SeatSocket({
      address,
      table,
      token,
      environment,
      recap,
      seen: (recap ? savedSeat(table, seat).seen : null) ?? null,
      links: () => this.witness.witness.hello(),
      onFrame: (frame) => this.receive(frame),
      onStatus: (status) => {
        this.witness.witness.setStatus(status);
        this.status.value = { slow: false, ...status };
      },
    });
    this.witness = new SeatWitness(table, seat, () => this.act());
    this.reveals = new RevealQueue({
      apply: (frame) => this.apply(frame),
      onCaughtUp: () => this.saveShown(),
      hidden,
      hasResigned: () => this.witness.memory.resigned > 0,
    });
    const { known, witness } = this;
    const parts = { table, seat, known, witness, command: this.connection.command.bind(this.connection) };
    this.sealing = new PickSealing(parts);
    this.openEntropy = entropyOpening(parts);
  }

  start() {
    this.connection.start();
  }

  close() {
    this.reveals.close();
    this.witness.close();
    this.connection.close();
  }

  /** @param {Frame} frame */
  receive(frame) {
    this.witness.take(frame);
    this.act();
    if (frame.t !== "links") this.reveals.receive(frame);
    if (this.witness.witness.doubted !== null) this.connection.resync();
  }

  /** Does what the protocol asks of this seat, as far as its witness allows it; nothing after an alarm. */
  act() {
    if (this.connection.closed) return;
    if (this.witness.alarm.value) this.connection.stopSending();
    this.openEntropy();
    this.sealing.update();
  }

  /** Folds a frame into what is known, once the queue lets it through. @param {Frame} frame */
  apply(frame) {
    const known = fold(this.known.value, frame);
    this.known.value = known;
    if (frame.t === "welcome") this.newest = frame.v ?? 0;
    if (frame.t === "snap") {
      this.sealing.resume();
      this.recapping.value = frame.v < this.newest;
    }
    if (frame.t === "ev") this.onEvent(frame, known);
    if (frame.t === "ev" || frame.t === "snap") this.shown = frame.v;
  }

  /** Saves how far this seat has been shown, so that the page needs no recap of it when it is opened again. */
  saveShown() {
    const { token, seen } = savedSeat(this.table, this.seat);
    if (token && this.shown !== seen) saveSeat(this.table, this.seat, { seen: this.shown });
  }

  /** @param {{do: string, [name: string]: any}} what */
  async do(what) {
    if (what.do === "leave") this.noteLeft(true);
    const answer = await this.connection.command({ id: ulid(), ...what });
    if (what.do === "back") this.noteLeft(false); // not before: a refused one changes nothing
    return answer;
  }

  /** @param {boolean} left */
  noteLeft(left) {
    this.witness.note(({ memory }) => {
      memory.left = left;
    });
  }

  /** The player is ready for the first decision: its clocks start when everyone is. */
  ready() {
    if (this.seat === 0 || !this.witness.chain.clocks.unready.has(this.seat)) return;
    this.witness.note(({ memory }) => {
      memory.ready = true;
    });
    this.do({ id: `ready-${this.seat}`, do: "ready" }).catch(() => {}); // it came too late, or a machine plays the seat
  }

  /** Resigns in the newest decision: what is shown may be behind it. */
  resign() {
    const decision = this.witness.chain.decision || (this.known.value.table?.turn?.decision ?? 1);
    this.witness.note(({ memory }) => {
      memory.resigned = decision;
    });
    return this.do({ do: "resign", decision });
  }

  now() {
    return Date.now() + this.known.value.ahead;
  }
}

/** The table's id is in the address, so that a proxy before several servers can bring its seats together.
 * @param {string} table */
function socketAddress(table) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws/v1/${encodeURIComponent(table)}`;
}

/** The open decision; while a machine plays this seat, the table does not wait for this seat.
 * @param {TableInfo} table @param {number} seat */
function turnOf({ turn, seats }, seat) {
  if (!turn || seats.find((each) => each.seat === seat)?.kind !== "machine") return turn;
  return { ...turn, may_seal: turn.may_seal.filter((each) => each !== seat) };
}

/** Everything that the game's table may show, as a computed value.
 * @param {SeatSession} session @param {Pick<Sight, "names"|"face">} shown @param {boolean} shared
 * @returns {ReadonlySignal<Sight|null>} */
export function sightOf(session, shown, shared) {
  return computed(() => {
    const { table, view, legal, placed, lastReveal, seat } = session.known.value;
    if (!table) return null;
    const revealing = session.reveals.running.value;
    const { connected, plays } = session.status.value;
    const turn = turnOf(table, seat);
    const info = games.value?.find((each) => each.name === table.game);
    const due = turn !== null && turn?.may_seal?.includes(seat) === true && !session.witness.alarm.value;
    return {
      table,
      seat,
      view,
      legal,
      placed,
      sending: session.sealing.sending.value,
      turn,
      mayPick: due && plays && placed === null && !revealing && table.state === "playing",
      options: info ? rulesOptions(info, table.rules) : {},
      ...shown,
      lastReveal,
      revealing,
      shared,
      connected,
      now: () => session.now(),
    };
  });
}
