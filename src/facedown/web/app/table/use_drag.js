// Dragging a card with any pointer onto something marked `data-drop`. A short touch stays a tap.
import { useRef } from "../html.js";

const FAR = 8;

/** @param {number} x @param {number} y */
function dropAt(x, y) {
  const below = document.elementsFromPoint(x, y).map((each) => each.closest("[data-drop]"));
  const found = below.find((each) => each !== null);
  return found instanceof HTMLElement ? (found.dataset.drop ?? null) : null;
}

/** Handlers for a button that can be tapped or dragged.
 * @param {{tap: () => void, drop: (onto: string) => void, idle?: boolean}} does */
export function useDrag({ tap, drop, idle = false }) {
  const from = useRef(/** @type {{x: number, y: number, far: boolean}|null} */ (null));
  const dragged = useRef(false);

  const rest = (/** @type {HTMLElement} */ card) => {
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
      card.dataset.dragging = dropAt(event.clientX, event.clientY) ?? "";
      card.style.setProperty("--drag-x", `${dx}px`);
      card.style.setProperty("--drag-y", `${dy}px`);
    },
    onPointerUp(/** @type {PointerEvent & {currentTarget: HTMLElement}} */ event) {
      const far = from.current?.far;
      const onto = far ? dropAt(event.clientX, event.clientY) : null;
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
