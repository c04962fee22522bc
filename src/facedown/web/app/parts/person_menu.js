// What can be done about a person: mute, block, report. One row that unfolds beside a name.

import { html, useState } from "../html.js";
import { relate, report } from "../state/relations.js";
import { t } from "../words.js";
import { ErrorNotice } from "./elements.js";
import { useWork } from "./hooks.js";

/** @import { Whom } from "../state/relations.js" */

/** @param {{name: string, table: string, whom: Whom, done?: () => void}} props */
export function PersonMenu({ name, table, whom, done }) {
  const [said, setSaid] = useState("");
  const act = useWork(async (/** @type {"mute"|"block"|"report"} */ what) => {
    if (what === "report") await report(table, whom, "");
    else await relate(what, table, whom);
    setSaid(t(`person.${what}.done`, { name }));
    if (what !== "report") done?.();
  });
  return html`<details class="person-menu">
    <summary aria-label=${t("person.menu", { name })}>⋯</summary>
    ${
      said
        ? html`<p class="small" role="status">${said}</p>`
        : html`<div class="row" role="group" aria-label=${t("person.menu", { name })}>
          ${
            /** @type {const} */ (["mute", "block", "report"]).map(
              (what) => html`<button
              class="button second small"
              title=${t(`person.${what}.says`)}
              disabled=${act.busy}
              onClick=${() => act.run(what)}
            >
              ${t(`person.${what}`)}
            </button>`,
            )
          }
        </div>`
    }
    <${ErrorNotice} error=${act.error} />
  </details>`;
}
