// End of a game: who won and how it ended, then a rematch or the review.

import { html } from "../html.js";
import { Link } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { isResigned, resultHeadline } from "../phrases.js";
import { go } from "../router.js";
import { sitAtNext } from "../state/seating.js";
import { gameWord, t } from "../words.js";

/** @import { Sight, Words } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */

/** @param {{sight: Sight, screenSeats: ScreenSeats,
 *   words: Words}} props */
export function Ending({ sight, screenSeats }) {
  const { table, seat } = sight;
  const again = useWork(async () => {
    const { next } = await screenSeats.speaker().do({ do: "rematch" });
    await sitAtNext(
      next,
      screenSeats.sessions.peek().map((session) => session.seat),
    );
    go(`/t/${next}`);
  });
  const told = !table.result || isResigned(table.game, table.result); // by the headline
  const why = told ? "" : gameWord(table.game, `termination.${table.result?.termination}`, "");
  const { number, wins } = table.series;
  return html`<section class="ending" aria-label=${t("ending.label")}>
    <div>
      <h2>
        ${table.result && resultHeadline({ game: table.game, result: table.result, mine: seat, names: sight.names })}
      </h2>
      <p class="soft">
        ${why} ${number > 1 && t("ending.series", { n: number, wins: wins.join("–") })}
        ${table.continues && t("ending.went_on")}
      </p>
    </div>
    <div class="ending-acts">
      <${Link} class="button second" href=${`/review/${table.id}?seat=${seat || 1}`}>${t("ending.review")}<//>
      ${
        (seat > 0 || sight.shared) &&
        html`<button class="button first" disabled=${again.busy} onClick=${again.run}>
          ${t("ending.rematch")}
        </button>`
      }
      ${seat === 0 && !sight.shared && html`<${Link} class="button first" href="/">${t("bar.home")}<//>`}
    </div>
  </section>`;
}
