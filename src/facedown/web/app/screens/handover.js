// Device handover: the code of another device, which lets this one in, makes it continue as the same person.

import { html, useEffect, useRef, useState } from "../html.js";
import { noteSession } from "../net/account.js";
import { ask, askForSession, renewSession } from "../net/api.js";
import { Bar, ErrorNotice } from "../parts/elements.js";
import { useTitle, useWork } from "../parts/hooks.js";
import { anchor, go } from "../router.js";
import { renewSubscription } from "../state/push.js";
import { write } from "../storage.js";
import { t } from "../words.js";

const EVERY_MS = 1000;

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
  const take = useWork(async () => {
    const { claim, digits } = await ask("POST", "/handovers", { code: anchor() });
    setDigits(digits);
    const session = await letIn(claim).finally(() => setDigits(""));
    if (!session || !shown.current) return;
    renewSession();
    write("name", session.name);
    noteSession(session);
    renewSubscription();
    go(/^\/t\/\w+$/.test(to) ? to : "/", { instead: true });
  });
  const letIn = async (/** @type {string} */ claim) => {
    while (shown.current) {
      const { state, session } = await askForSession("/handovers/session", { claim, kind: "browser" });
      if (state === "done") return session;
      if (state === "refused") throw { code: "handover_refused" };
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
  };
  useTitle(t("handover.title"));
  return html`
    <${Bar} />
    <main class="page">
      <h1>${t("handover.title")}</h1><p class="lead">${t("handover.say")}</p>
      ${
        !digits &&
        html`<p>
          <button class="button first big" disabled=${take.busy} onClick=${take.run}>${t("handover.take")}</button>
        </p>`
      }
      <p class="lead" role="status">${digits && t("handover.wait", { digits })}</p>
      <${ErrorNotice} error=${take.error} />
    </main>
  `;
}
