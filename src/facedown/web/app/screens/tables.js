// All open tables.

import { allGames } from "../games.js";
import { html } from "../html.js";
import { Bar } from "../parts/bar.js";
import { OpenTables } from "../parts/lists.js";
import { useAsked, useTitle } from "../parts/use.js";
import { t } from "../words.js";

export function Tables() {
  useAsked(allGames, []);
  useTitle(t("home.open"));
  return html`<${Bar} /><main class="page"><h1 class="unseen">${t("home.open")}</h1><${OpenTables} all /></main>`;
}
