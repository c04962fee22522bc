// A stated habit of an opponent, and the best answer to it.

import { html, onValue, useState } from "../html.js";
import { Choices } from "../parts/fields.js";
import { Balance, Picks } from "./position.js";
import { say } from "./words.js";

/** @import { GameTable } from "../contract.js" */

const USUAL = "40";

/** The habit as text, with one part changed. @param {any[]} parts @param {string} name @param {string} value */
export function habitText(parts, name, value) {
  return parts.map((part) => `${part.name}=${part.name === name ? value : part.value || USUAL}`).join(",");
}

/** @param {{game: string, table: GameTable|null, found: any, change: (habit: string) => void}} props */
export function Habit({ game, table, found, change }) {
  const parts = found.habit_parts;
  const stated = found.habit !== "";
  return html`<section class="study-habit">
    <h2>${say("explore.habit")}</h2>
    <p class="quiet">${say("explore.habit_lead")}</p>
    ${
      stated
        ? html`<div class="study-habit-parts">
            ${parts.map((/** @type {any} */ part) =>
              part.choices.length > 0
                ? html`<${Choices}
                    key=${part.name}
                    label=${part.label}
                    value=${part.value}
                    values=${part.choices.map((/** @type {string[]} */ [value, label]) => ({ value, label }))}
                    choose=${(/** @type {string} */ value) => change(habitText(parts, part.name, value))}
                  />`
                : html`<${Percentages}
                    key=${part.name}
                    part=${part}
                    set=${(/** @type {string} */ value) => change(habitText(parts, part.name, value))}
                  />`,
            )}
          </div>
          <p><button class="link" onClick=${() => change("")}>${say("explore.habit_drop")}</button></p>`
        : html`<p>
            <button class="button second" onClick=${() => change(habitText(parts, "", ""))}>
              ${say("explore.habit_add")}
            </button>
          </p>`
    }
    ${
      found.answer &&
      html`<div class="panel study-answer" aria-live="polite">
        ${found.answer.say.map((/** @type {string} */ each) => html`<p>${each}</p>`)}
        <${Balance}
          sides=${[{ who: found.answer.who, value: found.answer.value }, { who: "", value: 1 - found.answer.value }]}
        />
        ${
          found.answer.picks.length > 0 &&
          html`<${Picks} answers game=${game} table=${table} picks=${found.answer.picks} />`
        }
      </div>`
    }
  </section>`;
}

/** One percentage for each play; those after the last that is stated are left to perfect play.
 * @param {{part: any, set: (value: string) => void}} props */
function Percentages({ part, set }) {
  /** @type {string[]} */
  const values = part.value.split(":");
  /** @param {number} place @param {string} value */
  const change = (place, value) => {
    const whole = [...values];
    while (whole.length < place) whole.push("0");
    whole[place] = value;
    const last = whole.findLastIndex((each) => each !== "");
    set(
      whole
        .slice(0, Math.max(1, last + 1))
        .map((each) => each || "0")
        .join(":"),
    );
  };
  return html`<fieldset class="field study-percentages">
    <legend>${part.label}</legend>
    ${part.slots.map(
      (/** @type {string} */ slot, /** @type {number} */ place) => html`<${Percentage}
        key=${place}
        label=${slot}
        value=${values[place] ?? ""}
        set=${(/** @type {string} */ value) => change(place, value)}
      />`,
    )}
  </fieldset>`;
}

/** @param {{label: string, value: string, set: (value: string) => void}} props */
function Percentage({ label, value, set }) {
  const [typed, setTyped] = useState(/** @type {string|null} */ (null));
  /** @param {any} event */
  const done = (event) => {
    setTyped(null);
    const text = event.target.value;
    set(text === "" ? "" : String(Math.min(100, Math.max(0, Math.round(Number(text))))));
  };
  return html`<label>
    <span>${label}</span>
    <input
      type="number"
      inputmode="numeric"
      min="0"
      max="100"
      placeholder="–"
      value=${typed ?? value}
      onInput=${onValue(setTyped)}
      onChange=${done}
    />
  </label>`;
}
