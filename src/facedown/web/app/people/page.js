// Parts of a person's page: name and signet, ratings with their plots, and the last games.

import { html, useState } from "../html.js";
import { Emblem, Link, Name, Signet } from "../parts/elements.js";
import { useGame } from "../parts/hooks.js";
import { storyText } from "../parts/story.js";
import { ago, day, distinctNames } from "../phrases.js";
import { games, titleOf } from "../state/games.js";
import { streakOf } from "../study/streaks.js";
import { gameWord, lang, t, wordsOf } from "../words.js";
import { RatingPlot } from "./plot.js";
import { gameAndRules } from "./results.js";
import { say } from "./words.js";

/** @import { FinishedGame, LadderRating } from "../net/rest.js" */

const RECENT = 36 * 3_600_000;

/** The top of a page: who it is, since when, and what can be done here.
 * @param {{name: string, since: number, games?: number, children?: any}} props */
export function Head({ name, since, games, children }) {
  const month = new Intl.DateTimeFormat(lang.value, { month: "long", year: "numeric" }).format(since);
  return html`<header class="wrap profile-head">
    <${Signet} name=${name} />
    <div>
      <h1><${Name}>${name}<//></h1>
      <p class="quiet small">
        ${say("page.since", { month })}
        ${games !== undefined && games > 0 && `${t("list.comma")}${say("page.games", { count: games })}`}
      </p>
    </div>
    <div class="wrap profile-acts">${children}</div>
  </header>`;
}

/** Rating and its plot, one ladder at a time. @param {{ratings: LadderRating[], own: boolean}} props */
export function Ratings({ ratings, own }) {
  const ladders = inOrder(ratings);
  const [chosen, choose] = useState(mostPlayed(ladders));
  const shown = ladders[chosen] ?? ladders[0];
  if (!shown) return own && html`<p class="lead">${say("rating.none")}</p>`;
  const { rating } = shown;
  return html`<section class="profile-rating" aria-label=${say("rating.title")}>
    <div class="wrap rating-head">
      <p>
        <span class="display numbers">${rating.points}</span>
        ${" "}<span class="soft">${rating.provisional ? say("rating.provisional") : `±${rating.error}`}</span>
      </p>
      <div class="tabs" role="group" aria-label=${say("rating.game")}>
        ${ladders.map(
          (each, place) => html`<button aria-pressed=${each === shown} onClick=${() => choose(place)}>
            ${ladderName(each)}
          </button>`,
        )}
      </div>
    </div>
    <${RatingPlot} rating=${rating} title=${ladderName(shown)} />
    ${rating.course.length < 2 && html`<p class="small quiet">${say("rating.first")}</p>`}
    ${own && ratings.every(({ machines }) => machines) && html`<p class="small quiet">${say("rating.none")}</p>`}
  </section>`;
}

/** @param {LadderRating} ladder */
const ladderName = ({ game, machines }) => (machines ? say("rating.machines", { game: titleOf(game) }) : titleOf(game));

/** In the order in which games are offered, people before machines. @param {LadderRating[]} ratings */
function inOrder(ratings) {
  const order = (games.value ?? []).map(({ name }) => name);
  const place = (/** @type {LadderRating} */ { game, machines }) => order.indexOf(game) + (machines ? order.length : 0);
  return [...ratings].sort((a, b) => place(a) - place(b));
}

/** The place of the ladder with most games; one among people goes first. @param {LadderRating[]} ladders */
function mostPlayed(ladders) {
  const most = (/** @type {LadderRating} */ { machines, rating }) => (machines ? 0 : 1e6) + rating.games;
  return ladders.reduce((best, each, place) => (most(each) > most(ladders[best]) ? place : best), 0);
}

/** @param {{games: FinishedGame[], all?: any}} props */
export function LastGames({ games: played, all }) {
  if (played.length === 0) return null;
  return html`<section class="profile-games">
    <div class="list-head"><h2>${say("games.title")}</h2>${all}</div>
    <ul>
      ${played.map((each) => html`<${PastGame} key=${`${each.table}/${each.ended_at}`} past=${each} />`)}
    </ul>
  </section>`;
}

/** @param {{past: FinishedGame}} props */
export function PastGame({ past }) {
  const game = useGame(past.game);
  const names = distinctNames(past.game, past.names).map((each, place) => past.names[place] && each);
  const others = names.filter((_, place) => place !== past.seat - 1);
  const winner = past.winner ? names[past.winner - 1] : undefined;
  const key = past.won === null ? "drew" : past.won ? "beat" : "lost";
  const named = key === "lost" && winner !== undefined ? [winner] : others;
  const title = say(`games.${key}`, { names: named.map((each) => each || say("games.someone")).join(t("list.comma")) });
  const called = (/** @type {number} */ seat) => names[seat - 1] || say("games.someone");
  const story = game && storyText(past.story, game, { you: past.seat, names: called, words: wordsOf(past.game) });
  const ending = story || gameWord(past.game, `ending.${past.termination}`, "");
  return html`<li>
    <span class="past-score display numbers">${score(past) || html`<${Emblem} game=${past.game} size="glyph" />`}</span>
    <div>
      <b>${
        past.table
          ? html`<${Link} class="link" href=${`/review/${past.table}?seat=${past.seat}`}><bdi>${title}</bdi><//>`
          : html`<bdi>${title}</bdi>`
      }</b>
      <span>
        ${say("games.how", { rules: gameAndRules(past), ending })}
        ${past.continued && ` ${t("continued.short")}`}
      </span>
    </div>
    <time class="small quiet" datetime=${new Date(past.ended_at).toISOString()}>${whenWords(past.ended_at)}</time>
  </li>`;
}

/** The own score first; nothing where a game has none. @param {FinishedGame} past */
function score({ game, score: points, seat }) {
  if (points.length !== 2) return "";
  const [own, other] = [points[seat - 1], points[2 - seat]];
  return gameWord(game, "score", `${own}–${other}`, { own, other }).trim();
}

/** The best streaks of the trainer, which this browser alone knows. */
export function Trained() {
  const streaks = (games.value ?? []).map(({ name }) => ({ name, most: streakOf(name).most }));
  const known = streaks.filter(({ most }) => most > 0);
  if (known.length === 0) return null;
  return html`<section class="trained">
    <div class="list-head"><h2>${say("trained.title")}</h2><span class="small quiet">${say("trained.here")}</span></div>
    <ul>
      ${known.map(
        ({ name, most }) => html`<li key=${name}>
          <${Link} class="link" href=${`/train/${name}`}>${titleOf(name)}<//>
          <span class="numbers soft">${say("trained.most", { count: most })}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** @param {number} at */
const whenWords = (at) => (Date.now() - at < RECENT ? ago(at) : day(at));
