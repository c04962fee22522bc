// Home screen: each game with one big button, ways to play with others, your games, and the open tables.

import { html, onValue } from "../html.js";
import { place } from "../net/place.js";
import { fetchVerdict, roundShares, split } from "../new_table/verdict.js";
import { Bar, Emblem, ErrorNotice, Link } from "../parts/elements.js";
import { useGame, useRequest, useTitle, useWork } from "../parts/hooks.js";
import { Sign } from "../parts/marks.js";
import { OfflineNotice, OnDevice } from "../parts/offline.js";
import { OpenTables, YourGames } from "../parts/table_lists.js";
import { machineName } from "../phrases.js";
import { go } from "../router.js";
import { allGames, games } from "../state/games.js";
import { isFirstGame } from "../state/guide.js";
import { chooseOpponent, opponentLabel, opponentOf, opponentSays, opponents } from "../state/opponents.js";
import { nextSeat, playNow } from "../state/seating.js";
import { gameWord, t, wordsOf } from "../words.js";
import { NewTable } from "./new_table.js";

/** @import { GameInfo } from "../net/rest.js" */

/** @param {{making: boolean, params: Record<string, string>}} props */
export function Home({ making, params }) {
  const { error, again } = useRequest(allGames, []);
  useTitle("");
  return html`
    <${Bar} />
    <main class="page home">
      <h1 class="unseen">Facedown</h1>
      <${OfflineNotice} />
      <${ErrorNotice} error=${error} again=${again} />
      <div class="home-games">${games.value?.map((game) => html`<${GameOffer} key=${game.name} game=${game} />`)}</div>
      ${
        (games.value || error) &&
        html`<div class="home-lists" key=${place.value}>
          <${YourGames} /><${OnDevice} />${place.value === "server" && html`<${OpenTables} />`}
        </div>`
      }
      <footer class="home-foot small quiet"><${Link} class="link" href="/about">${t("about.title")}<//></footer>
      ${making && games.value && html`<${NewTable} games=${games.value} params=${params} />`}
    </main>
  `;
}

/** @param {{game: GameInfo}} props */
function GameOffer({ game }) {
  const { run, busy, error } = useWork(async () => go(`/t/${await playNow(game.name)}`));
  const title = gameWord(game.name, "title", game.title);
  return html`<section class="home-game" aria-labelledby=${`game-${game.name}`}>
    <${Emblem} game=${game.name} size="fan" />
    <h2 id=${`game-${game.name}`}>${title}</h2>
    <p>${gameWord(game.name, "summary", game.summary)}</p>
    <div class="home-acts">
      <button class="button first big" disabled=${busy} aria-label=${t("home.play_now_of", { title })} onClick=${run}>
        ${t("home.play_now")}
      </button>
      ${
        place.value === "server" &&
        html`<${Link} class="plain with-icon" href=${`/new?game=${game.name}&with=friend`}>
          <${Sign} of="link" /><span class="link">${t("home.challenge")}</span>
        <//>`
      }
      <${Link} class="plain with-icon" href=${`/new?game=${game.name}&with=here`}>
        <${Sign} of="swap" /><span class="link">${t("home.pass")}</span>
      <//>
    </div>
    <${Against} game=${game} />
    <div class="home-study small">
      ${game.trainer && html`<${Link} class="link" href=${`/train/${game.name}?way=daily`}>${t("study.train")}<//>`}
      ${game.explorer && html`<${Link} class="link" href=${`/explore/${game.name}`}>${t("study.explore")}<//>`}
    </div>
    <${ErrorNotice} error=${error} />
  </section>`;
}

/** The strength of *Play now*, remembered on this device. @param {{game: GameInfo}} props */
function Against({ game }) {
  if (!useGame(game.name)) return html`<div class="home-against"></div>`; // its machines have no names yet
  const machine = opponentOf(game);
  return html`<div class="home-against">
    <label>
      <span>${t("home.against")}</span>
      <select
        value=${machine}
        onChange=${onValue((value) => chooseOpponent(game.name, value))}
      >
        ${opponents(game).map(
          ({ name }) =>
            html`<option value=${name} selected=${name === machine}>${opponentLabel(game.name, name)}</option>`,
        )}
      </select>
    </label>
    <span class="small quiet">${opponentSays(game, machine)} <${Favour} game=${game} machine=${machine} /></span>
  </div>`;
}

/** The favoured side at the seat that *Play now* gives next, if the solver knows it: requested after everything else,
 * only for two players, and only from a server: Python on this device starts for a game, not for this.
 * @param {{game: GameInfo, machine: string}} props */
function Favour({ game, machine }) {
  const { value } = useRequest(
    async (signal) => {
      if (game.most_seats !== 2 || place.value === "device") return null;
      await idle();
      return fetchVerdict(game.name, game.presets[0].rules, signal);
    },
    [game.name],
  );
  const answer = value?.answer;
  const shares = answer?.favoured?.seat ? split(answer) : null;
  if (!answer || !shares) return null;
  const seat = isFirstGame(game.name) ? 1 : nextSeat(game.name, 2);
  const mine = answer.favoured?.seat === seat;
  const name = machineName(wordsOf(game.name), machine);
  return t(mine ? "home.favoured_you" : "home.favoured_other", { name, ...roundShares(shares) });
}

/** When the page has nothing else to do. @returns {Promise<void>} */
const idle = () =>
  new Promise((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => done());
    else setTimeout(done, 500);
  });

export function Tables() {
  useRequest(allGames, []);
  useTitle(t("home.open"));
  return html`<${Bar} /><main class="page"><h1 class="unseen">${t("home.open")}</h1><${OpenTables} all /></main>`;
}
