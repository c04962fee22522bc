// Dialogs for leaving a table, which frees the seat before the start or keeps it waiting in play, and for resigning.

import { html } from "../html.js";
import { ErrorNotice } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { forgetSeat } from "../state/saved_seats.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { Sight } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */

/** @param {{screenSeats: ScreenSeats, sight: Sight,
 *   resign: () => void, close: () => void}} props */
export function LeaveDialog({ screenSeats, sight: { table, seat }, resign, close }) {
  const early = table.state === "open";
  const leave = useWork(async () => {
    await screenSeats.active().do({ do: "leave" });
    if (early) forgetSeat(table.id, seat);
    go("/");
  });
  const title = t(early ? "stand.title" : "leave.title");
  return html`<${Dialog} label=${title} close=${close}>
    <h2>${title}</h2>
    <p>${t(early ? "stand.say" : "leave.say")}</p>
    <${ErrorNotice} error=${leave.error} />
    <div class="row">
      <button class="button first" onClick=${close}>${t("leave.stay")}</button>
      <button class="button second" disabled=${leave.busy} onClick=${leave.run}>
        ${t(early ? "stand.really" : "leave.really")}
      </button>
      ${!early && html`<button class="link" onClick=${resign}>${t("leave.resign")}</button>`}
    </div>
  <//>`;
}

/** @param {{resign: () => void, close: () => void}} props */
export function ResignDialog({ resign, close }) {
  const really = () => {
    resign();
    close();
  };
  return html`<${Dialog} label=${t("resign.title")} close=${close}>
    <h2>${t("resign.title")}</h2>
    <p>${t("resign.say")}</p>
    <div class="row">
      <button class="button first" onClick=${close}>${t("resign.stay")}</button>
      <button class="button second" onClick=${really}>${t("resign.really")}</button>
    </div>
  <//>`;
}
