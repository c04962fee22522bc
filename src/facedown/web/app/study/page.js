// Page of a study: the bar, and the game that the address names where it can be studied in this way.

import { html } from "../html.js";
import { Bar } from "../parts/bar.js";
import { ErrorNotice } from "../parts/elements.js";
import { useAsked, useTitle } from "../parts/hooks.js";
import { allGames, games } from "../state/games.js";
import { t } from "../words.js";
import { useStudyTexts } from "./texts.js";

/** @import { GameInfo } from "../net/rest.js" */

/** Without `game`, the first that there is.
 * @param {{title: () => string, game?: string, offers: (info: GameInfo) => boolean,
 *   children: (info: GameInfo) => any}} props */
export function StudyPage({ title, game, offers, children }) {
  const ready = useStudyTexts();
  const { error, again } = useAsked(allGames, []);
  useTitle(ready ? title() : "");
  const all = (games.value ?? []).filter(offers);
  const info = all.find((each) => each.name === game) ?? (game ? null : all[0]);
  return html`
    <${Bar} />
    <main class="page study" aria-busy=${!ready}>
      <${ErrorNotice} error=${error} again=${again} />
      ${ready && games.value && !info && html`<h1>${t("lost.title")}</h1><p class="lead">${t("lost.say")}</p>`}
      ${ready && info && children(info)}
    </main>
  `;
}
