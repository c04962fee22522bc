// Device handover: the code of another device, which lets this one in, makes it continue as the same person.

import { Confirm } from "../dialogs/dialog.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { noteSession } from "../net/account.js";
import { ask, askForSession, renewSession } from "../net/api.js";
import { ErrorNotice, Page } from "../parts/elements.js";
import { useTitle, useWork } from "../parts/hooks.js";
import { sanitized } from "../phrases.js";
import { anchor, go } from "../router.js";
import { renewSubscription } from "../state/push.js";
import { write } from "../storage.js";
import { t } from "../words.js";

/** @import { HandoverClaim } from "../net/rest.js" */

const EVERY_MS = 1000;

/** Whose account lets this device in. @param {HandoverClaim} claim */
const personOf = ({ name, handle }) => sanitized(handle ?? name);

/** Before the games of a guest are left behind. @param {{name: string, stay: () => void, leave: () => void}} props */
const Leaving = ({ name, stay, leave }) => html`<${Confirm}
  title=${t("handover.leave.title")}
  says=${t("handover.leave.say")}
  stay=${t("handover.leave.stay")}
  really=${t("handover.leave.really", { name })}
  close=${stay}
  work=${{ run: leave }}
/>`;

/** @param {{to?: string}} props the code is behind the # of the address, which browsers send to no server */
export function Handover({ to = "" }) {
  const [digits, setDigits] = useState("");
  const shown = useRef(true);
  useEffect(
    () => () => {
      shown.current = false;
    },
    [],
  );
  const [asked, setAsked] = useState(/** @type {HandoverClaim|null} */ (null));
  const [person, setPerson] = useState("");
  const take = useWork(async () => {
    const claim = await ask("POST", "/handovers", { code: anchor() });
    if (claim.games > 0) setAsked(claim);
    else await goOn(claim, false);
  });
  const leave = useWork(async () => {
    const claim = /** @type {HandoverClaim} */ (asked);
    setAsked(null);
    await goOn(claim, true);
  });
  /** @param {HandoverClaim} claim @param {boolean} leaves whether the games of a guest stay behind */
  const goOn = async (claim, leaves) => {
    setPerson(personOf(claim));
    setDigits(claim.digits);
    const session = await letIn(claim.claim, leaves).finally(() => setDigits(""));
    if (!session || !shown.current) return;
    renewSession();
    write("name", session.name);
    noteSession(session);
    renewSubscription();
    go(/^\/t\/\w+$/.test(to) ? to : "/", { instead: true });
  };
  const letIn = async (/** @type {string} */ claim, /** @type {boolean} */ leave) => {
    while (shown.current) {
      const { state, session } = await askForSession("/handovers/session", { claim, kind: "browser", leave });
      if (state === "done") return session;
      if (state === "refused") throw { code: "handover_refused" };
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
  };
  useTitle(t("handover.title"));
  return html`
    <${Page}>
      <h1>${t("handover.title")}</h1><p class="lead">${t("handover.say")}</p>
      ${
        !digits &&
        html`<p>
          <button class="button first big" disabled=${take.busy || leave.busy} onClick=${take.run}>
            ${t("handover.take")}
          </button>
        </p>`
      }
      <div role="status">
        ${
          digits &&
          html`<p class="lead">${t("handover.as", { name: person })}</p>
            <p class="lead">${t("handover.wait", { digits })}</p>`
        }
      </div>
      <${ErrorNotice} error=${take.error ?? leave.error} />
    <//>
    ${asked && html`<${Leaving} name=${personOf(asked)} stay=${() => setAsked(null)} leave=${leave.run} />`}
  `;
}
