// "Your turn" while the page is closed: switched on by the person, for games played over days.

import { html, useEffect, useState } from "../html.js";
import { ask, get, session } from "../net/api.js";
import { keepNoticeWords } from "../state/notice_words.js";
import { lang, t } from "../words.js";
import { Trouble } from "./trouble.js";
import { useWork } from "./use.js";

const possible = () => "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** @param {string} key base64url */
function bytes(key) {
  const text = atob(key.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

const worker = () => navigator.serviceWorker.ready;

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") throw { code: "not_permitted" };
  await session();
  const { key } = await get("/push/key");
  const { pushManager } = await worker();
  const wanted = { userVisibleOnly: true, applicationServerKey: bytes(key) };
  const subscription = await pushManager.subscribe(wanted).catch(() => {
    throw { code: "no_push_service" };
  });
  const { endpoint, keys } = subscription.toJSON();
  await ask("PUT", "/push/subscription", { endpoint, keys });
}

async function switchOff() {
  const { pushManager } = await worker();
  await (await pushManager.getSubscription())?.unsubscribe();
  await ask("DELETE", "/push/subscription");
}

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
    <${Trouble} error=${work.error} />
  `;
}
