// The choice of a rule set for the explorer and the trainer: a preset, and what is changed in it.

import { html } from "../html.js";
import { Options } from "../new_table/options.js";
import { rulesOptions, rulesText } from "../state/games.js";
import { gameWord } from "../words.js";
import { say } from "./texts.js";

/** @import { GameInfo } from "../net/rest.js" */

/** @param {{info: GameInfo, rules: string, choose: (rules: string) => void}} props */
export function RuleChoice({ info, rules, choose }) {
  const preset = info.presets.find((each) => each.name === rules.split("(")[0]) ?? info.presets[0];
  const values = rulesOptions(info, rules || preset.rules);
  const changed = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => String(preset.values[name]) !== String(value)),
  );
  return html`<div class="study-rules">
    <label>
      <span>${say("explore.rules")}</span>
      <select value=${preset.name} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${info.presets.map(
          (each) => html`<option value=${each.name} selected=${each === preset}>
            ${gameWord(info.name, `preset.${each.name}.name`, each.name)}
          </option>`,
        )}
      </select>
    </label>
    <p class="small quiet">${preset.meaning}</p>
    <${Options}
      game=${info}
      preset=${preset.name}
      changed=${changed}
      change=${(/** @type {any} */ next) => choose(rulesText(info, preset.name, next))}
    />
  </div>`;
}
