// Share dialog of a finished game: makes it readable by its link, and offers the link and a picture of the result.

import { html, useMemo } from "../html.js";
import { ask, tablePath, ulid } from "../net/api.js";
import { ErrorNotice } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { pngOf, resultSvg, svgAddress } from "../parts/result_picture.js";
import { ShareLink, saveFile } from "../parts/sharing.js";
import { savedSeat } from "../state/saved_seats.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { Result } from "../parts/result_picture.js" */

/** Lets everyone who has the link read a finished game; for those who played it.
 * @param {string} table @param {number} seat */
async function makeReadable(table, seat) {
  const { token } = savedSeat(table, seat);
  await ask(
    "POST",
    `${tablePath(table)}/commands`,
    { id: ulid(), do: "share" },
    token ? { "Facedown-Seat": token } : {},
  );
}

/** @param {{table: string, seat: number, mine: boolean, result: Result, close: () => void}} props */
export function ShareDialog({ table, seat, mine, result, close }) {
  const shared = useRequest(async () => (mine ? makeReadable(table, seat) : null), [table]);
  const svg = useMemo(() => resultSvg(result), [result.headline]);
  const save = useWork(async () => {
    const picture = await pngOf(svg);
    if (!picture) throw { code: "unsupported_picture" };
    if (navigator.canShare?.({ files: [picture] })) return navigator.share({ files: [picture] }).catch(() => {});
    saveFile(picture.name, picture);
  });
  const address = `${location.origin}/review/${table}?seat=${seat}`;
  return html`<${Dialog} label=${t("share.game")} close=${close}>
    <h2>${t("share.game")}</h2>
    <img class="result-picture" src=${svgAddress(svg)} alt=${result.headline} width="1200" height="630" />
    <${ErrorNotice} error=${shared.error} again=${shared.again} />
    ${
      !shared.error &&
      !shared.loading &&
      html`
        <p>${t("share.anyone")}</p>
        <${ShareLink} address=${address} text=${`${result.game}: ${result.headline}`} title="Facedown" />
      `
    }
    <${ErrorNotice} error=${save.error} />
    <div class="row">
      <button class="button second" disabled=${save.busy} onClick=${save.run}>${t("share.picture")}</button>
      <button class="button second" onClick=${close}>${t("close")}</button>
    </div>
  <//>`;
}
