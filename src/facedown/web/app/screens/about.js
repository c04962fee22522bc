// About screen: where the games come from, how a deal is made fair, and the licences of what is shipped.

import { html } from "../html.js";
import { Link, Page } from "../parts/elements.js";
import { useGame, useRequest, useTitle } from "../parts/hooks.js";
import { allGames, games, titleOf } from "../state/games.js";
import { gameWord, t } from "../words.js";

const OFL = "SIL Open Font License 1.1";

/** Fonts and libraries that travel with the page. */
const SHIPPED = [
  ["Shippori Mincho", OFL],
  ["Inter", OFL],
  ["Preact", "MIT"],
  ["Preact Signals", "MIT"],
  ["htm", "Apache 2.0"],
  ["noble-hashes", "MIT"],
];

export function About() {
  useRequest(allGames, []);
  useTitle(t("about.title"));
  return html`<${Page} class="about">
    <h1>${t("about.title")}</h1>
    <p class="lead">${t("about.lead")}</p>
    <section>
      <h2>${t("about.games")}</h2>
      ${games.value?.map(({ name }) => html`<${Origin} key=${name} game=${name} />`)}
      <p>${t("about.own")}</p>
    </section>
    <section>
      <h2>${t("about.fair")}</h2>
      <p>${t("about.fair.say")}</p>
    </section>
    <section>
      <h2>${t("about.licences")}</h2>
      <ul class="list">
        ${SHIPPED.map(
          ([name, licence]) => html`<li>
            <span class="who">${name}</span><span class="quiet state">${licence}</span>
          </li>`,
        )}
      </ul>
    </section>
  <//>`;
}

/** @param {{game: string}} props */
function Origin({ game }) {
  useGame(game); // loads its words
  const origin = gameWord(game, "origin", "");
  return origin && html`<p>${origin} <${Link} class="link" href=${`/rules/${game}`}>${titleOf(game)}<//></p>`;
}
