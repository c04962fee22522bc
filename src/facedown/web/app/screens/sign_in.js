// Signing in on a device that is not known yet: handle and recovery code, or a passkey.

import { CODE } from "../account/code.js";
import { passkeysWork, WithPasskey } from "../account/passkeys.js";
import { HandleField } from "../account/steps.js";
import { say, useTexts } from "../account/words.js";
import { html, onSubmit, useState } from "../html.js";
import { noteSession } from "../net/account.js";
import { askForSession, get, hadSession, renewSession } from "../net/api.js";
import { ErrorNotice, Link, Page } from "../parts/elements.js";
import { TextField } from "../parts/fields.js";
import { useRequest, useTitle, useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { renewSubscription } from "../state/push.js";
import { forgetTokens } from "../state/saved_seats.js";
import { write } from "../storage.js";

/** What is there before: games of a guest, or another account. */
async function findHere() {
  if (!hadSession()) return { handle: "", played: 0 };
  const [{ handle }, { games }] = await Promise.all([get("/account"), get("/people/me")]);
  return { handle: handle ?? "", played: games.length };
}

export function SignIn() {
  const ready = useTexts();
  const { value: here } = useRequest(() => findHere().catch(() => ({ handle: "", played: 0 })), []);
  const played = here?.handle ? 0 : (here?.played ?? 0);
  useTitle(ready ? say("signin.title") : "");
  return html`<${Page} class="account" aria-busy=${!ready || !here}>
    <div class="account-main">
      ${
        ready &&
        here &&
        html`
          <h1>${say("signin.title")}</h1>
          <p class="lead">${say("signin.say")}</p>
          ${here.handle && html`<p class="account-note">${say("signin.other", { handle: here.handle })}</p>`}
          ${played > 0 && html`<${Leaves} played=${played} />`}
          ${passkeysWork && html`<${WithPasskey} arrive=${arrive} />`}
          <${WithCode} />
          <div class="wrap account-leave small quiet"><${Link} class="link" href="/">${say("keep.not_now")}<//></div>
          <section class="account-lost">
            <h2>${say("signin.lost")}</h2><p class="lead">${say("signin.lost.say")}</p>
          </section>
        `
      }
    </div>
  <//>`;
}

/** @param {any} session */
function arrive(session) {
  renewSession();
  forgetTokens();
  renewSubscription();
  write("name", session.name);
  noteSession(session);
  go("/account", { instead: true });
}

/** Before a guest leaves the games that were played here. @param {{played: number}} props */
const Leaves = ({ played }) => html`<p class="account-note">
  <b>${say("signin.played", { count: played })}</b> ${say("signin.played.say")}
  <${Link} class="link" href="/account">${say("keep.title")}<//>
</p>`;

function WithCode() {
  const [handle, setHandle] = useState("");
  const [code, setCode] = useState("");
  const enter = useWork(async () => arrive(await askForSession("/account/sign-in", { handle: handle.trim(), code })));
  return html`<form class="sign-in" onSubmit=${onSubmit(enter.run)}>
    <${HandleField} value=${handle} change=${setHandle} wrong=${!!enter.error} />
    <${TextField}
      ...${CODE}
      label=${say("code.label")}
      value=${code}
      change=${setCode}
      maxlength="100"
      aria-invalid=${enter.error ? "true" : undefined}
      aria-describedby="code-form"
    >
      <span class="small quiet" id="code-form">${say("signin.code.say")}</span>
    <//>
    <p><button class="button first" disabled=${enter.busy}>${say("signin.title")}</button></p>
    <${ErrorNotice} error=${enter.error} />
  </form>`;
}
