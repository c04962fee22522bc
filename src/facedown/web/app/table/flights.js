// Cards that move: each keeps its element from the hand to its place to the result, and flies from one to the other.
//
// A table holds its cards with `useCards` and shows each by `Carried`, wherever it lies. The card's element moves to
// the place that shows it; if that place names a flight, the card starts from where it lay. A card that is no longer
// shown leaves the table by a flight of its own. Only `transform` and `opacity` are animated.

import { html, render, useElement, useLayoutEffect, useRef } from "../html.js";

/** Where a card lies: its centre in the window, its width, its turn in degrees.
 * @typedef {{x: number, y: number, wide: number, turn: number}} Spot */

/** A flight to the place that names it. `from` finds where a card starts that was nowhere before; `arc` is how far the
 * way bends to the right, in px; `turns` lets the card turn over on its way, from and to these degrees.
 * @typedef {{ms: number, delay?: number, easing?: string, arc?: number, turns?: [number, number],
 *   from?: () => Element|null}} Flight */

/** A flight off the table: how far, in px, and how much the card turns.
 * @typedef {{ms: number, delay?: number, x: number, y: number, turn?: number}} Departure */

/** `drawn` is what the element shows, `spot` where it lay before the page changed, `ways` its last flight.
 * @typedef {{node: HTMLElement, host: HTMLElement|null, drawn: any, spot: Spot|null, flight: Flight|null,
 *   ways: Animation[]}} Carry */

const EASE_OUT = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const DEGREES = 180 / Math.PI;

/** How much an element and all around it on the table are turned and scaled. @typedef {{turn: number, scale: number}}
 *   Pose */
/** Poses of one measurement: cards of a hand have almost everything around them in common.
 * @typedef {Map<Element, Pose>} Poses */

/** @param {Element|null} element @param {Poses} known @returns {Pose} */
function poseOf(element, known) {
  if (!element || element.matches("main")) return { turn: 0, scale: 1 };
  const found = known.get(element);
  if (found) return found;
  let { turn, scale } = poseOf(element.parentElement, known);
  const style = getComputedStyle(element);
  if (style.rotate !== "none") turn += Number.parseFloat(style.rotate);
  if (style.scale !== "none") scale *= Number.parseFloat(style.scale);
  if (style.transform !== "none") {
    const { a, b } = new DOMMatrixReadOnly(style.transform);
    turn += Math.atan2(b, a) * DEGREES;
    scale *= Math.hypot(a, b);
  }
  known.set(element, { turn, scale });
  return { turn, scale };
}

/** @param {Element} element @param {Poses} [known] @returns {Spot} */
function spotOf(element, known = new Map()) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const { turn, scale } = poseOf(element, known);
  const wide = element instanceof HTMLElement ? element.offsetWidth * scale : width;
  return { x: left + width / 2, y: top + height / 2, wide, turn };
}

export class Cards {
  constructor() {
    /** @type {Map<string, Carry>} by identity */
    this.carried = new Map();
    /** @type {Set<Animation>} */
    this.running = new Set();
    /** @type {{current: HTMLElement|null}} where departing cards fly, above the table */
    this.layer = { current: null };
    this.isNew = true; // what lies there when the table appears has not come from anywhere
    /** @type {(() => void)|null} what is left to do before the change is painted */
    this.due = null;
  }

  /** Measures where all cards lie, before the page changes; if it has changed since it was painted, they still lie
   * where they were then. */
  measure() {
    if (this.due) return;
    /** @type {Poses} */
    const known = new Map();
    for (const card of this.carried.values()) card.spot = card.node.isConnected ? spotOf(card.node, known) : null;
  }

  /** Settles in the next frame: nothing is painted before, and the change of the page and its layout are two short
   * tasks instead of a long one. @param {(id: string, from: Spot) => Departure|null} departs */
  settleSoon(departs) {
    const due = () => {
      if (this.due !== due) return;
      this.due = null;
      this.settle(departs);
    };
    this.due = due;
    requestAnimationFrame(due);
  }

  /** Moves a card into the place that shows it now. @param {string} id @param {HTMLElement} host @param {any} drawing
   * @param {Flight|null} flight */
  carry(id, host, drawing, flight) {
    const card = this.carried.get(id) ?? newCard();
    this.carried.set(id, card);
    if (!isSame(card.drawn, drawing)) render(drawing, card.node);
    card.drawn = drawing;
    if (card.host === host && card.node.parentElement === host) return;
    card.flight = flight;
    card.host = host;
    host.replaceChildren(card.node);
  }

  /** Starts the flights of the cards that have moved. @param {(id: string, from: Spot) => Departure|null} departs */
  settle(departs) {
    const moved = [...this.carried].filter(([, { node, flight }]) => flight || !node.isConnected);
    /** @type {Poses} */
    const known = new Map();
    const starts = moved.map(([, { spot, flight }]) => {
      const from = flight?.from?.();
      return spot ?? (from ? spotOf(from, known) : null);
    });
    const ends = moved.map(([, { node }]) => (node.isConnected ? spotOf(node, known) : null));
    const poses = moved.map(([, { host }]) => poseOf(host, known));
    const departures = moved.map(([id], place) => {
      const from = starts[place];
      return from && !ends[place] ? departs(id, from) : null;
    }); // all is measured before the first one moves: the page is laid out once
    moved.forEach(([id, card], place) => {
      const [start, end] = [starts[place], ends[place]];
      if (!end) this.depart(id, card, start, departures[place]);
      else if (start?.wide && card.flight && !this.isNew) this.fly(card, start, end, poses[place]);
      card.flight = null;
    });
    this.isNew = false;
  }

