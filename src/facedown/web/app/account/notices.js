// Notices about the account, over every page: its code was used, which can be undone here, a decision of moderators
// holds, or this device was signed out.

import { html } from "../html.js";
import { codeUses, forgetSignOut, sanctionOf, signedOut, toldSanctions } from "../net/account.js";
import { ask } from "../net/api.js";
import { ErrorNotice, Link, Sanction } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { dayAndTime } from "../phrases.js";
import { go, isOff } from "../router.js";
import { read } from "../storage.js";
import { lang } from "../words.js";
import { waitingCode } from "./code.js";
import { nameOf } from "./devices.js";
import { say, useTexts } from "./words.js";

/** @import { CodeUseInfo } from "../net/rest.js" */

export function AccountNotices() {
  if (!useTexts()) return null;
  return html`
    ${isOff("lasting") && html`<${Demo} />`}
    ${codeUses.value.map((use) => html`<${CodeUsed} key=${use.id} use=${use} />`)}
    ${["closed", "no_pairing", "no_chat"].map(
      (kind) =>
        sanctionOf(kind) &&
        !toldSanctions.value.includes(kind) &&
        html`<section class="account-notice" key=${kind} aria-label=${say("case.title")}>
          <p><${Sanction} of=${sanctionOf(kind)} /></p>
        </section>`,
    )}
    ${signedOut.value && html`<${SignedOut} handle=${signedOut.value.handle} />`}
  `;
}

/** The hour (UTC) at which `facedown demo` deletes everything. */
const NIGHT = 4;

function Demo() {
  const hour = new Date().setUTCHours(NIGHT, 0, 0, 0);
  const time = new Intl.DateTimeFormat(lang.value, { hour: "numeric", minute: "2-digit" }).format(hour);
  return html`<section class="account-notice" aria-label=${say("demo.label")}>
    <p><b>${say("demo.label")}</b> ${say("demo.say", { time })}</p>
  </section>`;
}

/** @param {{use: CodeUseInfo}} props */
function CodeUsed({ use }) {
  const settle = () => (codeUses.value = codeUses.value.filter(({ id }) => id !== use.id));
  const path = `/account/code-uses/${encodeURIComponent(use.id)}`;
  const me = useWork(async () => {
    await ask("DELETE", path);
    settle();
  });
  const undo = useWork(async () => {
    waitingCode.value = { code: await ask("POST", `${path}/undo`), why: "undone", handle: read("handle", "") };
    settle();
    go("/account");
  });
  const busy = me.busy || undo.busy;
  return html`<section class="account-notice" aria-label=${say("used.label")}>
    <p><b>${say("used.say", { time: dayAndTime(use.at), device: nameOf(use) })}</b> ${say("used.undo.say")}</p>
    <div class="row">
      <button class="button second" disabled=${busy} onClick=${me.run}>${say("used.me")}</button>
      <button class="button second" disabled=${busy} onClick=${undo.run}>${say("used.undo")}</button>
    </div>
    <${ErrorNotice} error=${me.error ?? undo.error} />
  </section>`;
}

/** @param {{handle: string}} props */
function SignedOut({ handle }) {
  return html`<section class="account-notice" aria-label=${say("gone.label")}>
    <p>${handle ? say("gone.say", { handle }) : say("gone.guest")}</p>
    <div class="row">
      <${Link} class="button second" href="/sign-in">${say("signin.title")}<//>
      <button class="button second" onClick=${forgetSignOut}>${say("keep.not_now")}</button>
    </div>
  </section>`;
}
