// How a person's games came out: by game and seat, by rules, and against each opponent.

import { html, useState } from "../html.js";
import { Link, Name, Signet } from "../parts/elements.js";
import { useGame } from "../parts/hooks.js";
import { day, rulesName } from "../phrases.js";
import { titleOf } from "../state/games.js";
import { t } from "../words.js";
import { say } from "./words.js";

/** @import { ResultCount, Rival, Trophy } from "../net/rest.js" */
/** @typedef {Pick<ResultCount, "won"|"tied"|"lost">} Counts */

const FAVOURITES = 4;
const FIRST = 5; // rivals that are shown at once
const SIDES = /** @type {[number, string][]} */ ([
  [1, "results.better"],
  [-1, "results.weaker"],
]);

/** @param {Counts} counts */
const total = ({ won, tied, lost }) => won + tied + lost;

/** @param {Counts[]} rows @returns {Counts} */
const sum = (rows) =>
  rows.reduce((all, { won, tied, lost }) => ({ won: all.won + won, tied: all.tied + tied, lost: all.lost + lost }), {
    won: 0,
    tied: 0,
    lost: 0,
  });

/** Rows that are alike in one respect, added up; those with most games first.
 * @param {ResultCount[]} results @param {(row: ResultCount) => string} keyOf */
export function grouped(results, keyOf) {
  const found = Map.groupBy(results, keyOf);
  return [...found.values()].map((rows) => ({ ...rows[0], ...sum(rows) })).sort((a, b) => total(b) - total(a));
}

/** @param {{results: ResultCount[]}} props */
export function Results({ results }) {
  const games = grouped(results, ({ game }) => game);
  if (games.length === 0) return null;
  return html`<section class="results">
    <div class="list-head"><h2>${say("results.title")}</h2><span class="small quiet">${say("results.won")}</span></div>
    <ul>
      ${games.map((each) => {
        const rows = results.filter(({ game }) => game === each.game);
        const sides = SIDES.map(([side, key]) => ({ key, counts: sum(rows.filter((row) => row.side === side)) }));
        return html`
          <${Bar} key=${each.game} label=${titleOf(each.game)} counts=${each} />
          ${sides
            .filter(({ counts }) => total(counts) > 0)
            .map(({ key, counts }) => html`<${Bar} label=${say(key)} counts=${counts} part=${true} />`)}
        `;
      })}
    </ul>
    <${Favourites} results=${results} />
  </section>`;
}

/** A game and its rules, not twice the same word. @param {{game: string, rules: string}} record */
export function gameAndRules(record) {
  const [title, rules] = [titleOf(record.game), rulesName(record)];
  return title === rules ? title : `${title}${t("list.comma")}${rules}`;
}

/** The rules that are played most. @param {{results: ResultCount[]}} props */
function Favourites({ results }) {
  const rules = grouped(results, ({ game, rules: each }) => `${game} ${each}`);
  if (rules.length < 2) return null;
  return html`
    <h3>${say("results.favourites")}</h3>
    <ul>
      ${rules.slice(0, FAVOURITES).map((each) => html`<${RulesBar} key=${`${each.game} ${each.rules}`} row=${each} />`)}
    </ul>
  `;
}

/** @param {{row: ResultCount}} props */
function RulesBar({ row }) {
  useGame(row.game); // its words
  return html`<${Bar} label=${gameAndRules(row)} counts=${row} />`;
}

/** @param {{label: string, counts: Counts, part?: boolean}} props */
function Bar({ label, counts, part = false }) {
  const { won, tied } = counts;
  const of = total(counts);
  return html`<li class="result" data-part=${part}>
    <span>${label}</span>
    <span class="result-bar" aria-hidden="true" style=${{ "--won": won / of, "--tied": tied / of }}>
      <i></i><u></u>
    </span>
    <span class="numbers soft">
      ${say("results.of", { won, of })}
      ${tied > 0 && html`<span class="unseen"> ${say("results.tied", { count: tied })}</span>`}
    </span>
  </li>`;
}

/** Places among the first three of tournaments. @param {{trophies: Trophy[]}} props */
export function Trophies({ trophies }) {
  if (trophies.length === 0) return null;
  return html`<section class="trophies">
    <div class="list-head"><h2>${say("list.tournaments")}</h2></div>
    <ul>
      ${trophies.map(
        ({ tournament, title, game, place, at }) => html`<li key=${tournament}>
          <${Link} class="plain" href=${`/tournaments/${tournament}`}>
            <b><${Name}>${title || titleOf(game)}<//></b>
            <span class="small soft">${titleOf(game)}${t("list.comma")}${day(at)}</span>
          <//>
          <span class="numbers">${say("results.place", { place })}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** @param {{rivals: Rival[], own: boolean, act?: (rival: Rival) => any}} props `act`: what can be done about a rival */
export function Rivals({ rivals, own, act }) {
  const [all, setAll] = useState(false);
  if (rivals.length === 0) return null;
  return html`<section class="rivals">
    <div class="list-head"><h2>${say("rivals.title")}</h2>
      ${
        rivals.length > FIRST &&
        html`<button class="link small" aria-expanded=${all} onClick=${() => setAll(!all)}>
          ${say(all ? "rivals.fewer" : "rivals.all")}
        </button>`
      }
    </div>
    <ul>
      ${(all ? rivals : rivals.slice(0, FIRST)).map(
        (each) => html`<li key=${each.handle ?? each.name + each.at}>
          <${Signet} name=${each.name} />
          <b>${
            each.handle
              ? html`<${Link} class="plain" href=${`/people/${each.handle}`}><${Name}>${each.name}<//><//>`
              : html`<${Name}>${each.name}<//>`
          }</b>
          <${Score} rival=${each} own=${own} />
          ${act?.(each)}
        </li>`,
      )}
    </ul>
  </section>`;
}

/** The score of two people, and how it came about. @param {{rival: Rival, own: boolean}} props */
function Score({ rival: { name, won, tied, lost, course }, own }) {
  const said = say("rivals.said", { name, won, lost, tied });
  return html`
    ${course.length > 2 ? html`<${Course} course=${course} />` : html`<span></span>`}
    <span class="numbers rival-score" aria-hidden="true">${won}–${lost}</span>
    <span class="unseen">${said}${own && ` ${say("rivals.last", { course: courseWords(course) })}`}</span>
  `;
}

/** @param {string} course */
const courseWords = (course) =>
  [...course]
    .slice(-5)
    .map((each) => say(`rivals.${each === "w" ? "won" : each === "l" ? "lost" : "tied"}`))
    .join(", ");

/** Wins less losses after each of the last games. @param {string} course */
export function balance(course) {
  let sum = 0;
  return [0, ...[...course].map((each) => (sum += each === "w" ? 1 : each === "l" ? -1 : 0))];
}

/** @param {{course: string}} props */
function Course({ course }) {
  const points = balance(course);
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const y = (/** @type {number} */ value) => (22 - ((value - low) / Math.max(1, high - low)) * 20).toFixed(1);
  const line = points.map((value, at) => `${((at / (points.length - 1)) * 72).toFixed(1)} ${y(value)}`).join("L");
  return html`<svg class="rival-course" viewBox="0 0 72 24" preserveAspectRatio="none" aria-hidden="true">
    <path d=${`M0 ${y(0)}H72`} class="rating-level" vector-effect="non-scaling-stroke" />
    <path d=${`M${line}`} class="rating-line" vector-effect="non-scaling-stroke" />
  </svg>`;
}
