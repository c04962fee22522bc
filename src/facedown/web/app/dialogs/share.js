// Share dialog of a finished game: a picture of its result, and its link. Nothing is published by opening it; the game
// becomes readable with the first link that is copied or shared.

import { html } from "../html.js";
import { ask, tablePath, ulid } from "../net/api.js";
import { isLocal } from "../net/place.js";
import { ErrorNotice } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { fontRules, pngOf, resultOf, resultSvg, svgAddress } from "../parts/result_picture.js";
import { ShareLink, saveFile } from "../parts/sharing.js";
import { tableOf, titleOf } from "../state/games.js";
import { savedSeat } from "../state/saved_seats.js";
import { t, wordsOf } from "../words.js";
import { Dialog } from "./dialog.js";

/** @param {string} table @param {number} seat */
function asSeat(table, seat) {
  const { token } = savedSeat(table, seat);
  return /** @type {Record<string, string>} */ (token ? { "Facedown-Seat": token } : {});
}

/** Lets everyone who has the link read a finished game; for those who played it.
 * @param {string} table @param {number} seat */
const makeReadable = (table, seat) =>
  ask("POST", `${tablePath(table)}/commands`, { id: ulid(), do: "share" }, asSeat(table, seat));

/** The picture of a finished game as this reader may show it. @param {string} id @param {number} you 0 for a spectator
 * @param {string[]} names */
async function draw(id, you, names) {
  const { table, view } = await ask("GET", tablePath(id), undefined, you ? asSeat(id, you) : {});
  const [game, fonts] = await Promise.all([tableOf(table.game), fontRules().catch(() => "")]);
  const title = titleOf(table.game);
  const named = (/** @type {number} */ seat) => names[seat - 1] ?? "";
  const result = resultOf({ table, view, game, words: wordsOf(table.game), you, title, names: named });
  return { ...result, svg: resultSvg(result, fonts) };
}

/** @param {{table: string, seat: number, mine: boolean, names: string[], close: () => void}} props `names`: by seat */
export function ShareDialog({ table, seat, mine, names, close }) {
  const drawn = useRequest(() => draw(table, mine ? seat : 0, names), [table]);
  const { svg = "", headline = "", title = "", story = "" } = drawn.value ?? {};
  const picture = async () => {
    const made = await pngOf(svg);
    if (!made) throw { code: "unsupported_picture" };
    return made;
  };
  const share = useWork(async () => {
    const file = await picture();
    if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => {});
    saveFile(file.name, file);
  });
  const copy = useWork(async () => navigator.clipboard.write([new ClipboardItem({ "image/png": picture() })]));
  const sheet =
    typeof navigator.canShare === "function" &&
    navigator.canShare({ files: [new File([], "a.png", { type: "image/png" })] });
  const mayCopy = typeof ClipboardItem === "function" && Boolean(navigator.clipboard?.write);
  return html`<${Dialog} label=${t("share.game")} close=${close}>
    <h2>${t("share.game")}</h2>
    <${ErrorNotice} error=${drawn.error ?? share.error ?? copy.error} />
    <div class="result-picture" aria-busy=${drawn.loading}>
      ${svg && html`<img src=${svgAddress(svg)} alt=${`${headline}. ${story}`} width="1200" height="630" />`}
    </div>
    <p class="row">
      <button class="button first" disabled=${!svg || share.busy} onClick=${share.run}>
        ${t(sheet ? "share.picture" : "share.save")}
      </button>
      ${
        mayCopy &&
        html`<button class="button second" disabled=${!svg || copy.busy} onClick=${copy.run}>
          ${t("share.copy")}
        </button>`
      }
    </p>
    ${
      !isLocal(table) &&
      html`
        <h3>${t("share.link")}</h3>
        <p class="small">${t("share.anyone")}</p>
        <${ShareLink}
          address=${`${location.origin}/review/${table}?seat=${seat}`}
          text=${`${title}: ${headline}`}
          before=${mine ? () => makeReadable(table, seat) : undefined}
          first=${false}
        />
      `
    }
    <div class="row"><button class="button second" onClick=${close}>${t("close")}</button></div>
  <//>`;
}
