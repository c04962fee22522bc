// WebSocket connection of one seat: repeats commands until they are answered, resumes after a break, notices gaps,
// reconnects on its own. Knows frames and versions, not what they mean.

import { isLocal, openSocket } from "./place.js";

/** A frame of the WebSocket before its fields are checked, either way.
 * @typedef {{t: string, [name: string]: any}} Frame */

/** State of a connection; `plays`: this connection may act for the seat; `slow`: a command has had no answer yet.
 * @typedef {{connected: boolean, plays: boolean, slow?: boolean, refused?: {code: string, say: string}}} Status */

/** What a connection needs of the environment; a test hands in its own.
 * @typedef {object} Environment
 * @property {(address: string, protocol: string, table: string) => WebSocket} open
 * @property {(then: () => void, ms: number) => any} later
 * @property {(timer: any) => void} never
 * @property {() => number} random */

/** @type {Environment} */
const BROWSER = {
  open: openSocket,
  later: (then, ms) => setTimeout(then, ms),
  never: (timer) => clearTimeout(timer),
  random: Math.random,
};

const PROTOCOL = "facedown.v1";
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
const REPEAT = 4_000;
const PATIENCE = 1; // repeats that a connection may leave unanswered
const SILENCE = 2.5; // pings missed before the connection counts as dead

/** Delay in ms before the n-th attempt: doubling, with jitter.
 * @param {number} attempt @param {() => number} random */
