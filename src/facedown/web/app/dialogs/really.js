// Dialog before what cannot be taken back: erasing oneself, signing out here or everywhere else.

import { html } from "../html.js";
import { leaveAccount } from "../net/account.js";
import { ask, dropSession, get } from "../net/api.js";
import { Link } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { renewSubscription } from "../state/push.js";
import { forgetServerSeats, forgetTokens } from "../state/saved_seats.js";
import { lang, t } from "../words.js";
import { Confirm } from "./dialog.js";

const PATHS = { erase: "/people/me", here: "/session", out: "/people/me/sessions" };

/** `done`: this device stays. @param {{what: "erase"|"here"|"out", close: () => void, done?: () => void}} props */
export function Really({ what, close, done }) {
  const work = useWork(async () => {
    await ask("DELETE", PATHS[what]);
    if (what === "out") {
      forgetTokens();
      renewSubscription();
      return done?.();
    }
    dropSession();
    leaveAccount();
    forgetServerSeats();
    go("/");
  });
  return html`<${Confirm}
    title=${t(`data.${what}.title`)}
    says=${t(`data.${what}.say`)}
    stay=${t("data.stay")}
    really=${t(`data.${what}.really`)}
    close=${close}
    work=${work}
  >
    ${what === "out" && html`<${Bots} />`}
  <//>`;
}

/** The bots of the account, whose tokens stay valid. */
function Bots() {
  /** @type {import("../parts/hooks.js").Asked<import("../net/rest.js").AccountInfo>} */
  const { value } = useRequest(() => get("/account"), []);
  if (!value?.bots?.length) return null;
  const bots = new Intl.ListFormat(lang.value).format(value.bots.map((each) => each.handle));
  return html`<p>
    ${t("data.out.bots", { bots })} <${Link} class="link" href="/account/programs">${t("data.out.programs")}<//>
  </p>`;
}
