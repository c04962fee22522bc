// Page of the explorer and the trainer: the bar, the game that the address names, and the choice of its rules.

import { html } from "../html.js";
import { Options } from "../new_table/options.js";
import { ErrorNotice, Page } from "../parts/elements.js";
import { namedValues, Select } from "../parts/fields.js";
import { useRequest, useTitle } from "../parts/hooks.js";
import { allGames, games, rulesOptions, rulesText } from "../state/games.js";
import { gameWord, t } from "../words.js";
import { say, useTexts } from "./words.js";

/** @import { GameInfo } from "../net/rest.js" */

/** Without `game`, the first that there is.
 * @param {{title: () => string, game?: string, offers: (info: GameInfo) => boolean,
 *   children: (info: GameInfo) => any}} props */
export function StudyPage({ title, game, offers, children }) {
  const ready = useTexts();
  const { error, again } = useRequest(allGames, []);
  useTitle(ready ? title() : "");
  const all = (games.value ?? []).filter(offers);
  const info = all.find((each) => each.name === game) ?? (game ? null : all[0]);
  return html`<${Page} class="study" aria-busy=${!ready}>
    <${ErrorNotice} error=${error} again=${again} />
    ${ready && games.value && !info && html`<h1>${t("lost.title")}</h1><p class="lead">${t("lost.say")}</p>`}
    ${ready && info && children(info)}
  <//>`;
}

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
      <${Select}
        value=${preset.name}
        values=${namedValues(
          info.presets.map(({ name }) => name),
          (name) => gameWord(info.name, `preset.${name}.name`, name),
        )}
        change=${choose}
      />
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
