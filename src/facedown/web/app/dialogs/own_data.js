// One's own data on the server: download it, sign out on all devices, or have it erased.

import { html, useState } from "../html.js";
import { ask, endSession, get, hadSession } from "../net/api.js";
import { ErrorNotice } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { forgetServerSeats, forgetTokens } from "../state/saved_seats.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

export function OwnData() {
  const [asks, setAsks] = useState(/** @type {"erase"|"out"|null} */ (null));
  const download = useWork(async () => save(await get("/people/me/data")));
  const [out, setOut] = useState(false);
  const signedOut = () => {
    setAsks(null);
    setOut(true);
  };
  if (!hadSession()) return html`<p class="quiet">${t("data.none")}</p>`;
  return html`
    <div class="row">
      <button class="button second" disabled=${download.busy} onClick=${download.run}>${t("data.download")}</button>
      <button class="button second" onClick=${() => setAsks("out")}>${t("data.out")}</button>
      <button class="button second" onClick=${() => setAsks("erase")}>${t("data.erase")}</button>
    </div>
    <p class="small" role="status">${out && t("data.out.done")}</p>
    <${ErrorNotice} error=${download.error} />
    ${asks && html`<${Really} what=${asks} close=${() => setAsks(null)} done=${signedOut} />`}
  `;
}

/** @param {{what: "erase"|"out", close: () => void, done: () => void}} props */
function Really({ what, close, done }) {
  const work = useWork(async () => {
    if (what === "out") {
      await ask("DELETE", "/people/me/sessions");
      forgetTokens();
      return done();
    }
    await ask("DELETE", "/people/me");
    endSession();
    forgetServerSeats();
    go("/");
  });
  return html`<${Dialog} label=${t(`data.${what}.title`)} close=${close}>
    <h2>${t(`data.${what}.title`)}</h2>
    <p>${t(`data.${what}.say`)}</p>
    <${ErrorNotice} error=${work.error} />
    <div class="row">
      <button class="button first" onClick=${close}>${t("data.stay")}</button>
      <button class="button second" disabled=${work.busy} onClick=${work.run}>${t(`data.${what}.really`)}</button>
    </div>
  <//>`;
}

/** Saves it as a file. @param {unknown} data */
function save(data) {
  const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "facedown-data.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
