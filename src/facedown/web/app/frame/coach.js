// Coach of the first game: one short hint at a time near the hand, never over an opponent.

import { html, useEffect, useElement, useLayoutEffect, useRef, useTimer } from "../html.js";
import { endGuide, guides, hintsFor, isFirstGame, markHints } from "../state/guide.js";
import { t } from "../words.js";

/** @import { GameTable, Hint, Sight, Words } from "../contract.js" */

const LATE = 3000;

/** `ready` tells the table that this player has read what there is to read before the first pick.
 * @param {{sight: Sight, game: GameTable|null, words: Words, ready: () => void}} props */
export function Coach({ sight, game, words, ready }) {
  const { game: name, state, yours } = sight.table;
  const due = hintsFor(guides.value, sight, game);
  const hint = due[0];
  const shown = useRef(/** @type {Hint[]} */ ([]));
  const box = useBesideHand(hint?.id);
  const next = () => markHints(name, [hint]);
  useEffect(() => {
    if (state !== "over" || yours.length === 0) return;
    endGuide(name);
    // not with a table: it counts what is over
    import("../study/house.js").then(
      ({ noteMachines }) => noteMachines(sight, game),
      () => {},
    );
  }, [state, game]);
  useEffect(() => {
    if (sight.placed && shown.current.length > 0) markHints(name, shown.current); // it was done without them
    shown.current = due;
  });
  useEffect(() => {
    if (!hint) return undefined;
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog:modal")) next();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [hint?.id]);
  const { unready = [], may_seal = [] } = sight.turn ?? {};
  const isAwaited = game !== null && !hint && unready.includes(sight.seat);
  const isReady = isAwaited && (!isFirstGame(name) || may_seal.includes(sight.seat)); // hints come with the first turn
  useEffect(() => {
    if (isReady) ready();
  }, [isReady, sight.seat]);
  const until = unready.includes(sight.seat) ? (sight.turn?.since ?? 0) : 0;
  // a player who still reads is there all the same
  useTimer(until ? until - sight.now() - LATE : null, ready, [until, sight.seat]);
  return html`<aside class="coach" aria-label=${t("guide.label")} ref=${box}>
    <div class=${hint ? "wrap coach-hint" : ""}>
      <p aria-live="polite">${hint && words(`guide.${hint.id}`, hint.params?.(sight))}</p>
      ${
        hint &&
        html`<div class="wrap coach-acts">
          <button class="button first" onClick=${next}>${t("guide.next")}</button>
          <button class="link" onClick=${() => endGuide(name)}>${t("guide.skip")}</button>
        </div>`
      }
    </div>
  </aside>`;
}

/** @param {Animation} animation */
const ends = ({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;

const GAP = 4;
const BESIDE = 12;
const NARROW = 360;
const SIDE = { least: 200, most: 320 };

/** Keeps an element near the hand: below it if there is room, else above, else at its side, else over its lower edge;
 * never over a seat's name or the place of the own card.
 * @param {string|undefined} hint which hint it holds @returns {{current: HTMLElement|null}} */
function useBesideHand(hint) {
  const box = useElement();
  useLayoutEffect(() => {
    const element = box.current;
    const frame = element?.parentElement;
    if (!hint || !element || !frame) return undefined;
    /** @param {string} which */
    const boxes = (which) => [...frame.querySelectorAll(`.stage ${which}`)].map((each) => each.getBoundingClientRect());
    const place = () => {
      const cards = boxes("[data-pick]");
      if (cards.length === 0) return;
      const kept = boxes(":is([data-anchor], [data-drop])");
      /** @param {number} left @param {number} top @param {number} wide @param {number} high */
      const isFree = (left, top, wide, high) =>
        !kept.some(
          (each) => each.right > left && each.left < left + wide && each.bottom > top && each.top < top + high,
        );
      /** @param {number} wide */
      const highAt = (wide) => {
        element.style.setProperty("--coach-width", `${wide}px`);
        return element.offsetHeight;
      };
      const [left, right] = [Math.min(...cards.map((each) => each.left)), Math.max(...cards.map((each) => each.right))];
      const [top, bottom] = [Math.min(...cards.map((each) => each.top)), Math.max(...cards.map((each) => each.bottom))];
      const bar = frame.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
      const origin = frame.getBoundingClientRect();
      /** @param {number} x @param {number} y */
      const put = (x, y) => {
        element.style.setProperty("--coach-left", `${x - origin.left}px`);
        element.style.setProperty("--coach-top", `${Math.max(y, bar - BESIDE) - origin.top}px`);
      };
      const middle = (left + right) / 2;
      const wide = Math.min(2 * (Math.min(middle, innerWidth - middle) - BESIDE), Math.max(right - left, NARROW));
      const high = highAt(wide);
      const lowest = innerHeight - high - GAP;
      const above = top - BESIDE - high;
      if (bottom + GAP <= lowest) return put(middle - wide / 2, (bottom + GAP + innerHeight - high) / 2);
      if (isFree(middle - wide / 2, above, wide, high)) return put(middle - wide / 2, above);
      const slim = Math.min(SIDE.most, innerWidth - right - 2 * BESIDE);
      const tall = slim < SIDE.least ? innerHeight : highAt(slim);
      const beside = Math.min((top + innerHeight - tall) / 2, innerHeight - tall - BESIDE);
      if (beside > 0 && isFree(right + BESIDE, beside, slim, tall)) return put(right + BESIDE, beside);
      highAt(wide);
      return put(middle - wide / 2, lowest);
    };
    const follow = () => {
      place();
      // the deal, a turned phone: the reader must not press what is about to move
      const running = (frame.querySelector(".stage")?.getAnimations({ subtree: true }) ?? []).filter(ends);
      element.dataset.moving = String(running.length > 0);
      Promise.allSettled(running.map(({ finished }) => finished)).then(() => {
        place();
        element.dataset.moving = "false";
      });
    };
    follow();
    const resized = new ResizeObserver(follow);
    resized.observe(frame);
    return () => resized.disconnect();
  }, [hint]);
  return box;
}
