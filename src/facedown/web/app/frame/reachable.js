// Whether others can reach this server by the address that the page has, and what to do where they cannot.

import { html } from "../html.js";
import { t } from "../words.js";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an address leads to this computer alone. @param {string} host */
export const isLocal = (host) => LOOPBACK.test(host);

/** Says so where only this computer can open a link. @param {{host?: string}} props */
export function LocalOnly({ host = location.hostname }) {
  if (!isLocal(host)) return null;
  return html`<div class="local-only" role="note">
    <p>${t("reach.local")}</p>
    <p class="small">${t("reach.how")} <code>./facedown serve --host 0.0.0.0</code></p>
  </div>`;
}
