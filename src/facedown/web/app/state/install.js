// Installing this page as an app with a window of its own: offered only while the browser offers it.

import { signal } from "../html.js";

/** @import { Signal } from "@preact/signals" */

/** The browser's offer, kept for our own button; null while there is none.
 * @type {Signal<{prompt: () => Promise<unknown>}|null>} */
export const installOffer = signal(null);

export function listenForInstallOffer() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // the browser's own banner would lie over the page
    installOffer.value = /** @type {any} */ (event);
  });
  addEventListener("appinstalled", () => (installOffer.value = null));
}

/** Lets the browser ask; an offer can be used once. */
export function install() {
  installOffer.value?.prompt();
  installOffer.value = null;
}
