// What people of this server picked in a position: beside perfect play in the explorer, and in a review.

import { html, onValue } from "../html.js";
import { hadSession } from "../net/api.js";
import { tenths, withOwnPercent } from "../review/numbers.js";
import { lang, wordsOf } from "../words.js";
import { useStudy } from "./asking.js";
import { say, useTexts } from "./words.js";

/** @import { GameTable } from "../contract.js" */
/** @import { CrowdAnswer, CrowdInfo } from "../net/rest.js" */

/** What people picked in a position; null until it is known, and if it cannot be. An empty `band` is everybody.
 * @param {string} game @param {string} rules @param {string} at @param {string} band @returns {CrowdInfo|null} */
export function useCrowd(game, rules, at, band) {
  const asked = new URLSearchParams({ rules, at, band: band || "all" });
  const study = useStudy(`/games/${game}/people?${asked}`, [lang.value]);
  return study.loading ? null : study.value;
}

/** Whose picks are shown, where there is a choice.
 * @param {{bands: string[], band: string, choose: (band: string) => void}} props */
export function BandChoice({ bands, band, choose }) {
  if (bands.length < 2 && !band) return null;
  const offered = ["", ...(hadSession() ? ["own"] : []), ...bands];
  const shown = offered.includes(band) ? offered : [...offered, band];
  return html`<div class="study-rules">
    <label>
      <span>${say("explore.people")}</span>
      <select onChange=${onValue(choose)}>
        ${shown.map(
          (each) => html`<option value=${each} selected=${each === band}>
            ${say(`explore.band.${each || "all"}`)}
          </option>`,
        )}
      </select>
    </label>
  </div>`;
}

/** The share of people who make a pick, with its bar. @param {{share: number}} props */
export const PeoplesShare = ({ share }) =>
  html`<span class="study-share study-people" style=${{ "--part": share }}>${tenths(share)}</span>`;

/** How many people that are, and what the best answer to them earns. @param {{crowd: CrowdAnswer}} props */
export function BestAnswer({ crowd }) {
  const picks = crowd.picks.reduce((sum, each) => sum + each.times, 0);
  return html`
    ${crowd.say.map((each) => html`<p class="study-best">${withOwnPercent(each)}</p>`)}
    <p class="small quiet">${say("explore.people_count", { count: crowd.people, picks })}</p>
  `;
}

/** In a review: what people picked where this play was made. Nothing, where too few have been there.
 * @param {{record: any, at: string, table: GameTable, judged: any, mine: boolean, name: string}} props */
export function PeopleHere({ record, at, table, judged, mine, name }) {
  const ready = useTexts();
  const crowd = useCrowd(record.game, record.rules, at, "");
  if (!ready || !crowd || crowd.sides.length === 0) return null;
  const own = sideOf(crowd, judged);
  const share = own?.picks.find((each) => each.pick === judged.pick)?.share;
  return html`<div class="study review-people" aria-live="off">
    <h3>${say("explore.people")}</h3>
    ${
      share !== undefined &&
      html`<p>${say(mine ? "explore.people_own" : "explore.people_of", { share: tenths(share), name })}</p>`
    }
    ${crowd.sides.map(
      (side) => html`<div class="review-people-side" key=${side.side}>
        <${SidePicks} side=${side} table=${table} game=${record.game} perfect=${side === own ? judged.advice : null} />
        <${BestAnswer} crowd=${side} />
      </div>`,
    )}
    <p class="small quiet">${say("explore.people_after")}</p>
  </div>`;
}

/** The side on which the reviewed player picked: the one that has all the picks of the advice.
 * @param {CrowdInfo} crowd @param {any} judged */
function sideOf(crowd, judged) {
  if (!judged) return undefined;
  const picks = [judged.pick, ...Object.keys(judged.advice ?? {})];
  const fitting = crowd.sides.filter((side) => picks.every((pick) => side.picks.some((each) => each.pick === pick)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** @param {{side: CrowdAnswer, table: GameTable, game: string, perfect: Record<string, number>|null}} props */
function SidePicks({ side, table, game, perfect }) {
  return html`<div class="study-scroll" tabindex="0" role="group" aria-label=${side.who}>
    <table class="study-picks numbers">
      <thead>
        <tr>
          <th scope="col">${side.who}</th>
          ${perfect && html`<th scope="col">${say("explore.perfect")}</th>`}
          <th scope="col">${say("explore.people")}</th>
        </tr>
      </thead>
      <tbody>
        ${side.picks.map(
          (each) => html`<tr key=${each.pick}>
            <th scope="row">
              <span class="study-glyph" aria-hidden="true">
                ${
                  !/^\d+$/.test(each.pick) &&
                  html`<${table.Pick} pick=${each.pick} size="glyph" words=${wordsOf(game)} />`
                }
              </span>
              ${each.name}
            </th>
            ${
              perfect &&
              html`<td><span class="study-share" style=${{ "--part": perfect[each.pick] ?? 0 }}>
                ${tenths(perfect[each.pick] ?? 0)}
              </span></td>`
            }
            <td><${PeoplesShare} share=${each.share} /></td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
