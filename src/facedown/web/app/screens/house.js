// The house: the characters of a game from the easiest to the hardest, what is known of each, and the guess at a tell.

import { html, useEffect, useState } from "../html.js";
import { get } from "../net/api.js";
import { fixed } from "../numbers.js";
import { Button, ErrorNotice, Link, Page } from "../parts/elements.js";
import { useGame, useRequest, useStyles, useTitle, useWork } from "../parts/hooks.js";
import { Seal } from "../parts/marks.js";
import { machineName } from "../phrases.js";
import { go } from "../router.js";
import { allGames, games, loadedTables, titleOf } from "../state/games.js";
import { nextOpponents } from "../state/opponents.js";
import { playNow } from "../state/seating.js";
import { acquaintance, known, noteFound, noteMissed, residentsOf, syncHouse } from "../study/house.js";
import { t, wordsOf } from "../words.js";

/** @import { ResidentInfo, TellInfo } from "../net/rest.js" */
/** @import { Acquaintance } from "../study/house.js" */

/** @param {{game?: string}} props */
export function House({ game }) {
  const isDressed = useStyles("/app/styles/house.css");
  const { error } = useRequest(allGames, []);
  useTitle(t("house.title"));
  const housed = games.value?.filter((each) => each.house) ?? [];
  const shown = housed.find((each) => each.name === game) ?? housed[0];
  return html`<${Page} class="house">
    <h1>${t("house.title")}</h1>
    <p class="lead">${t("house.lead")}</p>
    <${ErrorNotice} error=${error} />
    ${
      housed.length > 1 &&
      html`<nav class="house-games" aria-label=${t("house.games")}>
        ${housed.map(
          ({ name }) => html`<${Link}
            key=${name}
            href=${`/house/${name}`}
            aria-current=${name === shown.name ? "page" : undefined}
            >${titleOf(name)}<//
          >`,
        )}
      </nav>`
    }
    ${isDressed && shown && html`<${Residents} key=${shown.name} game=${shown.name} />`}
  <//>`;
}

/** @param {{game: string}} props */
function Residents({ game }) {
  const table = useGame(game);
  const { value, error, again } = useRequest(() => residentsOf(game), [game]);
  useEffect(() => {
    syncHouse().catch(() => {}); // what this device knows is shown all the same
  }, []);
  /** @type {ResidentInfo[]} */
  const residents = value ?? [];
  const usual = residents.find(({ name, guesses }) => guesses.length > 0 && !known.value[`${game}/${name}`]?.found);
  const [chosen, choose] = useState("");
  const shown = residents.find(({ name }) => name === chosen) ?? usual ?? residents.at(-1);
  if (!table || !shown) return html`<${ErrorNotice} error=${error} again=${again} />`;
  return html`
    <ol class="house-steps">
      ${residents.map(
        (each, step) => html`<li key=${each.name} style=${{ "--step": step }}>
          <button
            class="house-step"
            aria-pressed=${each === shown}
            onClick=${() => choose(each.name)}
          >
            <${Face} game=${game} resident=${each} />
            <span class="display">${machineName(wordsOf(game), each.name)}</span>
            <span class="small quiet">${stateOf(each, acquaintance(known.value, game, each.name))}</span>
          </button>
        </li>`,
      )}
    </ol>
    <${Resident} key=${shown.name} game=${game} resident=${shown} />
  `;
}

/** @param {ResidentInfo} resident @param {Acquaintance} met */
function stateOf({ guesses }, { rounds, asks, found }) {
  if (guesses.length === 0) return t("house.none");
  if (found) return t("house.found");
  if (rounds === 0) return t("house.sealed");
  return t("house.watched", { rounds: Math.min(rounds, asks), asks });
}

/** The portrait, in ink alone as long as they have not met, with its seal. @param {{game: string, resident:
 *   ResidentInfo}} props */
