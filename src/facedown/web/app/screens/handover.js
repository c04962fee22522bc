// Device handover: a code from another device makes this one continue as the same person.

import { html } from "../html.js";
import { ask, renewSession } from "../net/api.js";
import { Bar, ErrorNotice } from "../parts/elements.js";
import { useTitle, useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { t } from "../words.js";

/** @param {{code: string, to?: string}} props */
export function Handover({ code, to = "" }) {
  const take = useWork(async () => {
    await ask("POST", `/handovers/${encodeURIComponent(code)}`, { kind: "browser" });
    renewSession();
    go(/^\/t\/\w+$/.test(to) ? to : "/", { instead: true });
  });
  useTitle(t("handover.title"));
  return html`
    <${Bar} />
    <main class="page">
      <h1>${t("handover.title")}</h1><p class="lead">${t("handover.say")}</p>
      <p><button class="button first big" disabled=${take.busy} onClick=${take.run}>${t("handover.take")}</button></p>
      <${ErrorNotice} error=${take.error} />
    </main>
  `;
}
