// Notices about the account, over every page: its code was used on another device, a decision of moderators holds, or
// this device was signed out.

import { html } from "../html.js";
import { codeUses, forgetSignOut, sanctionOf, settleCodeUse, signedOut, toldSanctions } from "../net/account.js";
import { ask } from "../net/api.js";
import { Button, ErrorNotice, Link, Sanction } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { dayAndTime } from "../phrases.js";
import { go } from "../router.js";
import { read } from "../storage.js";
import { waitingCode } from "./code.js";
import { nameOf } from "./devices.js";
import { say, useTexts } from "./words.js";

/** @import { CodeUseInfo } from "../net/rest.js" */

export function AccountNotices() {
  if (!useTexts()) return null;
  return html`
    ${codeUses.value.map((use) => html`<${CodeUsed} key=${use.id} use=${use} />`)}
    ${["closed", "no_pairing", "no_chat"].map(
      (kind) =>
        sanctionOf(kind) &&
        !toldSanctions.value.includes(kind) &&
        html`<section class="wrap account-notice" key=${kind} aria-label=${say("case.title")}>
          <p><${Sanction} of=${sanctionOf(kind)} /></p>
        </section>`,
    )}
    ${signedOut.value && html`<${SignedOut} handle=${signedOut.value.handle} />`}
  `;
}

/** @param {{use: CodeUseInfo}} props */
function CodeUsed({ use }) {
  const end = useWork(async () => {
    await ask("DELETE", `/account/keys/${encodeURIComponent(use.id)}`).catch(passIfGone);
    waitingCode.value = { code: await ask("POST", "/account/code"), why: "new", handle: read("handle", "") };
    settleCodeUse(use);
    go("/account");
  });
  return html`<section class="wrap account-notice" aria-label=${say("used.label")}>
    <p><b>${say("used.say", { time: dayAndTime(use.at), device: nameOf(use) })}</b> ${say("used.end.say")}</p>
    <div class="row">
      <${Button} work=${end} onClick=${() => settleCodeUse(use)}>${say("used.me")}<//>
      <${Button} work=${end}>${say("used.end")}<//>
    </div>
    <${ErrorNotice} error=${end.error} />
  </section>`;
}

/** The device has signed itself out already. @param {any} error */
function passIfGone(error) {
  if (error.code !== "not_there") throw error;
}

/** @param {{handle: string}} props */
function SignedOut({ handle }) {
  return html`<section class="wrap account-notice" aria-label=${say("gone.label")}>
    <p>${handle ? say("gone.say", { handle }) : say("gone.guest")}</p>
    <div class="row">
      <${Link} class="button second" href="/sign-in">${say("signin.title")}<//>
      <button class="button second" onClick=${forgetSignOut}>${say("keep.not_now")}</button>
    </div>
  </section>`;
}
