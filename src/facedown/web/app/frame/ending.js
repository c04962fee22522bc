// End of a game: who won and how it ended, then a rematch or the review.

import { html, useEffect, useRef } from "../html.js";
import { ErrorNotice, Link } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { isResigned, resultHeadline } from "../phrases.js";
import { go } from "../router.js";
import { sitAtNext } from "../state/seating.js";
import { gameWord, t } from "../words.js";

/** @import { GameTable, NarrationContext, Sight } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */
/** @import { TableInfo } from "../net/protocol.js" */

/** @param {{sight: Sight, screenSeats: ScreenSeats, game: GameTable|null, narration: NarrationContext}} props */
export function Ending({ sight, screenSeats, game, narration }) {
  const { table, seat } = sight;
  const headline = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
    // the focused element may be gone with the game: a hand, or the resign button
    if (!document.activeElement || document.activeElement === document.body)
      headline.current?.focus({ preventScroll: true });
  }, []);
  const again = useWork(async () => {
    const { next } = await screenSeats.speaker().do({ do: "rematch" });
    await sitAtNext(next, screenSeats.sitters());
    go(`/t/${next}`);
  });
  const inHeadline = !table.result || isResigned(table.game, table.result);
  const own = sight.view?.outcome && game?.howEnded?.(sight.view, narration);
  const why = inHeadline ? "" : (own ?? gameWord(table.game, `ending.${table.result?.termination}`, ""));
  const { number } = table.series;
  const asker = screenSeats.active().known.value.log.findLast(({ k }) => k === "rematch")?.by;
  return html`<section class="ending" aria-label=${t("ending.label")}>
    <div>
      <h2 ref=${headline} tabindex="-1">
        ${table.result && resultHeadline({ game: table.game, result: table.result, mine: seat, names: sight.names })}
      </h2>
      <p class="soft">
        ${why} ${number > 1 && t("ending.series", { n: number, wins: seriesScore(table, sight.names) })}
        ${table.continues && t("ending.went_on")}
      </p>
      ${
        table.next &&
        seat > 0 &&
        html`<p role="status">
          <bdi>${asker ? t("ending.asked", { name: sight.names(asker) }) : t("notice.next")}</bdi>
        </p>`
      }
      <${ErrorNotice} error=${again.error} />
    </div>
    <div class="ending-acts">
      <${Link} class="button second" href=${`/review/${table.id}?seat=${seat || 1}`}>${t("ending.review")}<//>
      ${
        (seat > 0 || sight.shared) &&
        html`<button class="button first" disabled=${again.busy} onClick=${again.run}>
          ${t(table.next ? "ending.accept" : "ending.rematch")}
        </button>`
      }
      ${seat === 0 && !sight.shared && html`<${Link} class="button first" href="/">${t("bar.home")}<//>`}
    </div>
  </section>`;
}

/** Wins of each seat in the series, this game included; the most first.
 * @param {TableInfo} table @param {(seat: number) => string} names */
function seriesScore({ series, result }, names) {
  const won = series.wins.map((before, i) => ({ seat: i + 1, wins: before + (result?.winner === i + 1 ? 1 : 0) }));
  return won
    .sort((a, b) => b.wins - a.wins)
    .map(({ seat, wins }) => t("ending.series_one", { name: names(seat), wins }))
    .join(t("list.comma"));
}
