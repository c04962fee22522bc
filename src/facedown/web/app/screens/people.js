// One's own page: name, statistics with plots, and every finished game.

import { allGames, Emblem, games } from "../games.js";
import { html } from "../html.js";
import { get, known, session } from "../net/api.js";
import { Bar } from "../parts/bar.js";
import { machineName, Name } from "../parts/name.js";
import { Plot } from "../parts/plot.js";
import { Rating } from "../parts/rating.js";
import { day } from "../parts/times.js";
import { Trouble } from "../parts/trouble.js";
import { useAsked, useTitle } from "../parts/use.js";
import { Link } from "../router.js";
import { gameWord, t } from "../words.js";

/** @import { Rated } from "../parts/rating.js" */

/** @typedef {{table: string, game: string, rules: string, ended_at: number, seat: number, names: string[],
 *   score: number[], won: boolean|null, termination: string, continued: boolean}} Past */

export function People() {
  useAsked(allGames, []);
  const {
    value: me,
    error,
    again,
  } = useAsked(async () => {
    if (!known()) return null;
    await session();
    return get("/people/me");
  }, []);
  useTitle(t("bar.people"));
  return html`
    <${Bar} />
    <main class="page people">
      <h1>${me?.name ? html`<${Name}>${me.name}<//>` : t("bar.people")}</h1>
      <${Trouble} error=${error} again=${again} />
      ${!me && !error && html`<p class="lead">${t("people.nothing")}</p>`}
      ${
        me &&
        html`
          <div class="people-games">
            ${me.statistics.map(
              (/** @type {any} */ each) => html`<${Statistic}
                key=${each.game}
                of=${each}
                games=${me.games.filter((/** @type {Past} */ past) => past.game === each.game)}
              />`,
            )}
          </div>
          <section>
            <h2>${t("people.games")}</h2>
            <ul class="list">
              ${me.games.map((/** @type {Past} */ each) => html`<${PastGame} key=${each.table} past=${each} />`)}
            </ul>
            ${me.games.length === 0 && html`<p class="empty">${t("people.nothing")}</p>`}
          </section>
        `
      }
    </main>
  `;
}

/** @param {string} name */
const titleOf = (name) => gameWord(name, "title", games.value?.find((each) => each.name === name)?.title ?? name);

/** @param {{of: {game: string, played: number, won: number, lost: number, tied: number,
 *   rating?: Rated|null}, games: Past[]}} props */
function Statistic({ of, games: past }) {
  const parts = [
    ["favoured", of.won],
    ["tie", of.tied],
    ["", of.lost],
  ].filter(([, count]) => Number(count) > 0);
  const columns = parts.map(([, count]) => `${count}fr`).join(" ");
  return html`<section class="statistic">
    <h2><${Emblem} game=${of.game} size="glyph" /> ${titleOf(of.game)}</h2>
    <p class="big-number">
      <span class="display numbers">${of.won}</span> <span class="quiet">${t("people.won_of", { of: of.played })}</span>
    </p>
    <div class="share" style=${{ "--columns": columns }} aria-hidden="true">
      ${parts.map(([name]) => html`<span class=${name}></span>`)}
    </div>
    <p class="share-words small">
      <span>${t("people.won", { n: of.won })}</span>
      <span>${t("people.tied", { n: of.tied })}</span>
      <span>${t("people.lost", { n: of.lost })}</span>
    </p>
    <${Course} past=${past} />
    <${Rating} rating=${of.rating} />
  </section>`;
}

/** Wins less losses over the last games. @param {{past: Past[]}} props */
function Course({ past }) {
  const games = past
    .filter((each) => !each.continued)
    .sort((a, b) => a.ended_at - b.ended_at)
    .slice(-50);
  if (games.length < 2) return null;
  let sum = 0;
  const points = [0, ...games.map(({ won }) => (sum += won === null ? 0 : won ? 1 : -1))];
  return html`<${Plot}
    points=${points}
    label=${t("people.course", { n: games.length, sum: sum > 0 ? `+${sum}` : sum })}
  />`;
}

/** @param {{past: Past}} props */
function PastGame({ past }) {
  const others = past.names.filter((_, place) => place !== past.seat - 1);
  const result = past.won === null ? "tied" : past.won ? "won" : "lost";
  return html`<li class="past-game">
    <span class="who">${t(`people.result.${result}`)}</span>
    <${Link} class="link" href=${`/review/${past.table}?seat=${past.seat}`}>${titleOf(past.game)}<//>
    ${past.continued && html`<span class="quiet">${t("went_on.short")}</span>`}
    <span class="quiet"><bdi>${others.map((each) => machineName(past.game, each)).join(t("list.comma"))}</bdi></span>
    <span class="state numbers">
      ${past.score.length === 2 && gameWord(past.game, "score", past.score.join(" : "))}
    </span>
    <time class="quiet" datetime=${new Date(past.ended_at).toISOString()}>${day(past.ended_at)}</time>
  </li>`;
}
