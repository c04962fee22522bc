// Dialog before what cannot be taken back: erasing oneself, signing out here or everywhere else.

import { html } from "../html.js";
import { leaveAccount } from "../net/account.js";
import { ask, dropSession, get } from "../net/api.js";
import { ErrorNotice, Link } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { renewSubscription } from "../state/push.js";
import { forgetServerSeats, forgetTokens } from "../state/saved_seats.js";
import { lang, t } from "../words.js";
import { Dialog } from "./dialog.js";

const PATHS = { erase: "/people/me", here: "/session", out: "/people/me/sessions" };

/** `done`: this device stays. @param {{what: "erase"|"here"|"out", close: () => void, done?: () => void}} props */
export function Really({ what, close, done }) {
  const work = useWork(async () => {
    await ask("DELETE", PATHS[what]);
    if (what === "out") {
      forgetTokens();
      renewSubscription();
      return done?.();
    }
    dropSession();
    leaveAccount();
    forgetServerSeats();
    go("/");
  });
  return html`<${Dialog} label=${t(`data.${what}.title`)} close=${close}>
    <h2>${t(`data.${what}.title`)}</h2>
    <p>${t(`data.${what}.say`)}</p>
    ${what === "out" && html`<${Bots} />`}
    <${ErrorNotice} error=${work.error} />
    <div class="row">
      <button class="button first" onClick=${close}>${t("data.stay")}</button>
      <button class="button second" disabled=${work.busy} onClick=${work.run}>${t(`data.${what}.really`)}</button>
    </div>
  <//>`;
}

/** The bots of the account, whose tokens stay valid. */
function Bots() {
  /** @type {import("../parts/hooks.js").Asked<import("../net/rest.js").BotList>} */
  const { value } = useRequest(() => get("/account/bots"), []);
  if (!value?.bots.length) return null;
  const bots = new Intl.ListFormat(lang.value).format(value.bots.map((each) => each.handle));
  return html`<p>
    ${t("data.out.bots", { bots })} <${Link} class="link" href="/account/programs">${t("data.out.programs")}<//>
  </p>`;
}
