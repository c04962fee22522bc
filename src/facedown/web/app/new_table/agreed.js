// What the people of a new table agree on besides the rules: who plays on for somebody who is gone.

import { html } from "../html.js";
import { opponentLabel, opponents } from "../state/opponents.js";
import { t } from "../words.js";

/** @import { GameInfo } from "../net/rest.js" */

/** The machine that takes over the seat of somebody who is gone, until that person comes back.
 * @param {{game: GameInfo, chosen: string, choose: (machine: string) => void}} props */
export function Substitute({ game, chosen, choose }) {
  const value = chosen || game.substitute_machine;
  return html`<div class="field">
    <label class="label" for="substitute">${t("new.substitute")}</label>
    <div class="sitters">
      <select
        id="substitute"
        value=${value}
        aria-describedby="substitute-says"
        onChange=${(/** @type {any} */ event) => choose(event.target.value)}
      >
        ${opponents(game).map(
          (each) => html`<option value=${each.name} selected=${each.name === value}>
            ${t("new.sitter.machine", { name: opponentLabel(game.name, each.name) })}
          </option>`,
        )}
      </select>
      <p class="small quiet" id="substitute-says">${t("new.substitute.says")}</p>
    </div>
  </div>`;
}
