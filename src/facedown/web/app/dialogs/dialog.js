// Modal dialog: the browser's own, so that focus stays inside and Escape closes it.

import { html, useEffect, useRef } from "../html.js";

/** @param {{label: string, close: () => void, class?: string, children?: any, firm?: boolean, still?: boolean}} props
 *   `firm`: stays until it is answered; `still`: nothing in it has the focus at first */
export function Dialog({ label, close, class: name, children, firm = false, still = false }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element && !element.open) element.showModal();
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
  /** @param {MouseEvent} event */
  const outside = (event) => {
    if (!firm && event.target === dialog.current) close();
  };
  return html`<dialog
    ref=${dialog}
    tabindex=${still ? -1 : undefined}
    class=${name}
    aria-label=${label}
    onCancel=${cancel}
    onClick=${outside}
  >
    ${children}
  </dialog>`;
}
