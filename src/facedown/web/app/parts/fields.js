// Fields of forms: text, a list to choose from, and radio buttons in a row.

import { html, onValue, useMemo } from "../html.js";
import { isKept } from "../net/api.js";
import { t } from "../words.js";

/** Attributes of a field for what no keyboard should correct: names, codes. */
export const VERBATIM = { autocomplete: "off", autocapitalize: "none", spellcheck: false };

/** A text field with its label; further attributes are those of the field, and what follows it is inside.
 * @param {{label: string, value: string, change: (value: string) => void, labelClass?: string, children?: unknown,
 *   [name: string]: unknown}} props */
export const TextField = ({ label, value, change, labelClass, children, ...field }) => html`<label class=${labelClass}>
  <span>${label}</span>
  <input type="text" value=${value} onInput=${onValue(change)} ...${field} />
  ${children}
</label>`;

/** The field for a guest's own name, which others will read; a kept account has its handle.
 * @param {{name: string, change: (name: string) => void}} props */
export const OwnName = ({ name, change }) =>
  !isKept() &&
  html`<${TextField}
    labelClass="invite-name"
    label=${t("invite.name")}
    value=${name}
    change=${change}
    maxlength="32"
    autocomplete="nickname"
  />`;

/** @typedef {{value: string, label: string}} Option */

/** What can be chosen, each with its name. @param {readonly string[]} values @param {(value: string) => string} nameOf
 * @returns {Option[]} */
export const namedValues = (values, nameOf) => values.map((value) => ({ value, label: nameOf(value) }));

/** One of a list; further attributes are those of the element.
 * @param {{value: string, values: Option[], change: (value: string) => void, [name: string]: unknown}} props */
export const Select = ({ value, values, change, ...select }) => html`<select
  value=${value}
  onChange=${onValue(change)}
  ...${select}
>
  ${values.map(
    (each) =>
      html`<option key=${each.value} value=${each.value} selected=${each.value === value}>${each.label}</option>`,
  )}
</select>`;

let count = 0;

function nextName() {
  count += 1;
  return `choice-${count}`;
}

/** Radio buttons. @param {{label: string, value: string, values: Option[], choose: (value: string) => void,
 *   hideLabel?: boolean, says?: string}} props `says`: what the choice means */
export function Choices({ label, value, values, choose, hideLabel = false, says = "" }) {
  const name = useMemo(nextName, []);
  return html`<fieldset class=${hideLabel ? "field bare" : "field"}>
    <legend class=${hideLabel ? "unseen" : ""}>${label}</legend>
    <div class="choices">
      ${values.map(
        (each) =>
          html`<label key=${each.value}>
            <input
              type="radio"
              name=${name}
              value=${each.value}
              checked=${each.value === value}
              onChange=${() => choose(each.value)}
            />
            ${each.label}
          </label>`,
      )}
    </div>
    ${says && html`<p class="small quiet choices-say">${says}</p>`}
  </fieldset>`;
}
