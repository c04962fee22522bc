// Another device: the link with which the same person continues there.

import { html, useEffect, useState } from "../html.js";
import { ask, guestSession } from "../net/api.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { useNow, useWork } from "../parts/hooks.js";
import { ShareLink } from "../parts/sharing.js";
import { reach } from "../state/reach.js";
import { formatTime } from "../table/seats.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { TableDialogProps } from "./dialog.js" */

/** The device that asks to come in with a code that is shown here. @param {boolean} isShown @param {() => void} over
 * @returns {{state: string, digits: string, app: string, system: string}|null} */
function useAsking(isShown, over) {
  const [asking, setAsking] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!isShown) return undefined;
    let wanted = true;
    const timer = setInterval(async () => {
      const found = await ask("GET", "/session/handover").catch(() => null); // the next second brings another try
      if (!wanted) return;
      setAsking(found);
      if (found?.state === "none") over();
    }, 1000);
    return () => {
      wanted = false;
      clearInterval(timer);
      setAsking(null);
    };
  }, [isShown]);
  return asking;
}

/** @param {{table?: string}} props the table that the other device opens */
export function OtherDevice({ table }) {
  const [made, setMade] = useState(/** @type {import("../net/rest.js").Handover|null} */ (null));
  const make = useWork(async () => {
    await guestSession();
    setMade(await ask("POST", "/session/handover", table ? { table } : {}));
  });
  const [said, setSaid] = useState("");
  const asking = useAsking(made !== null, () => setMade(null));
  const answer = useWork(async (/** @type {boolean} */ allow) => {
    await ask("POST", "/session/handover/answer", { digits: asking?.digits, allow });
    setMade(null);
    setSaid(t(allow ? "device.allowed" : "device.refused"));
  });
  const address = made?.link ?? "";
  const door = reach.value?.address;
  useEffect(() => {
    if (made) make.run(); // the QR code has to lead to the new address
  }, [door]);
  if (!made)
    return html`
      <p role="status">${said}</p>
      <${Button} work=${make}>${t("settings.device.make")}<//>
      <${ErrorNotice} error=${make.error} />
    `;
  if (asking?.state === "claimed") {
    const device = asking.app && asking.system ? t("device.name", asking) : asking.app || t("device.unknown");
    return html`
      <p class="lead" role="status">${t("device.ask", { device, digits: asking.digits })}</p>
      <div class="row">
        <${Button} work=${answer} class="button first" of=${true}>${t("device.allow")}<//>
        <${Button} work=${answer} of=${false}>${t("device.refuse")}<//>
      </div>
      <${ErrorNotice} error=${answer.error} />
    `;
  }
  // The picture came with the code: only the link contains it, and looking at it does not use it up.
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
    <${TimeLeft} until=${made.expires_at} />
    <${ShareLink} address=${address} first=${false} />
  `;
}

/** How long a code is valid, counted down; a screen reader is not interrupted. @param {{until: number}} props */
function TimeLeft({ until }) {
  const time = formatTime(until - useNow(1000));
  return html`<p class="small quiet numbers">${t("device.left", { time })}</p>`;
}

/** The same over a table. @param {TableDialogProps} props */
export function DeviceDialog({ sight, close }) {
  return html`<${Dialog} label=${t("settings.device")} close=${close}>
    <h2>${t("settings.device")}</h2>
    <p class="gap-after">${t("device.say")}</p>
    <${OtherDevice} table=${sight.table.id} />
    <div class="row"><button class="button second" onClick=${close}>${t("close")}</button></div>
  <//>`;
}
