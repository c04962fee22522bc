// A link that makes another device go on as the same person; from a table it leads back to that table.

import { html, useState } from "../html.js";
import { ask, session } from "../net/api.js";
import { t } from "../words.js";
import { Sheet } from "./sheet.js";
import { Trouble } from "./trouble.js";
import { useWork } from "./use.js";

/** @param {{table?: string}} props where the other device goes on */
export function OtherDevice({ table }) {
  const [made, setMade] = useState(/** @type {{link: string, qr: string}|null} */ (null));
  const [copied, setCopied] = useState(false);
  const make = useWork(async () => {
    await session();
    setMade(await ask("POST", "/session/handover", table ? { table } : {}));
  });
  const address = made?.link ?? "";
  const share = async () => {
    if (navigator.share && matchMedia("(pointer: coarse)").matches)
      return navigator.share({ url: address }).catch(() => {});
    await navigator.clipboard?.writeText(address);
    setCopied(true);
  };
  if (!made)
    return html`
      <button class="button second" disabled=${make.busy} onClick=${make.run}>${t("settings.device.make")}</button>
      <${Trouble} error=${make.error} />
    `;
  // The picture came with the code: no address but the link holds it, and to look at it uses nothing up.
  return html`
    <p class="device-qr">
      <span class="qr-frame">
        <img
          class="qr"
          src=${`data:image/svg+xml,${encodeURIComponent(made.qr)}`}
          alt=${t("lobby.qr")}
          width="224"
          height="224"
        />
      </span>
    </p>
    <p><code class="address">${address}</code></p>
    <p><button class="button second" onClick=${share}>${t(copied ? "lobby.copied" : "lobby.share")}</button></p>
  `;
}

/** The same over a table. @param {{table: string, close: () => void}} props */
export function DeviceSheet({ table, close }) {
  return html`<${Sheet} label=${t("settings.device")} close=${close}>
    <h2>${t("settings.device")}</h2>
    <p class="gap-after">${t("device.say")}</p>
    <${OtherDevice} table=${table} />
    <div class="row"><button class="button second" onClick=${close}>${t("close")}</button></div>
  <//>`;
}
