// A win that is worth more than the other's purse holds (E13).

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";

/** @import { Words } from "/app/contract.js" */

const BEFORE = { yours: 18, theirs: 12 };
const AFTER = { yours: 30, theirs: 0 };

/** @param {{words: Words}} props */
export function Ruin({ words }) {
  const [over, setOver] = useState(false);
  const purses = over ? AFTER : BEFORE;
  return html`<div class="example-table">
    <p>${words("example.ruin.ask")}</p>
    <dl class="example-purses">
      <div><dt>${words("example.cards.theirs")}</dt><dd>${purses.theirs}</dd></div>
      <div><dt>${words("example.cards.yours")}</dt><dd>${purses.yours}</dd></div>
    </dl>
    <button type="button" class="ec-quiet" onClick=${() => setOver(!over)}>
      ${words(over ? "example.again" : "example.ruin.do")}
    </button>
    <${Answer} rules=${["E13"]} text=${over ? words("example.ruin.end") : ""} />
  </div>`;
}
