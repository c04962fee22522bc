// Segmented control: a row of radio buttons that looks like one control.

import { html, useMemo } from "../html.js";

let count = 0;

function nextName() {
  count += 1;
  return `choice-${count}`;
}

/** @param {{label: string, value: string, values: {value: string, label: string}[], choose: (value: string) => void,
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
