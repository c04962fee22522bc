// Continuing from a position of a finished game against machines: the button in the review, the note at such a table.

import { html } from "../html.js";
import { ErrorNotice, Link } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { continueGame } from "../state/seating.js";
import { t } from "../words.js";

/** Continues the game from a decision. @param {{table: string, game: string, seat: number, at: number}} props */
export function ContinueButton({ table, game, seat, at }) {
  const { run, busy, error } = useWork(async () => go(`/t/${await continueGame(table, game, at, seat)}`));
  return html`<div class="go-on">
    <button class="button second" disabled=${busy} onClick=${run}>${t("review.continue")}</button>
    <p class="small quiet">${t("review.continue.say", { n: at + 1 })}</p>
    <${ErrorNotice} error=${error} />
  </div>`;
}

/** Which game and play a game was continued from, with a link to it.
 * @param {{continues: {table: string, decisions: number}, seat: number}} props */
export function ContinuedFrom({ continues: { table, decisions }, seat }) {
  return html`
    ${t("continued", { n: decisions + 1 })} <${Link} class="link" href=${`/review/${table}?seat=${seat || 1}`}>
      ${t("continued.there")}
    <//>
  `;
}
