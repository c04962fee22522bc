// The end of a game: who won and how it ended, then another game or a look back.

import { html } from "../html.js";
import { go, Link } from "../router.js";
import { sitAtNext } from "../state/seating.js";
import { gameWord, t } from "../words.js";
import { useWork } from "./use.js";

/** @import { Sight, Words } from "../contract.js" */
/** @import { Company } from "../state/company.js" */

/** Who won, in a few words; with the score where two played for one.
 * @param {{game: string, result: {winner: number|null, score?: number[]}, mine: number,
 *   names: (seat: number) => string}} ended */
export function headline({ game, result, mine, names }) {
  const [most, least, ...others] = [...(result.score ?? [])].sort((a, b) => b - a);
  const two = least !== undefined && others.length === 0;
  const score = two ? gameWord(game, "score", t("ending.score", { most, least }), { most, least }) : "";
  if (result.winner === null) return t("ending.drawn", { score });
  if (result.winner === mine) return t("ending.won", { score });
  return t("ending.lost", { name: names(result.winner), score });
}

/** @param {{sight: Sight, company: Company,
 *   words: Words}} props */
export function Ending({ sight, company }) {
  const { table, seat } = sight;
  const again = useWork(async () => {
    const { next } = await company.active().do({ do: "rematch" });
    await sitAtNext(
      next,
      company.places.peek().map((place) => place.seat),
    );
    go(`/t/${next}`);
  });
  const why = table.result ? gameWord(table.game, `termination.${table.result.termination}`, "") : "";
  const { number, wins } = table.series;
  return html`<section class="ending" aria-label=${t("ending.label")}>
    <div>
      <h2>
        ${
          table.result &&
          headline({ game: table.game, result: table.result, mine: table.hotseat ? 0 : seat, names: sight.names })
        }
      </h2>
      <p class="soft">
        ${why} ${number > 1 && t("ending.series", { n: number, wins: wins.join("–") })}
        ${table.continues && t("ending.went_on")}
      </p>
    </div>
    <div class="ending-acts">
      <${Link} class="button second" href=${`/review/${table.id}?seat=${seat || 1}`}>${t("ending.review")}<//>
      ${
        seat > 0 &&
        html`<button class="button first" disabled=${again.busy} onClick=${again.run}>
          ${t("ending.rematch")}
        </button>`
      }
      ${seat === 0 && html`<${Link} class="button first" href="/">${t("bar.home")}<//>`}
    </div>
  </section>`;
}
