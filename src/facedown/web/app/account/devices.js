// The devices of an account: each with its program and system, when it was used last, and a button that signs it out.

import { Really } from "../dialogs/really.js";
import { html, useState } from "../html.js";
import { ask } from "../net/api.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { Sign } from "../parts/marks.js";
import { day } from "../phrases.js";
import { say } from "./words.js";

/** @import { AccountInfo, DeviceInfo } from "../net/rest.js" */

const PHONES = ["Android", "iPhone", "iPad"];
/** @param {DeviceInfo} device */
const kindOf = ({ kind, system }) => (kind === "program" ? "program" : PHONES.includes(system) ? "phone" : "computer");

/** @param {{account: AccountInfo, again: () => void}} props */
export function Devices({ account, again }) {
  const [asks, setAsks] = useState(false);
  const [done, setDone] = useState("");
  const others = account.devices.some(({ current }) => !current);
  const end = useWork(async (/** @type {DeviceInfo} */ device) => {
    await ask("DELETE", `/account/keys/${encodeURIComponent(device.id)}`);
    setDone(say("device.out.done", { device: nameOf(device) }));
    again();
  });
  const allOut = () => {
    setAsks(false);
    setDone(say("device.all_out"));
    again();
  };
  return html`<section class="devices">
    <div class="list-head">
      <h2 tabindex="-1">${say("account.signed_in")}</h2>
      ${others && html`<button class="link small" onClick=${() => setAsks(true)}>${say("device.all")}</button>`}
    </div>
    <ul class="list">
      ${account.devices.map(
        (device) => html`<li key=${device.id}>
          <${Sign} class="account-icon" of=${kindOf(device)} />
          <span class="who">${say(device.current ? "device.here" : `device.${kindOf(device)}`)}</span>
          <span class="quiet">${nameOf(device)}</span>
          ${device.made === "code" && html`<span class="quiet">${say("device.by_code")}</span>`}
          <span class="state quiet">
            ${device.current ? say("device.now") : html`<${LastUse} at=${device.used_at} />`}
          </span>
          ${
            !device.current &&
            html`<${Button}
              work=${end}
              class="link"
              aria-label=${say("device.out_of", { device: nameOf(device) })}
              of=${device}
            >
              ${say("device.out")}
            <//>`
          }
        </li>`,
      )}
    </ul>
    <p class="small" role="status">${done}</p>
    <${ErrorNotice} error=${end.error} />
    ${asks && html`<${Really} what="out" close=${() => setAsks(false)} done=${allOut} />`}
  </section>`;
}

/** @param {{at: number}} props */
const LastUse = ({ at }) => html`<time datetime=${new Date(at).toISOString()}>${day(at)}</time>`;

/** @param {{app: string, system: string}} device */
export const nameOf = ({ app, system }) =>
  [app, system].filter(Boolean).join(say("device.comma")) || say("device.unknown");
