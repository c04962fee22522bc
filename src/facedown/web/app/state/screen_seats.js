// The seats played on this screen: usually one, several with pass and play, or a spectator.
// With several, the screen shows what everyone may see, and one hand at a time while its owner has lifted the curtain.

import { batch, computed, effect, signal } from "../html.js";
import { get, guestSession, hadSession, tablePath } from "../net/api.js";
import { machineName, seatName } from "../phrases.js";
import { vocabulary, wordsOf } from "../words.js";
import { NOTHING } from "./fold.js";
import { allGames, games } from "./games.js";
import { faceUrl, isResident } from "./opponents.js";
import { savedSeats, saveSeat } from "./saved_seats.js";
import { SeatSession, sightOf } from "./seat_session.js";
import { renewToken, sit, tokenOf } from "./seating.js";

/** @import { Signal } from "@preact/signals" */
/** @import { TableInfo } from "../net/protocol.js" */
/** @import { Frame } from "../net/socket.js" */
/** @import { Known } from "./fold.js" */

/** @typedef {{v: number, seat: number, name: string, text?: string, preset?: string}} Said */

export class ScreenSeats {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {Signal<SeatSession[]>} the seats of this screen, or the spectator's place */
    this.sessions = signal([]);
    /** @type {Signal<SeatSession|null>} what everyone may see, if several sit here */
    this.shared = signal(null);
    /** @type {Signal<{seat: number, decision: number}|null>} who has lifted the curtain, and for which decision */
    this.lifted = signal(null);
    this.curtain = signal(0); // the seat for which the curtain waits
    this.error = signal(/** @type {any} */ (null));
    /** @type {Signal<{frame: Frame, seat: number}|null>} the last event to narrate, and for which seat; 0 = for all */
    this.latest = signal(null);
    /** @type {Map<number, number>} the last event narrated to each seat after it lifted the curtain */
    this.narrated = new Map();
    /** @type {Signal<{decision: number, of: Record<number, "hit"|"pleased">}>} how machines take the last reveal */
    this.moods = signal({ decision: 0, of: {} });
    /** @type {Signal<Said|null>} the last thing that a machine said; on this screen alone */
    this.spoken = signal(null);
    this.closed = false;
    this.renewing = false;
    /** @type {{of: any, words: any, names: Map<number, string>}} */
    this.named = { of: null, words: null, names: new Map() };
    this.shown = computed(() => this.sessionOf(this.lifted.value?.seat) ?? this.shared.value ?? this.sessions.value[0]);
    /** @type {WeakMap<SeatSession, ReturnType<typeof sightOf>>} */
    const sights = new WeakMap();
    this.sight = computed(() => {
      const session = this.shown.value;
      if (!session) return null;
      const shared = session === this.shared.value;
      if (!sights.has(session))
        sights.set(
          session,
          sightOf(session, { names: (seat) => this.nameOf(seat), face: (seat) => this.faceOf(seat) }, shared),
        );
      return sights.get(session)?.value ?? null;
    });
    this.stops = [effect(() => this.passOn()), effect(() => this.renewRefused())];
    this.wake = () => {
      for (const session of this.all()) session.connection.wake();
    };
    this.offline = () => {
      for (const session of this.all()) session.connection.offline();
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
    for (const session of this.all()) session.close();
    if (this.closed) return;
    const several = seats.length > 1;
    const narrate = (/** @type {Frame} */ frame, /** @type {Known} */ seen) =>
      (this.latest.value = { frame, seat: seen.seat });
    const onEvent = several ? () => {} : narrate; // with several, the shared session narrates
    batch(() => {
      this.lifted.value = null;
      this.curtain.value = 0;
      this.sessions.value = seats.map(
        ({ seat, token }) =>
          new SeatSession({ table: this.table, seat, token, onEvent, hidden: several, alone: !several }),
      );
      this.shared.value = several
        ? new SeatSession({ table: this.table, seat: 0, token: null, onEvent: narrate })
        : null;
    });
    for (const session of this.all()) session.start();
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.offline);
    document.removeEventListener("visibilitychange", this.wake);
    for (const stop of this.stops) stop();
    for (const session of this.all()) session.close();
  }

  /** Every connection of this screen. */
  all() {
    const shared = this.shared.peek();
    return shared ? [...this.sessions.peek(), shared] : this.sessions.peek();
  }

  /** The session that is shown. @returns {SeatSession} */
  active() {
    return this.shown.peek();
  }

  /** The session that acts for everyone here: the one shown, or the first seat while the shared view is shown.
   * @returns {SeatSession} */
  speaker() {
    return this.active() === this.shared.peek() ? this.sessions.peek()[0] : this.active();
  }

  /** The players of this screen, for the next game: by name if several share the device. */
  sitters() {
    const sessions = this.sessions.peek();
    const seats = this.active()?.known.peek().table?.seats ?? [];
    return sessions.map(({ seat }) =>
      sessions.length > 1 ? { seat, name: seats.find((each) => each.seat === seat)?.name } : { seat },
    );
  }

  /** Adds a player on this device. @param {number} seat @param {string} name */
  async add(seat, name) {
    const { table } = this.active().known.peek();
    const { token } = await sit(this.table, seat, { code: table?.invite, name });
    const seats = this.sessions.peek().map((session) => ({ seat: session.seat, token: session.connection.token }));
    this.sit([...seats, { seat, token }]);
  }

  /** @param {number|undefined} seat */
  sessionOf(seat) {
    return seat ? this.sessions.value.find((session) => session.seat === seat) : undefined;
  }

  /** The name of a seat, cached for each state of the table because a reveal asks often.
   * @param {number} seat */
  nameOf(seat) {
    const { table } = this.active()?.known.value ?? NOTHING;
    if (!table) return "";
    if (this.named.of !== table.seats || this.named.words !== vocabulary.value)
      this.named = { of: table.seats, words: vocabulary.value, names: new Map() };
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
    const alike = table.yours.length > 1 && table.seats.some((each) => each.seat !== seat && each.name === info.name);
    return seatName(alike ? { ...info, name: "" } : info);
  }

  /** The portrait of a seat's machine, in its mood while the result of a reveal is shown; "" if it has none.
   * @param {number} seat */
  faceOf(seat) {
    const { known, reveals } = this.active();
    const { table, lastReveal } = known.value;
    const { machine, kind } = table?.seats.find((each) => each.seat === seat) ?? {};
    const info = games.value?.find((each) => each.name === table?.game);
    if (!info || !machine || kind !== "machine" || !isResident(info, machine)) return "";
    const { decision, of } = this.moods.value;
    return faceUrl(info.name, machine, (reveals.running.value && decision === lastReveal?.decision && of[seat]) || "");
  }

  /** The owner of the hand holds the device: shows the hand until its pick, and narrates its news. */
  lift() {
    const session = this.sessionOf(this.curtain.peek());
    if (!session) return;
    const { table, log } = session.known.peek();
    const news = log.filter(({ v, events }) => events && v > (this.narrated.get(session.seat) ?? 0)).pop();
    if (news) this.narrated.set(session.seat, news.v);
    batch(() => {
      this.lifted.value = { seat: session.seat, decision: table?.turn?.decision ?? 0 };
      this.curtain.value = 0;
      if (news) this.latest.value = { frame: { t: "ev", ...news }, seat: session.seat };
    });
  }

  /** With several seats here: a hand is shown from the moment its owner lifts the curtain until the pick is made.
   * Before and after, and while cards are turned, the screen shows what everyone may see. */
  passOn() {
    const shared = this.shared.value;
    if (!shared) return;
    const { table } = shared.known.value;
    const lifted = this.lifted.value;
    const open = table?.state === "playing" && !shared.reveals.running.value;
    const session = this.sessionOf(lifted?.seat);
    if (open && session && isChoosing(session, lifted?.decision)) return;
    const next = open ? this.sessions.value.find((each) => mayPickAt(each, table?.turn?.decision)) : undefined;
    batch(() => {
      this.lifted.value = null;
      this.curtain.value = next?.seat ?? 0;
    });
  }

  /** Renews a seat token that the server refuses (the seat went on elsewhere); once, until it works. */
  renewRefused() {
    for (const session of [...this.sessions.value, ...(this.shared.value ? [this.shared.value] : [])]) {
      const { refused, connected } = session.status.value;
      if (connected) this.renewing = false; // it works: a token that is refused later is renewed again
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

/** Whether a seat may pick by its own connection's state: one connection may be behind another.
 * @param {SeatSession} session @param {number|undefined} decision */
function mayPickAt(session, decision) {
  const { table, placed } = session.known.value;
  return placed === null && table?.turn?.decision === decision && table?.turn?.may_seal.includes(session.seat) === true;
}

/** Whether a seat is still at its pick: choosing, or sealing what it chose.
 * @param {SeatSession} session @param {number|undefined} decision */
const isChoosing = (session, decision) =>
  mayPickAt(session, decision) ||
  (session.sealing.sending.value && session.known.value.table?.turn?.decision === decision);

/** The seats of this person at the table: those saved here, else those known to the server.
 * @param {string} table @returns {Promise<number[]>} */
async function ownSeats(table) {
  const kept = savedSeats(table);
  if (kept.length > 0 || !hadSession()) return kept;
  await guestSession();
  const snap = await get(tablePath(table));
  return snap?.table?.yours ?? [];
}
