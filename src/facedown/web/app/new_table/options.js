// Rule options of a new table, as data from the server: label, help, allowed values.

import { html, useState } from "../html.js";
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
  const values = option.values ?? ["on", "off"];
  /** @param {Event} event */
  const chosen = (event) => set(/** @type {HTMLSelectElement} */ (event.target).value);
  return html`<select id=${id} value=${shown(value)} onChange=${chosen}>
    ${values.map(
      (each) => html`<option value=${shown(each)} selected=${shown(each) === shown(value)}>
        ${gameWord(game, `option.${option.name}.value.${shown(each)}`, shown(each))}
      </option>`,
    )}
  </select>`;
}

/** A number, taken over once it is complete; what is being typed outlives whatever is drawn anew meanwhile.
 * @param {{id: string, low?: number, high?: number, value: number, set: (value: number) => void}} props */
function NumberField({ id, low, high, value, set }) {
  const [typed, setTyped] = useState(/** @type {string|null} */ (null));
  const done = (/** @type {any} */ event) => {
    setTyped(null);
    set(Number(event.target.value));
  };
  return html`<input
    id=${id}
    type="number"
    min=${low}
    max=${high}
    value=${typed ?? value}
    onInput=${(/** @type {any} */ event) => setTyped(event.target.value)}
    onChange=${done}
  />`;
}

/** Switches are written on and off. @param {unknown} value */
function shown(value) {
  if (value === true) return "on";
  if (value === false) return "off";
  return String(value);
}
