// The switch for push notifications.

import { html, useEffect, useState } from "../html.js";
import { keepNoticeWords, possible, switchOff, switchOn, worker } from "../state/push.js";
import { lang, t } from "../words.js";
import { ErrorNotice } from "./elements.js";
import { useWork } from "./hooks.js";

export function Notifications() {
  const [on, setOn] = useState(false);
  useEffect(() => {
    if (!possible() || !navigator.serviceWorker.controller) return;
    worker().then(
      async ({ pushManager }) => setOn((await pushManager.getSubscription()) !== null),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (on) keepNoticeWords().catch(() => {}); // then they are in English
  }, [on, lang.value]);
  const work = useWork(async () => {
    await (on ? switchOff() : switchOn());
    setOn(!on);
  });
  if (!possible()) return html`<p class="quiet">${t("settings.notify.impossible")}</p>`;
  return html`
    <button class="button second" aria-pressed=${on} disabled=${work.busy} onClick=${work.run}>
      ${t(on ? "settings.notify.off" : "settings.notify.on")}
    </button>
    <${ErrorNotice} error=${work.error} />
  `;
}
