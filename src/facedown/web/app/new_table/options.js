// Options of a new table: the rules, as data from the server (label, help, allowed values), and the substitute.

import { html, onValue, useState } from "../html.js";
import { namedValues, Select } from "../parts/fields.js";
import { opponentLabel, opponents } from "../state/opponents.js";
import { gameWord, t } from "../words.js";

/** @import { GameInfo, OptionInfo } from "../net/rest.js" */

/** @param {{game: GameInfo, preset: string, changed: Record<string, any>, change: (changed: Record<string, any>) =>
 *   void}} props */
export function Options({ game, preset, changed, change }) {
  const values = game.presets.find((each) => each.name === preset)?.values ?? {};
  const count = Object.keys(changed).length;
  /** @param {string} name @param {any} value */
  const set = (name, value) => {
    const { [name]: _, ...others } = changed;
    change(String(values[name]) === String(value) ? others : { ...others, [name]: value });
  };
  return html`<details class="options">
    <summary>
      <span>${t("new.more")}</span>
      <span class="quiet">${count ? t("new.changed", { n: count }) : t("new.nothing_changed")}</span>
    </summary>
    ${game.options.map(
      (each) => html`<${OptionRow}
        key=${each.name}
        game=${game.name}
        option=${each}
        value=${changed[each.name] ?? values[each.name]}
        set=${(/** @type {any} */ value) => set(each.name, value)}
      />`,
    )}
  </details>`;
}

/** @param {{game: string, option: OptionInfo, value: any, set: (value: any) => void}} props */
function OptionRow({ game, option, value, set }) {
  const id = `option-${option.name}`;
  return html`<div class="option">
    <label for=${id}>${option.label}</label>
    <span class="quiet">${option.help} ${option.rule}</span>
    <${Control} id=${id} game=${game} option=${option} value=${value} set=${set} />
  </div>`;
}

/** @param {{id: string, game: string, option: OptionInfo, value: any, set: (value: any) => void}} props */
function Control({ id, game, option, value, set }) {
  if (option.kind === "number")
    return html`<${NumberField} id=${id} low=${option.low} high=${option.high} value=${value} set=${set} />`;
  const values = (option.values ?? ["on", "off"]).map(optionText);
  const named = namedValues(values, (each) => gameWord(game, `option.${option.name}.value.${each}`, each));
  return html`<${Select} id=${id} value=${optionText(value)} values=${named} change=${set} />`;
}

/** A number field: passes the number on once it is complete; unfinished input survives rendering.
 * @param {{id: string, low?: number, high?: number, value: number, set: (value: number) => void}} props */
function NumberField({ id, low, high, value, set }) {
  const [typed, setTyped] = useState(/** @type {string|null} */ (null));
  return html`<input
    id=${id}
    type="number"
    min=${low}
    max=${high}
    value=${typed ?? value}
    onInput=${onValue(setTyped)}
    onChange=${onValue((entered) => {
      setTyped(null);
      set(Number(entered));
    })}
  />`;
}

/** Switches are written on and off. @param {unknown} value */
function optionText(value) {
  if (value === true) return "on";
  if (value === false) return "off";
  return String(value);
}

/** The machine that takes over the seat of an absent player until they come back.
 * @param {{game: GameInfo, chosen: string, choose: (machine: string) => void}} props */
export function Substitute({ game, chosen, choose }) {
  const value = chosen || game.substitute_machine;
  const machines = opponents(game).map(({ name }) => name);
  const named = namedValues(machines, (name) => t("new.sitter.machine", { name: opponentLabel(game, name) }));
  return html`<div class="field">
    <label class="label" for="substitute">${t("new.substitute")}</label>
    <div class="wrap sitters">
      <${Select} id="substitute" aria-describedby="substitute-says" value=${value} values=${named} change=${choose} />
      <p class="small quiet" id="substitute-says">${t("new.substitute.says")}</p>
    </div>
  </div>`;
}
