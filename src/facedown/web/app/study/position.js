// One explored position: both sides with what each card is worth, the mixes of the round, and what may come next.

import { html } from "../html.js";
import { tenths, withOwnPercent } from "../numbers.js";
import { Link } from "../parts/elements.js";
import { wordsOf } from "../words.js";
import { say } from "./words.js";

/** @import { GameTable } from "../contract.js" */

export { tenths as share };

/** The value as a bar divided between the two sides.
 * @param {{sides: {who: string, value: number}[]}} props */
export function Balance({ sides }) {
  const columns = sides.map(({ value }) => `${Math.max(value, 0.0001)}fr`).join(" ");
  return html`<div class="balance">
    <div class="balance-bar" style=${{ "--columns": columns }} aria-hidden="true">
      ${sides.map((_, place) => html`<span data-side=${place}></span>`)}
    </div>
    <p class="balance-words">
      ${sides.map(
        ({ who, value }) =>
          html`<span><b class="display numbers">${tenths(value)}</b> <span class="quiet">${who}</span></span>`,
      )}
    </p>
  </div>`;
}

/** @param {{game: string, table: GameTable|null, side: any}} props */
export function Side({ game, table, side }) {
  return html`<section class="panel study-side">
    <h3>${say("explore.side", { who: side.who, value: tenths(side.value) })}</h3>
    ${
      side.picks.length === 0
        ? html`<p class="quiet">${say("explore.no_choice")}</p>`
        : html`<${Picks} game=${game} table=${table} picks=${side.picks} />`
    }
  </section>`;
}

/** `answers`: to a habit, where nothing is mixed.
 * @param {{game: string, table: GameTable|null, picks: any[], answers?: boolean}} props */
export function Picks({ game, table, picks, answers = false }) {
  const words = wordsOf(game);
  const hidden = !answers && picks.some((each) => each.known !== each.value); // an announced habit is always known
  return html`<div class="study-scroll" tabindex="0" role="group" aria-label=${say("explore.pick")}>
    <table class="study-picks numbers">
      <thead>
        <tr>
          <th scope="col">${say("explore.pick")}</th>
          ${!answers && html`<th scope="col">${say("explore.share")}</th>`}
          <th scope="col">${say("explore.value")}</th>
          <th scope="col">${say("explore.cost")}</th>
          ${hidden && html`<th scope="col">${say("explore.known")}</th>`}
        </tr>
      </thead>
      <tbody>
        ${picks.map(
          (each) => html`<tr key=${each.pick} data-best=${each.cost === 0}>
            <th scope="row">
              <span class="study-glyph" aria-hidden="true">
                ${
                  table &&
                  !/^\d+$/.test(each.pick) &&
                  html`<${table.Pick} pick=${each.pick} size="glyph" words=${words} />`
                }
              </span>
              ${each.name}
            </th>
            ${
              !answers &&
              html`<td><span class="study-share" style=${{ "--part": each.share }}>
                ${withOwnPercent(each.written)}
              </span></td>`
            }
            <td>${tenths(each.value)}</td>
            <td>${each.cost === 0 ? html`<span class="quiet">${say("explore.nothing")}</span>` : tenths(each.cost)}</td>
            ${hidden && html`<td>${tenths(each.known)}</td>`}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** How often the special card comes, play by play. @param {{table: any}} props */
export function Mixes({ table }) {
  return html`<section>
    <h3>${table.title}</h3>
    <div class="study-scroll" tabindex="0" role="group" aria-label=${table.title}>
      <table class="study-mixes numbers">
        <thead>
          <tr>
            <td></td>
            ${table.columns.map((/** @type {string} */ each) => html`<th scope="col">${each}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${table.rows.map(
            (/** @type {[string, string[]]} */ [name, cells]) => html`<tr>
              <th scope="row">${name}</th>
              ${cells.map((cell) => html`<td>${withOwnPercent(cell)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** @param {{found: any, address: (at: string) => string}} props */
export function Ways({ found, address }) {
  return html`<section>
    <h2>${say("explore.next")}</h2>
    <ul class="list study-ways">
      ${found.ways.map(
        (/** @type {any} */ way) => html`<li key=${way.label}>
          ${
            way.at
              ? html`<${Link} class="link" still href=${address(way.at)}>${way.label}<//>`
              : html`<span>${way.label}</span>`
          }
          ${way.value !== null && html`<span class="numbers">${tenths(way.value)}</span>`}
        </li>`,
      )}
    </ul>
    <p class="small quiet">${say("explore.next_worth", { who: found.sides[0].who })}</p>
  </section>`;
}
