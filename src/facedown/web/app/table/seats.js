// Seats as every table shows them: their names, who has sealed, who is away, their clocks. Knows no game.

import { html, useEffect, useRef, useState } from "../html.js";

/** @import { Act, Sight, Words } from "../contract.js" */

/** @typedef {(seat: number) => string} Call */

/** A seat's name, as it begins a sentence (`call`) or occurs inside one (`inside`).
 * @param {number} you @param {Call} names @param {Words} words @returns {{call: Call, inside: Call}} */
export function callers(you, names, words) {
  const by = (/** @type {string} */ key) => (/** @type {number} */ seat) => (seat === you ? words(key) : names(seat));
  return { call: by("you"), inside: by("you.inside") };
}

/** Who has sealed in the open decision: one's own pick counts before the server has confirmed it.
 * @param {Sight} sight */
export function sealedSeats(sight) {
  const sealed = sight.turn?.sealed.map((each) => each.seat) ?? [];
  return sight.placed && !sealed.includes(sight.seat) ? [...sealed, sight.seat] : sealed;
}

/** The sounds of a card that is placed, and of the wax that drops on it; a seat's own is felt, too.
 * @param {Act} act @param {number[]} sealed the seats @param {number} flight ms until the wax drops, 0 if no card flies
 * @param {number} [own] the seat whose cards have weight; without one, all have */
export function useSealSounds(act, sealed, flight, own) {
  const before = useRef(sealed);
  useEffect(() => {
    const added = sealed.filter((seat) => !before.current.includes(seat));
    before.current = sealed;
    if (added.length === 0) return;
    const weight = own === undefined || added.includes(own) ? 0.5 : 0;
    if (flight > 0) act.sound("place", weight);
    setTimeout(() => act.sound("seal", weight), flight); // even if the reveal has begun by then
  }, [String(sealed)]);
}

/** Whether a seat's player is away.
 * @param {Sight} sight @param {number} seat */
export function isAway(sight, seat) {
  const person = sight.table.seats.find((each) => each.seat === seat);
  return person?.kind === "person" && person.taken && !person.here && seat !== sight.seat;
}

/** Whether a machine sits there. @param {Sight} sight @param {number} seat */
export const isMachine = (sight, seat) => sight.table.seats.find((each) => each.seat === seat)?.kind === "machine";

/** The portrait of a machine that is a character. @param {{sight: Sight, seat: number}} props */
export function Portrait({ sight, seat }) {
  const src = sight.face?.(seat);
  return src ? html`<img class="seat-face" src=${src} alt="" width="40" height="40" />` : null;
}

/** A length of time in the unit that counts, as the page's language writes it.
 * @param {number} n @param {"day"|"hour"} unit */
function long(n, unit) {
  const { lang } = document.documentElement;
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "narrow" }).format(n);
}

/** A length of time as on a clock, "0:28"; from a day on in words. @param {number} ms */
export function formatTime(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const days = Math.floor(seconds / 86400);
  const odd = Math.floor((seconds % 86400) / 3600);
  if (days) return odd ? `${long(days, "day")} ${long(odd, "hour")}` : long(days, "day");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** What is left of a pick's own time, and of the reserve behind it: "0:28 +1:00". @param {number} left both together
 * @param {number} bank */
export const timeLeft = (left, bank) =>
  bank > 0 && left > bank ? `${formatTime(left - bank)} +${formatTime(bank)}` : formatTime(left);

/** What is left on a clock that stands at `deadline`: all of it until the clocks start, after everyone could read the
 * result. @param {Sight} sight @param {number} deadline */
export const leftUntil = (sight, deadline) => deadline - Math.max(sight.now(), sight.turn?.since ?? 0);

const HURRY = 10; // the last seconds, which are highlighted

/** @param {{sight: Sight, seat: number}} props */
export function Clock({ sight, seat }) {
  const deadline = sight.turn?.deadlines?.[String(seat)];
  const bank = sight.turn?.banks?.[String(seat)];
  const running = deadline !== undefined && sight.placed === null;
  const [, tick] = useState(0);
  useEffect(() => {
    if (deadline === undefined) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [deadline]);
  const left = deadline === undefined ? (bank ?? 0) : leftUntil(sight, deadline);
  const seconds = Math.ceil(left / 1000);
  const hurry = running && seconds <= HURRY && seconds >= 0;
  const own = seat === sight.seat;
  if (deadline === undefined && bank === undefined) return null;
  return html`<span
    class="clock"
    data-running=${deadline !== undefined}
    data-hurry=${hurry}
    data-own=${own}
    role="timer"
  >${timeLeft(left, deadline === undefined ? 0 : (bank ?? 0))}</span>`;
}
