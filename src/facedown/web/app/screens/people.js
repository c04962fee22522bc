// Player page: name, statistics with plots, and every finished game.

import { html } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { Bar, Emblem, ErrorNotice, Link, Name } from "../parts/elements.js";
import { useRequest, useTitle } from "../parts/hooks.js";
import { Plot, Rating } from "../parts/statistics.js";
import { day, distinctNames, isResigned } from "../phrases.js";
import { formatSigned } from "../review/numbers.js";
import { allGames, titleOf } from "../state/games.js";
import { gameWord, t } from "../words.js";

/** @import { FinishedGame, RatingInfo } from "../net/rest.js" */

export function People() {
  useRequest(allGames, []);
  const {
    value: me,
    error,
    again,
  } = useRequest(async () => {
    if (!hadSession()) return null;
    await guestSession();
    return get("/people/me");
  }, []);
  useTitle(t("bar.people"));
  return html`
    <${Bar} />
    <main class="page people">
      <h1>${me?.name ? html`<${Name}>${me.name}<//>` : t("bar.people")}</h1>
      <${ErrorNotice} error=${error} again=${again} />
      ${!me && !error && html`<p class="lead">${t("people.nothing")}</p>`}
      ${
        me &&
        html`
          <div class="people-games">
            ${me.statistics.map(
              (/** @type {any} */ each) => html`<${Statistic}
                key=${each.game}
                of=${each}
                games=${me.games.filter((/** @type {FinishedGame} */ past) => past.game === each.game)}
              />`,
            )}
          </div>
          <section>
            <h2>${t("people.games")}</h2>
            <ul class="list">
              ${me.games.map(
                (/** @type {FinishedGame} */ each) => html`<${PastGame} key=${each.table} past=${each} />`,
              )}
            </ul>
            ${me.games.length === 0 && html`<p class="empty">${t("people.nothing")}</p>`}
          </section>
        `
      }
    </main>
  `;
}

/** @param {{of: {game: string, played: number, won: number, lost: number, tied: number,
 *   rating?: RatingInfo|null}, games: FinishedGame[]}} props */
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
      <span class="display numbers">${t("people.won_of", { won: of.won, of: of.played })}</span>
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

/** Wins less losses over the last games. @param {{past: FinishedGame[]}} props */
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
    label=${t("people.course", { n: games.length, sum: formatSigned(sum) })}
  />`;
}

/** @param {{past: FinishedGame}} props */
function PastGame({ past }) {
  const others = distinctNames(past.game, past.names).filter((_, place) => place !== past.seat - 1);
  const result = past.won === null ? "tied" : past.won ? "won" : "lost";
  const resigned = isResigned(past.game, { ...past, winner: past.won === null ? null : 1 }) ? "_resigned" : "";
  const [own, other] = [past.score[past.seat - 1], past.score[2 - past.seat]];
  return html`<li class="past-game">
    <span class="who">${t(`people.result.${result}${resigned}`)}</span>
    <${Link} class="link" href=${`/review/${past.table}?seat=${past.seat}`}>${titleOf(past.game)}<//>
    ${past.continued && html`<span class="quiet">${t("continued.short")}</span>`}
    <span class="quiet"><bdi>${others.join(t("list.comma"))}</bdi></span>
    <span class="state numbers">
      ${past.score.length === 2 && gameWord(past.game, "score", `${own} : ${other}`)}
    </span>
    <time class="quiet" datetime=${new Date(past.ended_at).toISOString()}>${day(past.ended_at)}</time>
  </li>`;
}