function Face({ game, resident: { name, guesses } }) {
  const { games: played, found } = acquaintance(known.value, game, name);
  return html`<span class="house-face" data-met=${played > 0} data-seal=${found ? "broken" : "whole"}>
    <img src=${import.meta.resolve(`/games/${game}/faces/${name}.svg`)} alt="" />
    ${guesses.length > 0 && html`<${Seal} class="house-seal" />`}
  </span>`;
}

/** One character, large. @param {{game: string, resident: ResidentInfo}} props */
function Resident({ game, resident }) {
  const words = wordsOf(game);
  const name = machineName(words, resident.name);
  const met = acquaintance(known.value, game, resident.name);
  const first = resident.name;
  const play = useWork(async (/** @type {number|undefined} */ count) =>
    go(`/t/${await playNow(game, { against: (info) => nextOpponents(info, { first, count }) })}`),
  );
  const others = (loadedTables.value[game]?.seats ?? 2) - 1;
  return html`<section class="lamp house-one" aria-label=${name}>
    <${Face} game=${game} resident=${resident} />
    <div>
      <h2>${name}</h2>
      <p class="house-says display">${resident.says}</p>
      ${met.games > 0 && html`<p>${t("house.record", { won: met.won, count: met.games })}</p>`}
      <div class="wrap house-play">
        <${Button} work=${play} class="button first big">
          ${others > 1 ? t("house.sit", { count: others }) : t("ending.play", { name })}
        <//>
        ${
          others > 1 &&
          html`<${Button} work=${play} class="button second big" of=${1}>${t("house.alone", { name })}<//>`
        }
      </div>
      <${ErrorNotice} error=${play.error} />
    </div>
    <aside class="house-tell">
      <${Guess} game=${game} resident=${resident} name=${name} met=${met} />
      <p class="small quiet">${priceOf(resident, name)}</p>
    </aside>
  </section>`;
}

/** What reading it is worth: computed, or measured with its error.
 * @param {ResidentInfo} resident @param {string} name */
function priceOf({ price, error }, name) {
  if (error === 0) return t("house.price", { name, price: fixed(100 * price) });
  const measured = { name, price: Math.round(100 * price), error: Math.max(1, Math.round(100 * error)) };
  return t("house.measured_two", measured);
}

/** What gives a character away: the rounds to be watched, then the guess, then the tell.
 * @param {{game: string, resident: ResidentInfo, name: string, met: Acquaintance}} props */
function Guess({ game, resident, name, met }) {
  const [missed, setMissed] = useState(false);
  const guess = useWork(async (/** @type {string} */ tell) => {
    const path = `/games/${game}/house/${resident.name}/guess?${new URLSearchParams({ guess: tell })}`;
    const { right } = await get(path);
    setMissed(!right);
    if (right) noteFound(game, resident.name, tell);
    else noteMissed(game, resident.name);
  });
  if (resident.guesses.length === 0) return html`<h3>${t("house.none")}</h3>`;
  const found = resident.guesses.find(({ id }) => id === met.found);
  if (found)
    return html`<h3>${t("house.tell", { name })}</h3>
      <p role="status">${found.says}</p>`;
  const rounds = Math.min(met.rounds, met.asks);
  if (rounds < met.asks)
    return html`<h3>${t("house.ask", { name })}</h3>
      <div class="house-fields" aria-hidden="true" style=${{ "--part": rounds / met.asks, "--of": met.asks }}></div>
      <p role="status">${missed && `${t("house.wrong")} `}${t("house.then", { rounds, asks: met.asks })}</p>`;
  return html`<h3>${t("house.ask", { name })}</h3>
    <ul class="house-guesses">
      ${resident.guesses.map(
        (/** @type {TellInfo} */ { id, says }) => html`<li key=${id}>
          <${Button} work=${guess} of=${id}>${says}<//>
        </li>`,
      )}
    </ul>
    <${ErrorNotice} error=${guess.error} />`;
}
