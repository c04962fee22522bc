// The seats played on this screen: usually one, several with pass and play, or a spectator.
// Decides whose view is shown, and covers the table before it becomes another's.

import { computed, effect, signal } from "../html.js";
import { get, guestSession, hadSession, tablePath } from "../net/api.js";
import { machineName, seatName } from "../phrases.js";
import { lang, wordsOf } from "../words.js";
import { NOTHING } from "./fold.js";
import { allGames } from "./games.js";
import { savedSeats, saveSeat } from "./saved_seats.js";
import { SeatSession, sightOf } from "./seat_session.js";
import { renewToken, tokenOf } from "./seating.js";

/** @import { Signal } from "@preact/signals" */
/** @import { TableInfo } from "../net/protocol.js" */
/** @import { Frame } from "../net/socket.js" */

export class ScreenSeats {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {Signal<SeatSession[]>} */
    this.sessions = signal([]);
    this.shown = signal(0);
    this.curtain = signal(false);
    this.error = signal(/** @type {any} */ (null));
    /** @type {Signal<{frame: Frame, seat: number}|null>} the last event shown */
    this.heard = signal(null);
    this.closed = false;
    this.renewing = false;
    this.begun = false;
    /** @type {{of: any, lang: string, names: Map<number, string>}} */
    this.named = { of: null, lang: "", names: new Map() };
    const sights = computed(() => this.sessions.value.map((place) => sightOf(place, (seat) => this.nameOf(seat))));
    this.sight = computed(() => sights.value[this.shown.value]?.value ?? null);
    this.stops = [effect(() => this.passOn()), effect(() => this.renewRefused())];
    this.wake = () => {
      for (const session of this.sessions.peek()) session.connection.wake();
    };
    this.offline = () => {
      for (const session of this.sessions.peek()) session.connection.offline();
    };
  }

  async start() {
    addEventListener("online", this.wake);
    addEventListener("offline", this.offline);
    document.addEventListener("visibilitychange", this.wake);
    allGames().catch(() => {}); // without them the options of the rules stay unknown
    try {
      const seats = await ownSeats(this.table);
      const tokens = await Promise.all(seats.map((seat) => tokenOf(this.table, seat)));
      this.sit(seats.length > 0 ? seats.map((seat, at) => ({ seat, token: tokens[at] })) : [{ seat: 0, token: null }]);
    } catch (error) {
      this.error.value = error;
    }
  }

  /** @param {{seat: number, token: string|null}[]} seats */
  sit(seats) {
    for (const session of this.sessions.peek()) session.close();
    if (this.closed) return;
    const onEvent = (/** @type {Frame} */ frame, /** @type {any} */ seen) => {
      if (this.sessions.peek()[this.shown.peek()]?.seat === seen.seat) this.heard.value = { frame, seat: seen.seat };
    };
    const alone = seats.length === 1;
    this.sessions.value = seats.map(
      ({ seat, token }) => new SeatSession({ table: this.table, seat, token, onEvent, alone }),
    );
    this.show(0);
    for (const session of this.sessions.value) session.start();
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.offline);
    document.removeEventListener("visibilitychange", this.wake);
    for (const stop of this.stops) stop();
    for (const session of this.sessions.peek()) session.close();
  }

  /** The place that is shown. @returns {SeatSession} */
  active() {
    return this.sessions.peek()[this.shown.peek()];
  }

  /** Asked for again and again while a reveal is drawn: worked out once for each state of the table.
   * @param {number} seat */
  nameOf(seat) {
    const { table } = this.sessions.peek()[this.shown.peek()]?.known.value ?? NOTHING;
    if (!table) return "";
    if (this.named.of !== table.seats || this.named.lang !== lang.value)
      this.named = { of: table.seats, lang: lang.value, names: new Map() };
    const { names } = this.named;
    if (!names.has(seat)) names.set(seat, this.nameAt(table, seat));
    return names.get(seat) ?? "";
  }

  /** @param {TableInfo} table @param {number} seat */
  nameAt(table, seat) {
    const info = table.seats.find((each) => each.seat === seat);
    if (!info) return "";
    if (info.machine && info.kind === "machine" && info.name === info.machine) {
      const alike = table.seats.filter((each) => each.kind === "machine" && each.name === info.name);
      const name = machineName(wordsOf(table.game), info.machine);
      return alike.length > 1 ? `${name} ${alike.indexOf(info) + 1}` : name;
    }
    const alike = table.hotseat && table.seats.some((each) => each.seat !== seat && each.name === info.name);
    return seatName(alike ? { ...info, name: "" } : info);
  }

  /** @param {number} place */
  show(place) {
    this.shown.value = place;
    for (const [at, each] of this.sessions.peek().entries()) each.hide(at !== place);
  }

  /** Nobody's hand is seen before its owner holds the device. */
  begin() {
    this.begun = true;
    this.curtain.value = true;
  }

  lift() {
    this.curtain.value = false;
  }

  /** With several seats here, the one that may seal is shown; the others must not see its hand. */
  passOn() {
    const sessions = this.sessions.value;
    if (sessions.length < 2) return;
    const shown = sessions[this.shown.value];
    const { table, placed } = shown.known.value;
    if (table?.state === "playing" && !this.begun) this.begin();
    if (shown.revealing.value || shown.sending.value || table?.state !== "playing" || !table.turn) return;
    if (table.turn.may_seal.includes(shown.seat) && placed === null) return;
    const next = sessions.findIndex((place) => mayPickAt(place, table.turn?.decision));
    if (next < 0 || next === this.shown.value) return;
    this.show(next);
    this.curtain.value = true;
  }

  /** A seat token that has died (the seat went on elsewhere) is asked for anew; once, until it works. */
  renewRefused() {
    for (const session of this.sessions.value) {
      const { refused, connected } = session.status.value;
      if (connected) this.renewing = false; // it has worked: a token that dies later is asked for anew as well
      if (!refused) continue;
      if (session.seat === 0 || this.renewing) this.error.value = refused;
      else this.renew(session.seat);
    }
  }

  /** @param {number} seat */
  async renew(seat) {
    this.renewing = true;
    saveSeat(this.table, seat, { token: null });
    try {
      await renewToken(this.table, seat);
      await this.start();
    } catch {
      this.sit([{ seat: 0, token: null }]);
    }
  }
}

/** Whether a seat knows by itself that it may pick: each has a connection of its own, and one may be behind another.
 * @param {SeatSession} session @param {number|undefined} decision */
function mayPickAt(session, decision) {
  const { table, placed } = session.known.value;
  return placed === null && table?.turn?.decision === decision && table?.turn?.may_seal.includes(session.seat) === true;
}

/** The seats of this person at the table: those saved here, else those that the server knows.
 * @param {string} table @returns {Promise<number[]>} */
async function ownSeats(table) {
  const kept = savedSeats(table);
  if (kept.length > 0 || !hadSession()) return kept;
  await guestSession();
  const snap = await get(tablePath(table));
  return snap?.table?.yours ?? [];
}