export function wait(attempt, random) {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

export class SeatSocket {
  /** @param {{address: string, table: string, token: string|null, onFrame: (frame: Frame) => void,
   *   onStatus: (status: Status) => void, environment?: Environment, seen?: number|null, recap?: boolean,
   *   links?: () => {n?: number, head?: string}}} options
   *   `seen`: the last event shown when the page was open before; `recap`: asks the server to send the reveals since
   *   then as this seat saw them; `links`: the last link that is known */
  constructor(options) {
    const { address, table, token, onFrame, onStatus, environment = BROWSER, seen = null, recap = false } = options;
    this.links = options.links ?? (() => ({}));
    this.address = address;
    this.table = table;
    this.token = token;
    this.onFrame = onFrame;
    this.onStatus = onStatus;
    this.environment = environment;
    /** @type {number|null} the last event seen */
    this.v = seen;
    this.recap = recap;
    this.plays = true;
    this.attempt = 0;
    this.gaps = 0;
    this.ping = 20_000;
    this.closed = false;
    this.mute = false; // nothing more is sent: the server broke a promise
    this.resumed = false;
    this.slow = false; // a command has had no answer for `REPEAT`
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {Map<string, {command: object, done: (ack: any) => void, failed: (nak: any) => void, repeats: number}>} */
    this.unanswered = new Map();
    /** @type {any} */
    this.retry = null;
    /** @type {any} */
    this.silent = null;
    /** @type {any} */
    this.repeating = null;
  }

  start() {
    this.environment.never(this.retry);
    if (this.closed || this.socket) return;
    const socket = this.environment.open(this.address, PROTOCOL, this.table);
    this.socket = socket;
    this.resumed = false;
    socket.onopen = () => socket === this.socket && this.hello();
    socket.onmessage = (event) => socket === this.socket && this.receive(event.data);
    socket.onclose = () => socket === this.socket && this.reconnect();
    this.watchSilence();
  }

  hello() {
    const { table, token, v, plays: play } = this;
    this.send({ t: "hello", table, token, v, play, ...(this.recap ? { recap: true } : {}), ...this.links() });
  }

  close() {
    this.closed = true;
    for (const timer of [this.retry, this.silent, this.repeating]) this.environment.never(timer);
    this.drop();
  }

  /** Reconnects at once: the network is back, or the page is visible again. */
  wake() {
    if (this.socket || this.closed) return;
    this.attempt = 0;
    this.start();
  }

  /** The system reports no network: reconnects without waiting for the silence to be noticed. */
  offline() {
    if (this.socket && !this.closed && !isLocal(this.table)) this.reconnect();
  }

  /** Makes this connection play again; the other one becomes a reader. */
  take() {
    this.plays = true;
    this.send({ t: "take" });
  }

  /** Sends a command until the table answers. A repeated id is the same command.
   * @param {{id: string, do: string, [name: string]: any}} command @returns {Promise<any>} */
  command(command) {
    if (this.mute) return Promise.reject(STOPPED);
    const answered = new Promise((done, failed) =>
      this.unanswered.set(command.id, { command, done, failed, repeats: 0 }),
    );
    this.repeat();
    return answered;
  }

  /** Sends no more commands, and repeats none; what comes is still received. */
  stopSending() {
    this.mute = true;
    const waiting = [...this.unanswered.values()];
    this.unanswered.clear();
    for (const { failed } of waiting) failed(STOPPED);
  }

  /** Sends every command without an answer, now and every few seconds. */
  repeat() {
    this.environment.never(this.repeating);
    if (this.unanswered.size === 0 || this.closed) return;
    if (this.resumed) for (const { command } of this.unanswered.values()) this.send({ t: "cmd", ...command });
    this.repeating = this.environment.later(() => this.handleNoAnswer(), REPEAT);
  }

  /** The server may or may not have saved the command: `repeat` sends the same one again, never another. */
  reportSlow() {
    if (this.slow) return;
    this.slow = true;
    this.onStatus({ connected: true, plays: this.plays, slow: true });
  }

  /** No answer in time: reports a slow connection, and replaces it if the repeated command has no answer either. */
  handleNoAnswer() {
    const waiting = this.resumed ? [...this.unanswered.values()] : [];
    for (const each of waiting) each.repeats += 1;
    const most = Math.max(0, ...waiting.map(({ repeats }) => repeats));
    if (most > PATIENCE) {
      for (const each of waiting) each.repeats = 0;
      this.reconnect(0);
    } else if (most > 0) {
      this.reportSlow();
    }
    this.repeat();
  }

  /** @param {object} frame */
  send(frame) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(frame));
  }

  /** @param {unknown} text */
  receive(text) {
    const frame = read(text);
    if (!frame) return;
    this.watchSilence();
    HANDLERS.get(frame.t)?.(this, frame); // frames of other kinds, from a newer server, are ignored
  }

  /** @param {Frame} frame */
  takeWelcome(frame) {
    this.plays = frame.plays !== false;
    if (typeof frame.ping === "number" && frame.ping > 0) this.ping = frame.ping;
    if (isVersion(frame.v) && this.v !== null && frame.v < this.v) this.v = null; // the server went back
    this.onFrame(frame);
  }

  /** @param {Frame} frame */
  takeSnapshot(frame) {
    if (!isVersion(frame.v) || (this.v !== null && frame.v < this.v)) return;
    this.v = frame.v;
    this.attempt = 0;
    this.resumed = true;
    this.onStatus({ connected: true, plays: this.plays });
    this.onFrame(frame);
    this.repeat();
  }

  /** @param {Frame} frame */
  takeEvent(frame) {
    if (!isVersion(frame.v)) return;
    if (this.v !== null && frame.v <= this.v) return; // seen already
    if (this.v !== null && frame.v > this.v + 1) return this.resync();
    this.v = frame.v;
    if (this.resumed) this.gaps = 0;
    this.onFrame(this.resumed ? frame : { ...frame, late: true });
  }

  /** @param {Frame} frame */
  takeAnswer(frame) {
    const asked = this.unanswered.get(frame.id);
    if (!asked) return;
    if (frame.t === "nak" && frame.code === "store_failed") return this.reportSlow();
    this.unanswered.delete(frame.id);
    if (this.slow) {
      this.slow = false;
      this.onStatus({ connected: true, plays: this.plays });
    }
    if (frame.t === "ack") asked.done(frame);
    else asked.failed({ code: String(frame.code), say: String(frame.say ?? ""), rule: frame.rule });
  }

  /** @param {Frame} frame */
  takePing(frame) {
    this.send({ t: "pong" });
    if (this.resumed && isVersion(frame.v) && this.v !== null && frame.v > this.v) this.resync();
    else this.onFrame(frame);
  }

  /** @param {Frame} frame */
  takeRole(frame) {
    this.plays = frame.plays === true;
    this.onStatus({ connected: true, plays: this.plays });
  }

  /** @param {Frame} frame */
  takeBye(frame) {
    this.drop();
    if (typeof frame.again === "number") return this.reconnect(Math.max(0, frame.again));
    this.closed = true;
    const refused = { code: String(frame.code), say: String(frame.say ?? "") };
    this.onStatus({ connected: false, plays: this.plays, refused });
  }

  /** An event was missed: resumes from the last event seen on a new connection, at once or, if repeated, later. */
  resync() {
    this.drop();
    this.retry = this.environment.later(
      () => this.start(),
      this.gaps === 0 ? 0 : wait(this.gaps, this.environment.random),
    );
    this.gaps += 1;
  }

  /** @param {number} [after] delay in ms; by default it doubles with each attempt */
  reconnect(after) {
    this.drop();
    if (this.closed) return;
    this.onStatus({ connected: false, plays: this.plays });
    this.retry = this.environment.later(() => this.start(), after ?? wait(this.attempt++, this.environment.random));
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    this.resumed = false;
    this.slow = false;
    this.environment.never(this.silent);
    socket?.close();
  }

  /** A connection that stays silent for too long is dead, even if the browser has not noticed. */
  watchSilence() {
    this.environment.never(this.silent);
    this.silent = this.environment.later(() => this.reconnect(), this.ping * SILENCE);
  }
}

const STOPPED = { code: "stopped", say: "" };

/** What each kind of frame does. @type {Map<string, (socket: SeatSocket, frame: Frame) => void>} */
const HANDLERS = new Map([
  ["welcome", (socket, frame) => socket.takeWelcome(frame)],
  ["snap", (socket, frame) => socket.takeSnapshot(frame)],
  ["ev", (socket, frame) => socket.takeEvent(frame)],
  ["ack", (socket, frame) => socket.takeAnswer(frame)],
  ["nak", (socket, frame) => socket.takeAnswer(frame)],
  ["ping", (socket, frame) => socket.takePing(frame)],
  ["role", (socket, frame) => socket.takeRole(frame)],
  ["bye", (socket, frame) => socket.takeBye(frame)],
  ["here", (socket, frame) => socket.onFrame(frame)],
  ["links", (socket, frame) => socket.onFrame(frame)],
]);

/** @param {unknown} value @returns {value is number} */
const isVersion = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** @param {unknown} text @returns {Frame|null} */
function read(text) {
  if (typeof text !== "string") return null;
  try {
    const frame = JSON.parse(text);
    return frame && typeof frame === "object" && typeof frame.t === "string" ? frame : null;
  } catch {
    return null;
  }
}
