// Keeping the account of a guest: a handle is chosen here, then comes the code.

import { html, onSubmit, useState } from "../html.js";
import { ask, guestSession, ownName } from "../net/api.js";
import { ErrorNotice, Link } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { waitingCode } from "./code.js";
import { HandleField, StepHead } from "./steps.js";
import { say } from "./words.js";

const LOOKS_LIKE_ONE = /^[\p{L}\d][\p{L}\d_-]{2,19}$/u;

/** @param {{mayKeep: boolean, others: boolean, leave: () => void}} props `others`: this guest has other devices */
export function NameStep({ mayKeep, others, leave }) {
  const [handle, setHandle] = useState(LOOKS_LIKE_ONE.test(ownName()) ? ownName() : "");
  const begin = useWork(async () => {
    await guestSession();
    const wanted = handle.trim();
    waitingCode.value = { code: await ask("POST", "/account/code", { handle: wanted }), why: "keep", handle: wanted };
  });
  if (!mayKeep)
    return html`
      <${StepHead} title=${say("keep.title")} says=${say("keep.closed")} still />
      <p class="wrap account-acts"><${Link} class="button second" href="/sign-in">${say("signin.title")}<//></p>
    `;
  return html`
    <${StepHead} title=${say("keep.title")} says=${say("keep.say")} still />
    <form class="asked-back" onSubmit=${onSubmit(begin.run)}>
      <div class="wrap asked-fields">
        <${HandleField} value=${handle} change=${setHandle} wrong=${!!begin.error} about="handle-form" />
        <button class="button first" disabled=${begin.busy}>${say("keep.next")}</button>
      </div>
      <p class="small quiet" id="handle-form">${say("keep.handle.say")}</p>
      ${others && html`<p class="account-note">${say("keep.others")}</p>`}
      <${ErrorNotice} error=${begin.error} />
    </form>
    <div class="wrap account-leave small quiet">
      <button class="link" onClick=${leave}>${say("keep.not_now")}</button> ${say("code.not_now.keep")}
    </div>
    <div class="wrap account-leave small"><${Link} class="link" href="/sign-in">${say("keep.have_one")}<//></div>
  `;
}
