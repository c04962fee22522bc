// Share dialog of a finished game: its deciding reveal as a film, a picture of its result, and its link. Nothing is
// published by opening it; the game becomes readable with the first link that is copied or shared.

import { Dialog } from "../dialogs/dialog.js";
import { html, useState } from "../html.js";
import { ask, tablePath } from "../net/api.js";
import { isLocal } from "../net/place.js";
import { ErrorNotice } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { fontRules, pngOf, resultOf, resultSvg, svgAddress } from "../parts/result_picture.js";
import { ShareLink, saveFile } from "../parts/sharing.js";
import { motion } from "../settings.js";
import { tableOf, titleOf } from "../state/games.js";
import { asSeat } from "../state/saved_seats.js";
import { commandAs } from "../state/seating.js";
import { sentences, t, wordsOf } from "../words.js";
import { say, useTexts } from "./words.js";

/** @import { Result } from "../parts/result_picture.js" */

/** The picture of a finished game as this reader may show it. @param {string} id @param {number} you 0 for a spectator
 * @param {string[]} names */
async function draw(id, you, names) {
  const { table, view } = await ask("GET", tablePath(id), undefined, you ? asSeat(id, you) : {});
  const [game, fonts] = await Promise.all([tableOf(table.game), fontRules().catch(() => "")]);
  const title = titleOf(table.game);
  const named = (/** @type {number} */ seat) => names[seat - 1] ?? "";
  const result = resultOf({ table, view, game, words: wordsOf(table.game), you, title, names: named });
  return { result, fonts, svg: resultSvg(result, fonts) };
}

/** @param {{table: string, seat: number, mine: boolean, names: string[], close: () => void}} props `names`: by seat */
export function ShareDialog({ table, seat, mine, names, close }) {
  const drawn = useRequest(() => draw(table, mine ? seat : 0, names), [table]);
  const { result } = drawn.value ?? {};
  const films = useRequest(() => import("./reveal.js"), []);
  const ready = useTexts();
  const isFilm = Boolean(result && films.value?.hasReveal(result));
  const moves = isFilm && Boolean(films.value?.canRecord());
  const [chosen, choose] = useState("");
  const publish = mine ? () => commandAs(table, seat, "share") : undefined; // those who played may do so
  const shown = chosen || (moves && motion.value === "full" ? "film" : "picture");
  return html`<${Dialog} label=${t("share.game")} close=${close}>
    <h2>${t("share.game")}</h2>
    <${ErrorNotice} error=${drawn.error} />
    ${
      moves &&
      ready &&
      html`<div class="tabs share-kinds" role="group" aria-label=${say("kinds")}>
        ${["film", "picture"].map(
          (kind) => html`<button aria-pressed=${shown === kind} onClick=${() => choose(kind)}>
            ${say(`kind.${kind}`)}
          </button>`,
        )}
      </div>`
    }
    ${isFilm && !moves && ready && html`<p class="small soft">${say("film.none")}</p>`}
    ${
      shown === "film" && drawn.value && films.value
        ? html`<${films.value.RevealFilm} ...${drawn.value} />`
        : html`<${Picture} svg=${drawn.value?.svg ?? ""} result=${result} loading=${drawn.loading || films.loading} />`
    }
    ${
      !isLocal(table) &&
      html`
        <h3 class="share-next">${t("share.link")}</h3>
        <p class="small">${sentences(t("share.anyone"), ready && result && namesIn(result, mine))}</p>
        <${ShareLink}
          address=${`${location.origin}/review/${table}?seat=${seat}`}
          text=${result ? `${result.title}: ${result.headline}` : ""}
          before=${publish}
          first=${false}
        />
      `
    }
    <div class="row"><button class="button second" onClick=${close}>${t("close")}</button></div>
  <//>`;
}

/** Whom the link names. @param {Result} result @param {boolean} mine */
const namesIn = ({ winner, you }, mine) =>
  winner === null ? say("names.drawn") : mine && winner !== you ? say("names.lost") : say("names.won");

/** The picture of the result, with what can be done with it.
 * @param {{svg: string, result?: Result, loading: boolean}} props */
function Picture({ svg, result, loading }) {
  const share = useWork(async () => {
    const file = await pngOf(svg);
    if (!file) throw { code: "unsupported_picture" };
    if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => {});
    saveFile(file.name, file);
  });
  const sheet =
    typeof navigator.canShare === "function" &&
    navigator.canShare({ files: [new File([], "a.png", { type: "image/png" })] });
  const { headline = "", story = "" } = result ?? {};
  return html`
    <${ErrorNotice} error=${share.error} />
    <div class="result-picture" aria-busy=${loading}>
      ${svg && html`<img src=${svgAddress(svg)} alt=${`${headline}. ${story}`} width="1200" height="630" />`}
    </div>
    <p class="row">
      <button class="button first" disabled=${!svg || share.busy} onClick=${share.run}>
        ${t(sheet ? "share.picture" : "share.save")}
      </button>
    </p>
  `;
}
