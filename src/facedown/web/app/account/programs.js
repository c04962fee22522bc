// Programs of an account: its bots, and the tokens of other programs. A secret is shown once.

import { Confirm } from "../dialogs/dialog.js";
import { html, onSubmit, useState } from "../html.js";
import { ask, get, hadSession } from "../net/api.js";
import { Button, ErrorNotice, Link, Name, Page } from "../parts/elements.js";
import { TextField, VERBATIM } from "../parts/fields.js";
import { useRequest, useTitle, useWork } from "../parts/hooks.js";
import { useCopy } from "../parts/sharing.js";
import { day } from "../phrases.js";
import { StepHead } from "./steps.js";
import { say, useTexts } from "./words.js";

/** @import { BotInfo, MadeBot, MadeToken, TokenInfo } from "../net/rest.js" */

/** What lets a bot play; its token stays out of it, because commands are kept in histories. */
const COMMAND = `FACEDOWN_TOKEN=… facedown bot serve ${location.origin} uniform`;
const SCOPES = ["tables:read", "tables:write", "people:read", "contacts:read", "contacts:write"];

/** Everything on the page; null for one who keeps no account. */
async function findPrograms() {
  const account = hadSession() ? await get("/account") : null;
  return account?.handle ? account : null;
}

export function Programs() {
  const ready = useTexts();
  const { value, error, loading, again } = useRequest(findPrograms, []);
  useTitle(ready ? say("programs.title") : "");
  const found = ready && value;
  return html`<${Page} class="account" aria-busy=${!ready || loading} data-steps="false">
    <div class="account-main">
      ${
        ready &&
        html`<${StepHead}
          title=${say("programs.title")}
          says=${html`${say("programs.say")} <a class="link" href="/api/openapi.json">${say("programs.docs")}</a>`}
          still
        />`
      }
      <${ErrorNotice} error=${error} again=${again} />
      ${
        ready &&
        !error &&
        !loading &&
        !value &&
        html`<p class="wrap account-acts">
          <${Link} class="button second" href="/account">${say("keep.title")}<//>
        </p>`
      }
      ${
        found &&
        html`<div class="panes programs">
          <${Bots} bots=${found.bots} again=${again} />
          <${Tokens} tokens=${found.tokens} again=${again} />
        </div>`
      }
    </div>
  <//>`;
}

