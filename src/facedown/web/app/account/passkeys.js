// Passkeys: made and removed on the account's page, used when signing in. Where browsers make none (an address of
// numbers, plain HTTP, an old browser), nothing of this is shown.

import { html, useState } from "../html.js";
import { ask, askForSession } from "../net/api.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { day } from "../phrases.js";
import { nameOf } from "./devices.js";
import { say } from "./words.js";

/** @import { PasskeyInfo, Session } from "../net/rest.js" */

const ADDRESS = /^[\d.]+$|^\[/;
const Credential = /** @type {any} */ (globalThis.PublicKeyCredential);

/** Whether this browser makes passkeys for this address. */
export const passkeysWork =
  isSecureContext && !ADDRESS.test(location.hostname) && typeof Credential?.parseCreationOptionsFromJSON === "function";

/** What the browser's own dialog came to, as JSON; one that was closed is no error of ours.
 * @param {Promise<any>} asked */
async function answerOf(asked) {
  const credential = await asked.catch((error) => {
    throw error.name === "NotAllowedError" || error.name === "AbortError" ? { code: "no_passkey" } : error;
  });
  return credential.toJSON();
}

/** @param {{passkeys: readonly PasskeyInfo[], first: boolean, again: () => void}} props `first`: it comes next */
export function PasskeyPane({ passkeys, first, again }) {
  const [done, setDone] = useState(/** @type {"done"|"removed"|""} */ (""));
  const create = useWork(async () => {
    setDone("");
    const { options } = await ask("POST", "/account/passkeys/options");
    const publicKey = Credential.parseCreationOptionsFromJSON(options);
    await ask("POST", "/account/passkeys", await answerOf(navigator.credentials.create({ publicKey })));
    setDone("done");
    again();
  });
  const remove = useWork(async (/** @type {string} */ id) => {
    await ask("DELETE", `/account/passkeys/${encodeURIComponent(id)}`);
    setDone("removed");
    again();
  });
  if (!passkeysWork && passkeys.length === 0) return null;
  return html`<section class="panel pane">
    <h2>${say("passkey.title")}</h2>
    <p>${say("passkey.say")}</p>
    ${
      passkeys.length > 0 &&
      html`<ul class="list" aria-label=${say("passkey.list")}>
        ${passkeys.map(
          (each) => html`<li key=${each.id}>
            <span class="who">${nameOf(each)}</span>
            <span class="quiet small">
              ${
                each.host === location.hostname
                  ? say("passkey.made", { day: day(each.at) })
                  : say("passkey.elsewhere", { host: each.host })
              }
            </span>
            <${Button}
              work=${remove}
              class="link state"
              aria-label=${say("passkey.remove_of", { device: nameOf(each) })}
              of=${each.id}
            >
              ${say("passkey.remove")}
            <//>
          </li>`,
        )}
      </ul>`
    }
    ${passkeys.length === 0 && html`<${Key} />`}
    ${
      passkeysWork &&
      html`<p class="pane-act">
        <${Button} work=${create} class=${`button ${first ? "first" : "second"}`}>${say("passkey.create")}<//>
      </p>`
    }
    <p class="small" role="status">${done && say(`passkey.${done}`)}</p>
    <${ErrorNotice} error=${create.error ?? remove.error} />
  </section>`;
}

const Key = () => html`<svg class="passkey-key" viewBox="0 0 132 76" aria-hidden="true">
  <circle cx="36" cy="38" r="30" /><circle cx="36" cy="38" r="20" class="thin" />
  <path class="thin" d="M24 34c6 8 18 8 24 0M28 40l-3 5M36 42v6M44 40l3 5" />
  <path d="M66 38h60v18M112 38v14M98 38v10" />
</svg>`;

/** @param {{arrive: (session: Session) => void}} props */
export function WithPasskey({ arrive }) {
  const enter = useWork(async () => {
    const { options } = await ask("POST", "/account/sign-in/passkey/options");
    const publicKey = Credential.parseRequestOptionsFromJSON(options);
    const passkey = await answerOf(navigator.credentials.get({ publicKey }));
    arrive(await askForSession("/account/sign-in/passkey", { passkey }));
  });
  return html`<div class="with-passkey">
    <${Button} work=${enter}>${say("passkey.use")}<//>
    <${ErrorNotice} error=${enter.error} />
    <p class="small quiet">${say("passkey.or")}</p>
  </div>`;
}
