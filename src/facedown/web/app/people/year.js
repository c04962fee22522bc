// A person's year: what is true of their own games, one sentence each, and a picture of it that names no one else.

import { html } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { isLocal } from "../net/place.js";
import { Bar, ErrorNotice, Link } from "../parts/elements.js";
import { useGame, useRequest, useTitle, useWork } from "../parts/hooks.js";
import { fontRules, line, pngOf } from "../parts/result_picture.js";
import { saveFile } from "../parts/sharing.js";
import { storyText } from "../parts/story.js";
import { distinctNames, machineName } from "../phrases.js";
import { lang, sentences, t, wordsOf } from "../words.js";
import { say, useTexts } from "./words.js";

/** @import { FinishedGame, YearInPlay } from "../net/rest.js" */

const HOUR = 3_600_000;

/** @param {string} year @returns {Promise<YearInPlay|null>} */
async function fetchYear(year) {
  if (!hadSession()) return null;
  await guestSession();
  return get(`/people/me/year/${encodeURIComponent(year)}?offset=${-new Date().getTimezoneOffset()}`);
}

/** @param {{year: string}} props */
export function Year({ year }) {
  const ready = useTexts();
  const { value, error, again, loading } = useRequest(() => fetchYear(year), [year]);
  useTitle(ready ? say("year.title", { year }) : "");
  if (!ready || loading) return html`<${Bar} /><main class="page year" aria-busy="true"></main>`;
  return html`
    <${Bar} />
    <main class="page year">
      <h1>${say("year.title", { year })}</h1>
      <${ErrorNotice} error=${error} again=${again} />
      ${!error && !value?.games && html`<p class="lead">${say("year.none", { year })}</p>`}
      ${value && value.games > 0 && html`<${Facts} found=${value} />`}
    </main>
  `;
}

/** What a game comes down to, read by its player. @param {FinishedGame} past @param {any} table
 * @param {(seat: number) => string} names */
const momentText = (past, table, names) =>
  storyText(past.story, table, { you: past.seat, names, words: wordsOf(past.game), view: null });

/** What can be said without a name of a person: how many, when, against which machine.
 * @param {YearInPlay} found */
function plainFacts({ games, won, days, hour, machine }) {
  const clock = new Intl.DateTimeFormat(lang.value, { hour: "numeric", timeZone: "UTC" });
  return [
    sentences(say("year.games", { count: games, won }), say("year.days", { count: days })),
    hour === null ? "" : say("year.hour", { from: clock.format(hour * HOUR), to: clock.format((hour + 1) * HOUR) }),
    machine
      ? say("year.machine", {
          name: machineName(wordsOf(machine.machine), machine.name),
          count: machine.games,
          won: machine.won,
        })
      : "",
  ].filter(Boolean);
}

/** @param {{found: YearInPlay}} props */
function Facts({ found }) {
  const { year, games, is_whole, person, comeback, boldest } = found;
  useGame(found.machine?.machine); // its words
  const [back, bold] = [useGame(comeback?.game), useGame(boldest?.game)];
  const moments = [
    ...(comeback && back ? [{ past: comeback, table: back }] : []),
    ...(boldest && bold ? [{ past: boldest, table: bold }] : []),
  ];
  const save = useWork(async () => {
    const unnamed = moments.map(({ past, table }) => momentText(past, table, () => t("share.opponent")));
    const fonts = await fontRules().catch(() => "");
    const file = await pngOf(yearSvg(year, [...plainFacts(found), ...unnamed], fonts));
    if (!file) throw { code: "unsupported_picture" };
    if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => {});
    saveFile(`facedown-${year}.png`, file);
  });
  return html`
    <p class="quiet">${say("year.only")}${!is_whole && ` ${say("year.last", { count: games })}`}</p>
    <ul class="year-facts">
      ${plainFacts(found).map((each) => html`<li><p class="display">${each}</p></li>`)}
      ${
        person &&
        html`<li>
          <p class="display"><bdi>${say("year.person", { name: person.name, count: person.games })}</bdi></p>
        </li>`
      }
      ${moments.map(
        ({ past, table }) => html`<li>
          <p class="display"><bdi>
            ${momentText(past, table, (seat) => distinctNames(past.game, past.names)[seat - 1])}
          </bdi></p>
          ${
            !isLocal(past.table) &&
            html`<${Link} class="link small" href=${`/review/${past.table}?seat=${past.seat}`}>${say("year.look")}<//>`
          }
        </li>`,
      )}
    </ul>
    <button class="button second" disabled=${save.busy} onClick=${save.run}>${t("share.picture")}</button>
    <${ErrorNotice} error=${save.error} />
  `;
}

/** The year as a picture. @param {number} year @param {string[]} facts @param {string} fonts */
function yearSvg(year, facts, fonts) {
  const step = Math.min(64, 330 / Math.max(1, facts.length));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">`,
    `<style>${fonts}</style><rect width="1200" height="630" fill="#12100e"/>`,
    line(String(year), { y: 190, size: 150, wide: 1056, colour: "#efe6d2" }),
    ...facts.map((each, place) => line(each, { y: 272 + place * step, size: 34, wide: 1056, colour: "#c9bfae" })),
    line("Facedown", { y: 590, size: 28, wide: 1056, colour: "#efe6d2" }),
    "</svg>",
  ].join("");
}
