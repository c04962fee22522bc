// How to play, over the table: the game's pictures and plain words, without leaving the game.

import { html } from "../html.js";
import { Link } from "../parts/elements.js";
import { Lessons } from "../parts/lessons.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { GameTable, Words } from "../contract.js" */

/** @param {{name: string, rules: string, game: GameTable, words: Words, close: () => void}} props */
export function HowToPlayDialog({ name, rules, game, words, close }) {
  return html`<${Dialog} class="how-to-play" label=${t("rules.how")} close=${close}>
    <h2>${t("rules.how")}</h2>
    <${Lessons} game=${game} words=${words} />
    <div class="row">
      <button class="button first" onClick=${close}>${t("close")}</button>
      <${Link} class="link" href=${`/rules/${name}?rules=${encodeURIComponent(rules)}`}>${t("rules.exact")}<//>
    </div>
  <//>`;
}
