// Today, as a strip on home: the mind of the day, the trainer's five, and the house. Fetched once home is shown.

import { html } from "../html.js";
import { get, hadSession } from "../net/api.js";
import { place } from "../net/place.js";
import { percent } from "../numbers.js";
import { Link } from "../parts/elements.js";
import { useGame, useRequest } from "../parts/hooks.js";
import { Faces } from "../parts/marks.js";
import { BrokenSeal } from "../parts/trace.js";
import { nextOpponents, opponentName } from "../state/opponents.js";
import { known } from "../study/house.js";
import { dayOf } from "../study/streaks.js";
import { sentences, t } from "../words.js";
import { dayText, say, useTexts } from "./words.js";

/** @import { GameInfo, MindState } from "../net/rest.js" */

const QUESTIONS = 5; // of the trainer, each day

/** @param {{games: GameInfo[]}} props */
export function TodayStrip({ games }) {
  const ready = useTexts();
  const day = new Date().toISOString().slice(0, 10); // the server's days
  const trained = games.find(({ trainer }) => trainer);
  const housed = games.find(({ house }) => house);
  return html`<section class="today-strip" aria-labelledby="today" aria-busy=${!ready}>
    ${
      ready &&
      html`
        <div class="today-strip-head">
          <h2 id="today">${say("strip.title")}</h2><span class="quiet">${dayText(day)}</span>
        </div>
        <div class="today-cells">
          <${MindCell} key=${place.value} />
          ${trained && html`<${FiveCell} game=${trained.name} day=${day} />`}
          ${housed && html`<${HouseCell} game=${housed} />`}
        </div>
      `
    }
  </section>`;
}

/** What there is to know without opening it; a page without a server has to start one first.
 * @returns {Promise<MindState|null>} */
const fetchMind = async () => (place.value === "server" && hadSession() ? get("/mind") : null);

function MindCell() {
  const { value } = useRequest(fetchMind, []);
  const { sealed = false, people = 0, yesterday = null } = value ?? {};
  const said = sentences(
    sealed ? say("sealed", { count: people }) : say("strip.mind"),
    yesterday ? say("strip.yesterday", { share: percent(yesterday.beaten) }) : "",
  );
  return html`<${Link} class="plain" href="/today">
    <svg class="today-chips" viewBox="0 0 32 32" aria-hidden="true">
      ${[23, 17, 11].map(
        (y) => html`<path d=${`M4 ${y}v4a12 4.5 0 0 0 24 0v-4`} /><ellipse cx="16" cy=${y} rx="12" ry="4.5" />`,
      )}
    </svg>
    <div><h3>${say("title")}</h3><p>${said}</p></div>
  <//>`;
}

/** @param {{game: string, day: string}} props */
function FiveCell({ game, day }) {
  const points = dayOf(game, day);
  const [done, of] = [points.length, QUESTIONS];
  const sum = points.reduce((whole, each) => whole + each, 0);
  const key = done === 0 ? "five" : done < of ? "five_some" : "five_done";
  return html`<${Link} class="plain" href=${`/train/${game}?way=daily`}>
    <div>
      <h3>${say("strip.five_title")}</h3>
      <div class="today-seals" aria-hidden="true">
        ${Array.from(
          { length: of },
          (_, place) => html`<svg key=${place} viewBox="-1 -1 22 22" data-done=${place < done}>
            ${place < done ? html`<${BrokenSeal} />` : html`<circle cx="10" cy="10" r="8.6" />`}
          </svg>`,
        )}
      </div>
      <p>${say(`strip.${key}`, { done, left: of - done, points: sum, of: 100 * of })}</p>
    </div>
  <//>`;
}

/** @param {{game: GameInfo}} props */
function HouseCell({ game }) {
  const table = useGame(game.name);
  const beaten = Object.entries(known.value).filter(([key, { won }]) => key.startsWith(`${game.name}/`) && won > 0);
  const said = sentences(
    table ? say("strip.house_next", { name: opponentName(game) }) : "\u00a0",
    beaten.length > 0 ? say("strip.house_beaten", { count: beaten.length }) : "",
  );
  return html`<${Link} class="plain" href=${`/house/${game.name}`}>
    <${Faces} game=${game} machines=${nextOpponents(game)} />
    <div><h3>${t("house.title")}</h3><p>${said}</p></div>
  <//>`;
}
