// Account screen: a guest keeps the account in three steps; its owner finds the ways in, and the devices.

import { CodeStep, waitingCode } from "../account/code.js";
import { Decisions } from "../account/decisions.js";
import { Devices } from "../account/devices.js";
import { NameStep } from "../account/keep.js";
import { PasskeyPane } from "../account/passkeys.js";
import { StepHead, Steps } from "../account/steps.js";
import { say, useTexts } from "../account/words.js";
import { OtherDevice } from "../dialogs/devices.js";
import { Really } from "../dialogs/really.js";
import { html, useEffect, useState } from "../html.js";
import { ask, get, guestSession, hadSession } from "../net/api.js";
import { Button, ErrorNotice, Link, Name, Page } from "../parts/elements.js";
import { useRequest, useTitle, useWork } from "../parts/hooks.js";
import { day } from "../phrases.js";
import { go } from "../router.js";
import { t } from "../words.js";

/** @import { AccountInfo } from "../net/rest.js" */

const GUEST = { handle: null, may_keep: true };

/** The account; one who has never been here has none. @returns {Promise<AccountInfo|typeof GUEST>} */
async function findAccount() {
  if (!hadSession()) return GUEST;
  await guestSession();
  return get("/account");
}

/** A code that was not confirmed is shown no second time. */
function forgetCode() {
  waitingCode.value = null;
}

export function AccountScreen() {
  const ready = useTexts();
  const { value: account, error, again } = useRequest(findAccount, []);
  const [fresh, setFresh] = useState(false);
  useEffect(() => forgetCode, []);
  const kept = account && "devices" in account && account.handle !== null ? account : null;
  useTitle(ready ? say(kept ? "account.title" : "keep.title") : "");
  const done = () => {
    setFresh(waitingCode.value?.why === "keep" || !kept);
    again();
  };
  const step = waitingCode.value ? "code" : kept ? "faster" : "name";
  const steps = fresh || !kept;
  const others = account !== null && "devices" in account && account.devices.length > 1;
  const leave = () => go("/");
  const shown = {
    name: () => html`<${NameStep} mayKeep=${account?.may_keep} others=${others} leave=${leave} />`,
    code: () => html`<${CodeStep} done=${done} leave=${kept ? again : leave} />`,
    faster: () => kept && html`<${Kept} account=${kept} fresh=${fresh} again=${again} />`,
  };
  return html`<${Page} class="account" aria-busy=${!ready || (!account && !error)} data-steps=${steps}>
    ${ready && account && steps && html`<${Steps} at=${step} />`}
    <div class="account-main">
      ${ready && html`<${Decisions} />`}
      <${ErrorNotice} error=${error} again=${again} />
      ${ready && account && shown[step]()}
    </div>
  <//>`;
}

/** @param {{account: AccountInfo, fresh: boolean, again: () => void}} props */
function Kept({ account, fresh, again }) {
  const handle = account.handle ?? "";
  const [leaves, setLeaves] = useState(false);
  return html`
    ${
      fresh
        ? html`<${StepHead} title=${say("account.kept", { handle })} says=${say("account.kept.say")} />`
        : html`<${StepHead}
            title=${html`<${Name}>${handle}<//>`}
            says=${say("account.since", { day: day(account.kept_at ?? 0) })}
            still
          />`
    }
    <div class="panes">
      <${PasskeyPane} passkeys=${account.passkeys ?? []} first=${fresh} again=${again} />
      <section class="panel pane">
        <h2>${t("settings.device")}</h2><p>${say("account.device.say")}</p><${OtherDevice} />
      </section>
      ${!fresh && html`<${CodePane} account=${account} />`}
    </div>
    <${Devices} account=${account} again=${again} />
    <div class="wrap account-leave small">
      <button class="link" onClick=${() => setLeaves(true)}>${say("account.leave")}</button>
      <${Link} class="link" href="/account/programs">${say("programs.title")}<//>
      <${Link} class="link" href="/settings">${say("account.data")}<//>
    </div>
    ${leaves && html`<${Really} what="here" close=${() => setLeaves(false)} />`}
  `;
}

/** @param {{account: AccountInfo}} props */
function CodePane({ account }) {
  const renew = useWork(async () => {
    waitingCode.value = { code: await ask("POST", "/account/code"), why: "new", handle: account.handle ?? "" };
  });
  return html`<section class="panel pane">
    <h2>${say("account.code")}</h2>
    <p>${say("account.code.say")}</p>
    <p class="pane-act">
      <${Button} work=${renew}>${say("account.code.new")}<//>
    </p>
    <${ErrorNotice} error=${renew.error} />
  </section>`;
}
