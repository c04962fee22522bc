// The ways of Davenport's cards: what each is called while it lies before a seat, where it comes from, where it goes.

import { APART, FLIGHT } from "../reveal/use_reveal.js";
import { readPick } from "../words/names.js";

/** @import { Departure, Flight, Spot } from "/app/table/flights.js" */
/** @import { Moment } from "./board.js" */

/** How long a card flies to its place, and how long its wax drops, in ms. */
export const SEALING = { flight: 220, wax: 90 };

/** @param {"stock"|"discards"} kind */
const pile = (kind) => document.querySelector(`[data-pile="${kind}"] .dv-pile-cards`);

/** The card that the viewer lays before their own seat, as far as they know it: not one from the stock.
 * @param {number} seat @param {Moment} moment @returns {string|null} */
export function ownCard(seat, { sight, lying, placed }) {
  if (seat !== sight.seat) return null;
  if (lying?.turned) return lying.turned.exchanged[seat - 1] ? null : lying.turned.shown[seat - 1];
  const own = placed ? readPick(placed) : null;
  return own && !own.exchange ? own.card : null;
}

/** The name by which a card keeps its element: one's own is called the same in the hand.
 * @param {number} seat @param {Moment} moment */
export function idAt(seat, moment) {
  const { view, lying, peeking, hand } = moment;
  const own = ownCard(seat, moment);
  if (own && !peeking && !hand.includes(own)) return own; // shuffled, it may be in the hand again
  const { phase, round } = lying?.turned ?? view;
  return `${phase} ${round} ${seat}`;
}

/** The way of a card that is being sealed: one's own turns over, another's comes out of their hand, and one that is
 * played for another comes from the stock. @param {number} seat @param {Moment} moment @returns {Flight} */
export function toPlace(seat, moment) {
  const { sight } = moment;
  if (ownCard(seat, moment)) return { ms: SEALING.flight, arc: 24, turns: [0, 180] };
  if (seat === sight.seat) return { ms: SEALING.flight, delay: 140, from: () => pile("stock") };
  const hand = `[data-home="${seat}"]`;
  return {
    ms: SEALING.flight,
    arc: -24,
    from: () => document.querySelector(`${hand} .dv-held`) ?? document.querySelector(hand),
  };
}

/** A card that is given for one of the stock. @type {Flight} */
export const GIVEN = { ms: SEALING.flight, arc: 24, turns: [0, 180] };

/** A card that comes back to the hand, or moves in it. @type {Flight} */
export const BACK = { ms: SEALING.flight };

/** A drawn card, the `order`-th to leave the stock: it turns on its way. @param {number} order @returns {Flight} */
export const drawnAs = (order) => ({
  ms: FLIGHT,
  delay: order * APART,
  easing: "cubic-bezier(0.3, 0, 0.3, 1)",
  turns: [180, 0],
  from: () => pile("stock"),
});

/** Onto the discards. @param {Spot} from @returns {Departure|null} */
export function toDiscards(from) {
  const to = pile("discards")?.getBoundingClientRect();
  return to ? { ms: 340, x: to.x + to.width / 2 - from.x, y: to.y + to.height / 2 - from.y, turn: 14 } : null;
}
