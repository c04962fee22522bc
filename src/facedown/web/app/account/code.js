// A recovery code that is shown once: on a slip of paper, to be copied, printed or saved, and two groups of it asked
// back. It is never in an address, a title or an announcement.

import { html, onSubmit, signal, useState } from "../html.js";
import { noteSession } from "../net/account.js";
import { askForSession, renewSession } from "../net/api.js";
import { ErrorNotice } from "../parts/elements.js";
import { TextField, VERBATIM } from "../parts/fields.js";
import { useWork } from "../parts/hooks.js";
import { Seal, Sign } from "../parts/marks.js";
import { saveFile, useCopy } from "../parts/sharing.js";
import { renewSubscription } from "../state/push.js";
import { forgetTokens } from "../state/saved_seats.js";
import { StepHead } from "./steps.js";
import { say } from "./words.js";

/** @import { Signal } from "@preact/signals" */
/** @import { NewCode } from "../net/rest.js" */

/** A code that waits to be confirmed, and why it was made; only in this page's memory.
 * @type {Signal<{code: NewCode, why: "keep"|"new", handle: string}|null>} */
export const waitingCode = signal(null);

/** The code, and its confirmation. @param {{done: () => void, leave: () => void}} props */
export function CodeStep({ done, leave }) {
  const waiting = waitingCode.value;
  if (!waiting) return null;
  const { code, why, handle } = waiting;
  const end = (/** @type {() => void} */ then) => () => {
    waitingCode.value = null;
    then();
  };
  return html`
    <${StepHead} title=${say(`code.title.${why}`)} says=${say(`code.say.${why}`)} />
    <${Slip} code=${code.code} handle=${handle} />
    <${AskedBack} asked=${code.ask} why=${why} done=${end(done)} />
    <div class="wrap account-leave small quiet">
      <button class="link" onClick=${end(leave)}>${say("keep.not_now")}</button> ${say(`code.not_now.${why}`)}
    </div>
  `;
}

/** @param {{code: string, handle: string}} props */
function Slip({ code, handle }) {
  const { shown: groups, copied, copy } = useCopy(code);
  const text = say("code.file_text", { site: location.host, handle, code });
  return html`
    <div class="slip" data-nosnippet>
      <p class="slip-head">${say("code.slip", { site: location.host, handle })}</p>
      <ol class="slip-groups" aria-label=${say("code.label")} ref=${groups}>
        ${code.split("-").map((group) => html`<li key=${group}><code translate="no">${group}</code> </li>`)}
      </ol>
      <${Seal} class="slip-seal" />
    </div>
    <div class="wrap account-acts">
      <button class="button second" onClick=${copy}>
        <${Sign} class="account-icon" of="copy" />${say(copied === "copied" ? "code.copied" : "code.copy")}
      </button>
      <button class="button second" onClick=${() => print()}>
        <${Sign} class="account-icon" of="print" />${say("code.print")}
      </button>
      <button class="button second" onClick=${() => saveFile("facedown-code.txt", new Blob([text]))}>
        ${say("code.file")}
      </button>
    </div>
    <p class="small" role="status">${copied && say(`code.${copied}.say`)}</p>
  `;
}

/** @param {{asked: readonly number[], why: string, done: () => void}} props */
function AskedBack({ asked, why, done }) {
  const [typed, setTyped] = useState(() => asked.map(() => ""));
  const confirm = useWork(async () => {
    try {
      const groups = typed.map((text, place) => groupIn(text, asked[place]));
      noteSession(await askForSession("/account/code/confirm", { groups }));
    } catch (error) {
      throw inPlace(error);
    }
    renewSession();
    if (why === "keep") {
      forgetTokens(); // the server has ended those that others may know
      renewSubscription();
    }
    done();
  });
  return html`<form class="asked-back" onSubmit=${onSubmit(confirm.run)}>
    <h2>${say("code.asked")}</h2>
    <div class="wrap asked-fields">
      ${asked.map(
        (number, place) => html`<${TextField}
          ...${CODE}
          key=${number}
          label=${say(`code.group.${number}`)}
          value=${typed[place]}
          change=${(/** @type {string} */ text) => setTyped(typed.with(place, text))}
          maxlength="64"
          aria-invalid=${confirm.error ? "true" : undefined}
        />`,
      )}
      <button class="button first" disabled=${confirm.busy}>${say(`code.confirm.${why}`)}</button>
    </div>
    <${ErrorNotice} error=${confirm.error} />
  </form>`;
}

/** Attributes of a field for a code. */
export const CODE = { ...VERBATIM, class: "code-field", autocapitalize: "characters", required: true };

const GROUP = 4;
const WHOLE = 32;

/** The group that is meant, also when the whole code was pasted. @param {string} text @param {number} number from 1 */
function groupIn(text, number) {
  const letters = text.replace(/[\W_]/g, "");
  return letters.length === WHOLE ? letters.slice((number - 1) * GROUP, number * GROUP) : letters.slice(0, 2 * GROUP);
}

/** @type {Record<string, string>} */
const MEANINGS = { wrong_code: "wrong_groups", not_now: "code_expired" };

/** What an error means for two groups of a code. @param {any} error */
const inPlace = (error) => (MEANINGS[error.code] ? { code: MEANINGS[error.code] } : error);
