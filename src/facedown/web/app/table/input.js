// Input at a table: keys, dragging a card, sealing a pick.

import { useElement, useLayoutEffect, useRef, useState } from "../html.js";

/** @import { Act, Words } from "../contract.js" */

const TEXT_FIELDS = "input, textarea, select, [contenteditable]";
const CONTROLS = "button:not([aria-disabled=true]), a, summary";

/** `actionOf` gets the key and whether a control has the focus (which then answers Enter and Space itself);
 * it returns what the key does, or nothing if the key is not used.
 * @param {(key: string, onControl: boolean) => (() => void)|null|undefined} actionOf */
export function useKeys(actionOf) {
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog:modal")) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest(`dialog, ${TEXT_FIELDS}`)) return;
      const action = actionOf(event.key, target.closest(CONTROLS) !== null);
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

/** The place in a hand that an arrow or a digit leads to from `at` (-1: none), or null for other keys.
 * @param {string} key @param {number} at @param {number} count */
export function keyedPlace(key, at, count) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step && at < 0) return step > 0 ? 0 : count - 1;
  if (step) return (at + step + count) % count;
  return /^[1-9]$/.test(key) && Number(key) <= count ? Number(key) - 1 : null;
}

/** Any key hurries a reveal, except those that move the focus, open the list of keys or switch the sound.
 * @param {string} key */
export const isSkip = (key) => !["Tab", "Shift", "?", "m", "M"].includes(key);

/** The keys that press a control. @param {string} key */
export const isPress = (key) => key === "Enter" || key === " ";

/** The card of a hand that had the focus when it was picked. @type {Element|null} */
let picked = null;

/** Takes the focus from a button of the table that is about to disappear: a browser that removes a focused element lays
 * out the page at once, in the middle of its change. @param {string} which */
export function letGo(which) {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !focused.matches(which)) return;
  picked = focused.matches("[data-pick]") ? focused : null;
  focused.blur();
}

/** The list of a hand: if the card that has the focus leaves it, the one that takes its place gets the focus.
 * @returns {{current: HTMLElement|null}} the list's `ref` */
export function useHandFocus() {
  const list = useElement();
  const cards = () => [.../** @type {any} */ (list.current?.querySelectorAll("[data-pick]") ?? [])];
  const at = cards().indexOf(picked ?? document.activeElement);
  useLayoutEffect(() => {
    if (at < 0 || document.activeElement !== document.body) return;
    picked = null;
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      cards()
        .slice(0, at + 1)
        .at(-1)
        ?.focus({ preventScroll: true });
    }); // with the layout of the change, not before it
  });
  return list;
}

const CALM = 400;

/** Ignores Enter and Space after a reveal until they have not been pressed for a moment: a player who hurries a reveal
 * by pressing them repeatedly must not raise or seal a card with one press too many. Ask before any other use of a key,
 * and only while no card is raised: a card raised after the reveal is intended. Any other key ends the pause: a player
 * who moves to a control means to press it. Returns whether to ignore this press.
 * @param {boolean} showing whether a reveal is being shown @returns {(key: string) => boolean} */
export function useCalm(showing) {
  const until = useRef(0);
  const shown = useRef(showing);
  if (shown.current && !showing) until.current = performance.now() + CALM;
  shown.current = showing;
  return (key) => {
    if (!isPress(key)) until.current = 0;
    if (performance.now() >= until.current) return false;
    until.current = performance.now() + CALM;
    return true;
  };
}

/** Action of a key that must do nothing, not even press the focused control. */
export const nothing = () => {};

const FAR = 8;

/** The drop target at a point of the page. @param {number} x @param {number} y */
function targetAt(x, y) {
  const below = document.elementsFromPoint(x, y).map((each) => each.closest("[data-drop]"));
  const found = below.find((each) => each !== null);
  return found instanceof HTMLElement ? found : null;
}

/** Handlers for a button that can be tapped or dragged.
 * @param {{tap: () => void, drop: (onto: string) => void, idle?: boolean}} does */
export function useDrag({ tap, drop, idle = false }) {
  const from = useRef(/** @type {{x: number, y: number, far: boolean}|null} */ (null));
  const dragged = useRef(false);
  const over = useElement();

  /** Marks the target under the card. (`:has([data-dragging])` on the table would style all of it on every change.)
   * @param {HTMLElement|null} target */
  const hangOver = (target) => {
    if (over.current) delete over.current.dataset.under;
    if (target) target.dataset.under = "card";
    over.current = target;
  };
  useLayoutEffect(() => () => hangOver(null), []); // a card may disappear while it is dragged
  const rest = (/** @type {HTMLElement} */ card) => {
    hangOver(null);
    delete card.dataset.dragging;
    card.style.removeProperty("--drag-x");
    card.style.removeProperty("--drag-y");
    from.current = null;
  };
  return {
    onPointerDown(/** @type {PointerEvent & {currentTarget: HTMLElement}} */ event) {
      dragged.current = false;
      if (idle || event.button !== 0) return;
      from.current = { x: event.clientX, y: event.clientY, far: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(/** @type {PointerEvent & {currentTarget: HTMLElement}} */ event) {
      const start = from.current;
      if (!start) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      if (!start.far && Math.hypot(dx, dy) < FAR) return;
      start.far = dragged.current = true;
      const card = event.currentTarget;
      card.dataset.dragging = "";
      hangOver(targetAt(event.clientX, event.clientY));
      card.style.setProperty("--drag-x", `${dx}px`);
      card.style.setProperty("--drag-y", `${dy}px`);
    },
    onPointerUp(/** @type {PointerEvent & {currentTarget: HTMLElement}} */ event) {
      const far = from.current?.far;
      const onto = far ? targetAt(event.clientX, event.clientY)?.dataset.drop : undefined;
      rest(event.currentTarget);
      if (onto) drop(onto);
    },
    onPointerCancel(/** @type {PointerEvent & {currentTarget: HTMLElement}} */ event) {
      rest(event.currentTarget);
    },
    onClick() {
      if (!dragged.current && !idle) tap();
      dragged.current = false;
    },
  };
}

/** @param {Act} act @param {Words} words */
export function usePick(act, words) {
  const [refused, setRefused] = useState("");
  const pick = async (/** @type {string} */ choice) => {
    setRefused("");
    letGo(".stage button");
    try {
      await act.pick(choice);
    } catch (error) {
      setRefused(/** @type {{say?: string}} */ (error)?.say ?? words("refused"));
    }
  };
  return { refused, pick };
}
