// Leaving a table: before the start the seat is free again, in play it waits, or a machine takes over by consent.

import { html } from "../html.js";
import { go } from "../router.js";
import { forgetSeat } from "../state/seats.js";
import { t } from "../words.js";
import { Sheet } from "./sheet.js";
import { Trouble } from "./trouble.js";
import { useWork } from "./use.js";

/** @import { Company } from "../state/company.js" */
/** @import { Sight } from "../contract.js" */

/** @param {{company: Company, sight: Sight,
 *   resign: () => void, close: () => void}} props */
export function LeaveSheet({ company, sight: { table, seat }, resign, close }) {
  const early = table.state === "open";
  const leave = useWork(async () => {
    await company.active().do({ do: "leave" });
    if (early) forgetSeat(table.id, seat);
    go("/");
  });
  const title = t(early ? "stand.title" : "leave.title");
  return html`<${Sheet} label=${title} close=${close}>
    <h2>${title}</h2>
    <p>${t(early ? "stand.say" : "leave.say")}</p>
    <${Trouble} error=${leave.error} />
    <div class="row">
      <button class="button first" onClick=${close}>${t("leave.stay")}</button>
      <button class="button second" disabled=${leave.busy} onClick=${leave.run}>
        ${t(early ? "stand.really" : "leave.really")}
      </button>
      ${!early && html`<button class="link" onClick=${resign}>${t("leave.resign")}</button>`}
    </div>
  <//>`;
}
