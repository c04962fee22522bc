// What went wrong, said plainly: what happened, that nothing was lost, what to do.

import { html } from "../html.js";
import { t } from "../words.js";

/** The sentence for an error: the shell's own words for its code, else what the server said.
 * @param {any} error */
export function sentence(error) {
  const code = typeof error?.code === "string" ? error.code : "unknown";
  const own = t(`trouble.${code}`);
  if (own !== `trouble.${code}`) return own;
  return error?.say || error?.message || t("trouble.unknown");
}

/** @param {{error: any, again?: () => void}} props */
export function Trouble({ error, again }) {
  if (!error) return null;
  /** @type {string[]} */
  const problems = Array.isArray(error.problems) ? error.problems : [];
  return html`<div class="notice" role="alert">
    <p>${sentence(error)}</p>
    ${problems.length > 0 && html`<ul>${problems.map((each) => html`<li>${each}</li>`)}</ul>`}
    ${
      again &&
      html`<div class="row"><button class="button second" onClick=${again}>${t("trouble.again")}</button></div>`
    }
  </div>`;
}
