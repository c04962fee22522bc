// Play without a network, in words: what works now, how far the start is, games on this device, and what to keep.

import { html, useEffect } from "../html.js";
import { place, starting, stopStarting, unkept } from "../net/place.js";
import { ago } from "../phrases.js";
import { isSite } from "../router.js";
import { checkKept, forgetKept, keepAll, keeping } from "../state/keeping.js";
import { localGames } from "../state/saved_seats.js";
import { lang, t } from "../words.js";
import { Button, ErrorNotice, Link } from "./elements.js";
import { useWork } from "./hooks.js";

/** On home: what works without a network, and where games are. */
export function OfflineNotice() {
  if (place.value === "server") return null;
  return html`<div class="wrap panel offline-notice" role="status">
    ${!isSite && html`<b>${t("offline.title")}</b>`}
    <span>${t(isSite ? "offline.site" : "offline.say")}</span>
    ${unkept.value && html`<span>${t("offline.unkept")}</span>`}
  </div>`;
}

/** Progress while a request waits for the server in this page. */
export function GettingReady() {
  if (starting.value === null) return null;
  return html`<div class="wrap panel getting-ready" role="status">
    <span>${t("offline.starting")}</span>
    <progress max="1" value=${starting.value} aria-label=${t("offline.starting")}></progress>
    <button class="button second" onClick=${stopStarting}>${t("cancel")}</button>
  </div>`;
}

/** Games on this device, while the server's are listed. */
export function OnDevice() {
  const tables = place.value === "server" ? localGames() : [];
  if (tables.length === 0) return null;
  return html`<section aria-labelledby="on-device">
    <div class="list-head"><h2 id="on-device">${t("offline.here")}</h2></div>
    <ul class="list">
      ${tables.map(
        ({ table, at }) => html`<li key=${table}>
          <${Link} class="plain" href=${`/t/${table}`}>
            <span class="link">${t("offline.game")}</span> <span class="quiet">${ago(at)}</span>
          <//>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** In the settings: storing what offline play needs, or deleting it. */
export function KeepForOffline() {
  useEffect(() => {
    checkKept();
  }, []);
  const keep = useWork(keepAll);
  const forget = useWork(forgetKept);
  const { state, bytes, part } = keeping.value;
  // as high as what comes, or a press on what follows would miss it
  if (state === "unknown")
    return html`<button class="button second" disabled aria-busy="true">
      ${t("settings.offline.keep", { size: "…" })}
    </button>`;
  if (state === "none") return html`<p class="quiet">${t("settings.offline.none")}</p>`;
  if (state === "fetching")
    return html`<p class="lead" role="status">
      ${t("settings.offline.fetching")} <progress max="1" value=${part}></progress>
    </p>`;
  if (state === "kept")
    return html`<p class="lead" role="status">${t("settings.offline.kept")}</p>
      <${Button} work=${forget}>${t("settings.offline.forget")}<//>`;
  return html`
    <${Button} work=${keep}>${t("settings.offline.keep", { size: size(bytes) })}<//>
    <${ErrorNotice} error=${keep.error} />
  `;
}

/** @param {number} bytes */
export const size = (bytes) =>
  new Intl.NumberFormat(lang.value, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(bytes / 1e6);