  /** @param {Carry} card @param {Spot} start @param {Spot} end @param {Pose} pose that of the place */
  fly(card, start, end, pose) {
    const { node, flight } = card;
    if (!end.wide || !flight) return;
    const { ms, delay = 0, easing = EASE_OUT, arc = 0, turns } = flight;
    for (const way of card.ways) way.cancel();
    const [cos, sin] = [Math.cos(pose.turn / DEGREES) / pose.scale, Math.sin(pose.turn / DEGREES) / pose.scale];
    const [dx, dy] = [start.x - end.x, start.y - end.y];
    const timing = { duration: ms, delay, fill: /** @type {const} */ ("backwards") };
    const path = {
      translate: [`${dx * cos + dy * sin}px ${dy * cos - dx * sin}px`, "0 0"],
      rotate: [`${start.turn - end.turn}deg`, "0deg"],
      scale: [start.wide / end.wide, 1],
    };
    const evenly = { ...timing, easing: "ease-in-out" };
    const turner = turns && node.firstElementChild;
    card.ways = [
      this.run(node, path, { ...timing, easing }),
      ...(arc ? [this.run(node, { transform: ["none", `translateX(${arc}px)`, "none"] }, evenly)] : []),
      ...(turner ? [this.run(turner, { transform: turns.map((turn) => `rotateY(${turn}deg)`) }, evenly)] : []),
    ];
  }

  /** @param {string} id @param {Carry} card @param {Spot|null} from @param {Departure|null} departure */
  depart(id, card, from, departure) {
    this.carried.delete(id);
    const { node } = card;
    const end = () => {
      render(null, node);
      node.remove();
    };
    if (!from?.wide || !departure || !this.layer.current) return end();
    for (const [name, value] of [
      ["inline-size", from.wide],
      ["left", from.x - from.wide / 2],
      ["top", from.y],
    ])
      node.style.setProperty(String(name), `${value}px`);
    this.layer.current.append(node);
    const { ms, delay = 0, x, y, turn = 0 } = departure;
    const flight = this.run(
      node,
      {
        transform: [
          `translateY(-50%) rotate(${from.turn}deg)`,
          `translate(${x}px, calc(-50% + ${y}px)) rotate(${from.turn + turn}deg)`,
        ],
        opacity: [1, 1, 0],
      },
      { duration: ms, delay, easing: "cubic-bezier(0.5, 0, 0.8, 0.5)", fill: "both" },
    );
    flight.finished.then(end, end);
  }

  /** @param {Element} element @param {PropertyIndexedKeyframes} frames @param {KeyframeAnimationOptions} timing */
  run(element, frames, timing) {
    const flight = element.animate(frames, timing);
    this.running.add(flight);
    const end = () => this.running.delete(flight);
    flight.finished.then(end, end);
    return flight;
  }

  /** Goes to the last frame of everything that moves; returns whether anything did. */
  finish() {
    this.due?.();
    const moved = this.running.size > 0;
    for (const flight of this.running) flight.finish();
    this.running.clear();
    return moved;
  }

  clear() {
    this.due = null;
    for (const { node } of this.carried.values()) render(null, node);
    this.carried.clear();
    this.layer.current?.replaceChildren();
  }
}

/** @returns {Carry} */
function newCard() {
  const node = document.createElement("span");
  node.className = "carried";
  return { node, host: null, drawn: null, spot: null, flight: null, ways: [] };
}

/** Whether two drawings are of the same component with the same properties: drawing again would change nothing.
 * @param {any} one @param {any} other */
function isSame(one, other) {
  if (!one || one.type !== other.type) return false;
  const names = Object.keys({ ...one.props, ...other.props });
  return names.every((name) => one.props[name] === other.props[name]);
}

/** The cards of a table; `departs` says how one leaves that is no longer shown. Call it where the whole table is
 * rendered, and draw a `<div class="departing" ref=${cards.layer} aria-hidden="true">` at its end.
 * @param {(id: string, from: Spot) => Departure|null} departs @returns {Cards} */
export function useCards(departs) {
  const kept = useRef(/** @type {Cards|null} */ (null));
  kept.current ??= new Cards();
  const cards = kept.current;
  cards.measure(); // while rendering: the page still shows where they lay
  useLayoutEffect(() => cards.settleSoon(departs)); // after all places have taken theirs
  useLayoutEffect(() => () => cards.clear(), []);
  return cards;
}

/** The place where a card lies; its children draw the card. @param {{cards: Cards, id: string, flight?: Flight|null,
 *   children?: any}} props */
export function Carried({ cards, id, flight = null, children }) {
  const host = useElement();
  useLayoutEffect(() => {
    if (host.current) cards.carry(id, host.current, children, flight);
  });
  return html`<span class="carrier" ref=${host}></span>`;
}
