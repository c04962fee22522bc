// Coach of the first game: one short hint at a time beside the hand, below it or above, never over an opponent.

import { html, useEffect, useLayoutEffect, useRef } from "../html.js";
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
  const box = useBesideHand(hint?.id, sight.seat);
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
  useEffect(() => {
    if (!until) return undefined;
    const timer = setTimeout(ready, until - sight.now() - LATE); // a player who still reads is there all the same
    return () => clearTimeout(timer);
  }, [until, sight.seat]);
  return html`<aside class="coach" aria-label=${t("guide.label")} ref=${box}>
    <div class=${hint ? "coach-hint" : ""}>
      <p aria-live="polite">${hint && words(`guide.${hint.id}`, hint.params?.(sight))}</p>
      ${
        hint &&
        html`<div class="coach-acts">
          <button class="button first" onClick=${next}>${t("guide.next")}</button>
          <button class="link" onClick=${() => endGuide(name)}>${t("guide.skip")}</button>
        </div>`
      }
    </div>
  </aside>`;
}

const GAP = 4;
const BESIDE = 12;
const NARROW = 360;

/** Keeps an element in the middle of the hand's width and not much wider: below the hand if there is room, else above,
 * and over the lower edge of the hand if it would cover the seat's own name there.
 * @param {string|undefined} hint which hint it holds @param {number} seat @returns {{current: HTMLElement|null}} */
function useBesideHand(hint, seat) {
  const box = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => {
    const element = box.current;
    const frame = element?.parentElement;
    if (!hint || !element || !frame) return undefined;
    const place = () => {
      const cards = [...frame.querySelectorAll(".stage [data-pick]")].map((each) => each.getBoundingClientRect());
      if (cards.length === 0) return;
      const [left, right] = [Math.min(...cards.map((each) => each.left)), Math.max(...cards.map((each) => each.right))];
      const middle = (left + right) / 2;
      const room = 2 * (Math.min(middle, innerWidth - middle) - BESIDE);
      const wide = Math.min(room, Math.max(right - left, NARROW));
      element.style.setProperty("--coach-width", `${wide}px`);
      const high = element.offsetHeight;
      const below = Math.max(...cards.map((each) => each.bottom)) + GAP;
      const above = Math.min(...cards.map((each) => each.top)) - BESIDE - high;
      const name = frame.querySelector(`.stage [data-anchor="${seat}"]`)?.getBoundingClientRect();
      const isOver = name && name.bottom > above && name.left < middle + wide / 2 && name.right > middle - wide / 2;
      const isRoomy = below + high + GAP <= innerHeight;
      const at = isRoomy ? (below + innerHeight - high) / 2 : isOver ? innerHeight - high - GAP : above;
      const bar = frame.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
      const origin = frame.getBoundingClientRect();
      element.style.setProperty("--coach-left", `${middle - wide / 2 - origin.left}px`);
      element.style.setProperty("--coach-top", `${Math.max(at, bar - BESIDE) - origin.top}px`);
    };
    place();
    const resized = new ResizeObserver(place);
    resized.observe(frame);
    const stage = frame.querySelector(".stage");
    for (const each of stage?.getAnimations({ subtree: true }) ?? []) each.finished.then(place, () => {}); // the deal
    return () => resized.disconnect();
  }, [hint]);
  return box;
}
