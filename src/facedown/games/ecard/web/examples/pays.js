// What a won round pays on either side (E10), for a few stakes.

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Mark } from "../drawing/marks.js";

/** @import { Words } from "/app/contract.js" */

const STAKES = [1, 2, 3];

/** How many times the stake is paid in this example. @type {Record<string, number>} */
const TIMES = { E: 1, S: 5 };

/** @param {{words: Words}} props */
export function Pays({ words }) {
  const [stake, setStake] = useState(1);
  const [side, setSide] = useState("");
  const text = side && words(`example.pays.${side}`, { times: TIMES[side], paid: TIMES[side] * stake });
  return html`<div class="example-table">
    <p>${words("example.pays.ask")}</p>
    <p class="example-row">
      ${Object.keys(TIMES).map(
        (each) => html`<button
          type="button"
          class="ec-quiet"
          aria-pressed=${each === side}
          onClick=${() => setSide(each)}
        >
          <${Mark} of=${each} /> ${words(`side.${each}`)}
        </button>`,
      )}
    </p>
    <fieldset class="example-row">
      <legend>${words("example.pays.stake")}</legend>
      ${STAKES.map(
        (each) => html`<button
          type="button"
          class="ec-quiet"
          aria-pressed=${each === stake}
          onClick=${() => setStake(each)}
        >
          ${each}
        </button>`,
      )}
    </fieldset>
    <${Answer} rules=${["E10"]} text=${text} />
  </div>`;
}
