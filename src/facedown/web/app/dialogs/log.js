// Log dialog: everything that happened at the table, in sentences.

import { sentencesOf } from "../frame/narration.js";
import { html } from "../html.js";
import { useAsked } from "../parts/hooks.js";
import { fetchHistory, withHistory } from "../state/history.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { GameTable, Sight, NarrationContext } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */

/** @param {{screenSeats: ScreenSeats, sight: Sight,
 *   game: GameTable|null, narration: NarrationContext,
 *   why: (ids: string[], sentence: string) => void, close: () => void}} props */
export function LogDialog({ screenSeats, game, narration, why, close }) {
  const { table, seat, known } = screenSeats.active();
  const { value: earlier } = useAsked(() => fetchHistory(table, seat), [table, seat]);
  const sentences = withHistory(earlier ?? [], known.value.log)
    .filter(({ k }) => k !== "sealed")
    .flatMap((event) => sentencesOf(event, game, narration))
    .reverse();
  return html`<${Dialog} class="drawer" label=${t("log.title")} close=${close}>
    <div class="sheet-head">
      <h2>${t("log.title")}</h2><button class="button second" onClick=${close}>${t("close")}</button>
    </div>
    ${sentences.length === 0 && html`<p class="empty">${t("log.empty")}</p>`}
    <ol class="log">
      ${sentences.map(
        ({ say, rules }) =>
          html`<li>
            <bdi>${say}</bdi> ${
              rules.length > 0 && html`<button class="link small" onClick=${() => why(rules, say)}>${t("why")}</button>`
            }
          </li>`,
      )}
    </ol>
  <//>`;
}
