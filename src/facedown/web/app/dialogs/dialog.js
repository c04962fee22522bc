// Dialog: the browser's own. A modal one keeps the focus inside; one beside the table leaves it usable. Escape, a tap
// outside of a modal one and *Back* close it.

import { html, useLayoutEffect, useRef } from "../html.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { useBackCloses } from "../parts/hooks.js";

/** @import { Act, GameEvent, GameTable, NarrationContext, Sight, Words } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */

/** What every dialog of a table receives; `ids`, `sentence` and `events` are those of *why?*.
 * @typedef {object} TableDialogProps
 * @property {ScreenSeats} screenSeats
 * @property {Sight} sight
 * @property {GameTable|null} game
 * @property {Words} words
 * @property {NarrationContext} narration
 * @property {Act & {preset: (name: string) => Promise<void>}} act
 * @property {() => void} close
 * @property {boolean} [beside]   whether there is room for it beside the table
 * @property {string[]} [ids]
 * @property {string} [sentence]
 * @property {GameEvent[]} [events] */

/** @param {{label: string, close: () => void, class?: string, children?: any, firm?: boolean, still?: boolean,
 *   addressed?: boolean, beside?: boolean}} props `firm`: stays until it is answered; `still`: nothing in it has the
 *   focus at first; `addressed`: it has an address of its own, which *Back* leaves; `beside`: it is not modal */
export function Dialog({
  label,
  close,
  class: name,
  children,
  firm = false,
  still = false,
  addressed = false,
  beside = false,
  ...more
}) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const pressedOutside = useRef(false);
  useBackCloses(!firm && !addressed, close);
  useLayoutEffect(() => {
    // at once, so that the dialog receives the next key
    const element = dialog.current;
    const before = document.activeElement;
    if (element && !element.open) beside ? element.show() : element.showModal();
    if (still) element?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  /** @param {Event} event */
  const cancel = (event) => {
    event.preventDefault();
    if (!firm) close();
  };
  /** Whether it is beside the box: its padding belongs to it. @param {MouseEvent} event */
  const isOutside = ({ target, clientX: x, clientY: y }) => {
    if (target !== dialog.current || !dialog.current) return false;
    const { left, right, top, bottom } = dialog.current.getBoundingClientRect();
    return x < left || x > right || y < top || y > bottom;
  };
  /** A dialog that is not modal has no Escape of its own. @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (!beside || event.key !== "Escape") return;
    event.preventDefault();
    close();
  };
  return html`<dialog
    ref=${dialog}
    tabindex=${still ? -1 : undefined}
    class=${name}
    aria-label=${label}
    ...${more}
    onCancel=${cancel}
    onKeyDown=${pressed}
    onPointerDown=${(/** @type {PointerEvent} */ event) => {
      pressedOutside.current = isOutside(event);
    }}
    onClick=${(/** @type {MouseEvent} */ event) => {
      if (!firm && pressedOutside.current && isOutside(event)) close();
    }}
  >
    ${children}
  </dialog>`;
}

/** A question before what cannot be taken back: to stay as it is comes first.
 * @param {{title: string, label?: string, says: string, stay: string, really: string, close: () => void,
 *   also?: unknown, children?: unknown, work: {run: () => void, busy?: boolean, error?: unknown}}} props `also`:
 *   another way, behind the two */
export const Confirm = ({ title, label = title, says, stay, really, close, also, children, work }) => html`<${Dialog}
  label=${label}
  close=${close}
>
  <h2>${title}</h2>
  <p>${says}</p>
  ${children}
  <${ErrorNotice} error=${work.error} />
  <div class="row">
    <button class="button first" onClick=${close}>${stay}</button>
    <${Button} work=${work}>${really}<//>
    ${also}
  </div>
<//>`;
