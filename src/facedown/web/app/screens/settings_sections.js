// Sections of the settings page: the account, push notifications, muted and blocked people, one's own data on the
// server.

import { Really } from "../dialogs/really.js";
import { html, useEffect, useState } from "../html.js";
import { get, hadSession } from "../net/api.js";
import { Button, ErrorNotice, Link, Name } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { saveJson } from "../parts/sharing.js";
import { isInstalledByShare } from "../state/keeping.js";
import { keepNoticeWords, possible, switchOff, switchOn, worker } from "../state/push.js";
import { loadRelations, relations, unrelate } from "../state/relations.js";
import { lang, t } from "../words.js";

export function OwnAccount() {
  const { value: account } = useRequest(async () => (hadSession() ? get("/account") : null), []);
  if (account?.handle)
    return html`
      <p class="lead">${t("settings.account.as", { handle: account.handle })}</p>
      <${Link} class="button second" href="/account">${t("settings.account.open")}<//>
    `;
  return html`
    <p class="lead">${t("settings.account.say")}</p>
    <div class="row">
      <${Link} class="button second" href="/account">${t("keep.this")}<//>
      <${Link} class="button second" href="/sign-in">${t("settings.account.sign_in")}<//>
    </div>
  `;
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
  if (!possible() && isInstalledByShare()) return html`<p class="quiet">${t("settings.notify.ios")}</p>`;
  if (!possible()) return html`<p class="quiet">${t("settings.notify.impossible")}</p>`;
  return html`
    <${Button} work=${work} aria-pressed=${on}>${t(on ? "settings.notify.off" : "settings.notify.on")}<//>
    <${ErrorNotice} error=${work.error} />
  `;
}

export function RelationList() {
  const undo = useWork(unrelate);
  useEffect(() => {
    if (hadSession()) loadRelations().catch(() => {});
  }, []);
  const people = relations.value ?? [];
  if (people.length === 0) return html`<p class="quiet">${t("relations.nobody")}</p>`;
  return html`
    <ul class="plain">
      ${people.map(
        (each) => html`<li key=${each.id} class="row">
          <span><b><${Name}>${each.name}<//></b> <span class="quiet">${t(`relations.${each.kind}`)}</span></span>
          <${Button}
            work=${undo}
            class="link"
            aria-label=${t("relations.undo_of", { name: each.name })}
            of=${each.id}
          >
            ${t("relations.undo")}
          <//>
        </li>`,
      )}
    </ul>
    <${ErrorNotice} error=${undo.error} />
  `;
}

export function OwnData() {
  const [asks, setAsks] = useState(/** @type {"erase"|"out"|null} */ (null));
  const download = useWork(async () => saveJson("facedown-data.json", await get("/people/me/data")));
  const [out, setOut] = useState(false);
  const signedOut = () => {
    setAsks(null);
    setOut(true);
  };
  if (!hadSession()) return html`<p class="quiet">${t("data.none")}</p>`;
  return html`
    <div class="row">
      <${Button} work=${download}>${t("data.download")}<//>
      <button class="button second" onClick=${() => setAsks("out")}>${t("data.out")}</button>
      <button class="button second" onClick=${() => setAsks("erase")}>${t("data.erase")}</button>
    </div>
    <p class="small" role="status">${out && t("data.out.done")}</p>
    <${ErrorNotice} error=${download.error} />
    ${asks && html`<${Really} what=${asks} close=${() => setAsks(null)} done=${signedOut} />`}
  `;
}