/** @param {{bots: BotInfo[], again: () => void}} props */
function Bots({ bots, again }) {
  const [handle, setHandle] = useState("");
  const [made, setMade] = useState(/** @type {MadeBot|null} */ (null));
  const [leaves, setLeaves] = useState(/** @type {BotInfo|null} */ (null));
  const make = useWork(async () => {
    setMade(await ask("POST", "/account/bots", { handle: handle.trim() }));
    setHandle("");
    again();
  });
  const renew = useWork(async (/** @type {BotInfo} */ bot) => setMade(await ask("POST", `${pathOf(bot)}/token`)));
  const erased = () => {
    setLeaves(null);
    setMade(null);
    again();
  };
  return html`<section class="panel pane">
    <h2>${say("bots.title")}</h2>
    <p>${say("bots.say")}</p>
    <ul class="list" aria-label=${say("bots.title")}>
      ${bots.map(
        (bot) => html`<li key=${bot.handle}>
          <span class="who"><${Name}>${bot.name}<//></span>
          <${Button}
            work=${renew}
            class="link state"
            aria-label=${say("bots.renew_of", { name: bot.handle })}
            of=${bot}
          >
            ${say("bots.renew")}
          <//>
          <button class="link" aria-label=${say("bots.erase_of", { name: bot.handle })} onClick=${() => setLeaves(bot)}>
            ${say("bots.erase")}
          </button>
        </li>`,
      )}
    </ul>
    ${
      made &&
      html`<${Once} key=${made.token} label=${say("programs.token_of", { name: made.bot.handle })} secret=${made.token}>
        <p class="small">${say("bots.run")}</p>
        <p class="program-secret" translate="no"><code>${COMMAND}</code></p>
      <//>`
    }
    <${OneField}
      label=${say("bots.handle")}
      value=${handle}
      change=${setHandle}
      most="16"
      work=${make}
      button=${say("bots.make")}
    />
    <${ErrorNotice} error=${renew.error} />
    ${leaves && html`<${EraseBot} bot=${leaves} close=${() => setLeaves(null)} done=${erased} />`}
  </section>`;
}

/** @param {BotInfo} bot */
const pathOf = (bot) => `/account/bots/${encodeURIComponent(bot.handle)}`;

/** @param {{bot: BotInfo, close: () => void, done: () => void}} props */
function EraseBot({ bot, close, done }) {
  const work = useWork(async () => {
    await ask("DELETE", pathOf(bot));
    done();
  });
  return html`<${Confirm}
    title=${say("bots.erase.title", { name: bot.handle })}
    says=${say("bots.erase.say")}
    stay=${say("bots.keep")}
    really=${say("bots.erase")}
    close=${close}
    work=${work}
  />`;
}

/** @param {{tokens: TokenInfo[], again: () => void}} props */
function Tokens({ tokens, again }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(SCOPES.slice(0, 1));
  const [made, setMade] = useState(/** @type {MadeToken|null} */ (null));
  const make = useWork(async () => {
    setMade(await ask("POST", "/account/tokens", { name: name.trim(), scopes }));
    setName("");
    again();
  });
  const revoke = useWork(async (/** @type {TokenInfo} */ token) => {
    await ask("DELETE", `/account/keys/${encodeURIComponent(token.id)}`);
    setMade(null);
    again();
  });
  return html`<section class="panel pane">
    <h2>${say("tokens.title")}</h2>
    <p>${say("tokens.say")}</p>
    <ul class="list" aria-label=${say("tokens.title")}>
      ${tokens.map(
        (token) => html`<li key=${token.id}>
          <span class="who"><${Name}>${token.name}<//></span>
          <span class="quiet small">
            ${token.used_at === null ? say("tokens.unused") : say("tokens.used", { day: day(token.used_at) })}
          </span>
          <${Button}
            work=${revoke}
            class="link state"
            aria-label=${say("tokens.revoke_of", { name: token.name })}
            of=${token}
          >
            ${say("tokens.revoke")}
          <//>
        </li>`,
      )}
    </ul>
    ${
      made &&
      html`<${Once}
        key=${made.token}
        label=${say("programs.token_of", { name: made.info.name })}
        secret=${made.token}
      />`
    }
    <fieldset class="program-scopes">
      <legend class="small">${say("tokens.may")}</legend>
      ${SCOPES.map(
        (scope) => html`<label key=${scope}>
          <input
            type="checkbox"
            checked=${scopes.includes(scope)}
            onChange=${() => setScopes(SCOPES.filter((each) => scopes.includes(each) !== (each === scope)))}
          />
          <span>${say(`scope.${scope.replace(":", "_")}`)}</span>
        </label>`,
      )}
    </fieldset>
    <${OneField}
      label=${say("tokens.name")}
      value=${name}
      change=${setName}
      most="40"
      work=${make}
      button=${say("tokens.make")}
      closed=${scopes.length === 0}
    />
    <${ErrorNotice} error=${revoke.error} />
  </section>`;
}

/** A secret that the server sends once, with a button that copies it.
 * @param {{label: string, secret: string, children?: any}} props */
function Once({ label, secret, children }) {
  const { shown, copied, copy } = useCopy(secret);
  return html`<div class="account-note program-once" data-nosnippet>
    <p>${label}</p>
    <p class="program-secret" translate="no"><code ref=${shown}>${secret}</code></p>
    <p>
      <button class="button second" onClick=${copy}>${say(copied === "copied" ? "code.copied" : "code.copy")}</button>
    </p>
    <p class="small" role="status">${say(copied === "select" ? "code.select.say" : "programs.once")}</p>
    ${children}
  </div>`;
}

/** A form of one field: its label, its button, and what went wrong.
 * @param {{label: string, value: string, change: (value: string) => void, most: string,
 *   work: {busy: boolean, error: any, run: () => void}, button: string, closed?: boolean}} props
 *   `closed`: something else is missing */
function OneField({ label, value, change, most, work, button, closed = false }) {
  return html`<form class="program-form" onSubmit=${onSubmit(work.run)}>
    <${TextField}
      ...${VERBATIM}
      label=${label}
      value=${value}
      change=${change}
      maxlength=${most}
      required
      aria-invalid=${work.error ? "true" : undefined}
    />
    <button class="button second" disabled=${work.busy || closed}>${button}</button>
    <${ErrorNotice} error=${work.error} />
  </form>`;
}
