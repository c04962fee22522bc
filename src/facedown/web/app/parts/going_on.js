// From a position of a finished game against machines: the button in the review, and what such a game says of itself.

import { html } from "../html.js";
import { go, Link } from "../router.js";
import { goOn } from "../state/seating.js";
import { t } from "../words.js";
import { Trouble } from "./trouble.js";
import { useWork } from "./use.js";

/** Play this play anew, and on from there. @param {{table: string, game: string, seat: number, at: number}} props */
export function GoOn({ table, game, seat, at }) {
  const { run, busy, error } = useWork(async () => go(`/t/${await goOn(table, game, at, seat)}`));
  return html`<div class="go-on">
    <button class="button second" disabled=${busy} onClick=${run}>${t("review.go_on")}</button>
    <p class="small quiet">${t("review.go_on.say", { n: at + 1 })}</p>
    <${Trouble} error=${error} />
  </div>`;
}

/** Where a game goes on from; with the way there.
 * @param {{continues: {table: string, decisions: number}, seat: number}} props */
export function WentOn({ continues: { table, decisions }, seat }) {
  return html`
    ${t("went_on", { n: decisions + 1 })} <${Link} class="link" href=${`/review/${table}?seat=${seat || 1}`}>
      ${t("went_on.there")}
    <//>
  `;
}
