// The highest card wins, and equal ones share it (D6, D7): three cards of yours against a Nine.

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "../drawing/card.js";
import { spoken } from "../words/names.js";

/** @import { Words } from "/app/contract.js" */

const OTHER = "9S";

/** What each of the three comes to, and the rules that say so.
 * @type {Record<string, {word: string, rules: string[]}>} */
const PLAYED = {
  "4H": { word: "lost", rules: ["D6", "D7"] },
  "9D": { word: "shared", rules: ["D6"] },
  JC: { word: "won", rules: ["D6", "D7"] },
};

/** @param {{words: Words}} props */
export function Highest({ words }) {
  const [mine, setMine] = useState("");
  const came = PLAYED[mine];
  return html`<div class="example-table">
    <p>${words("example.highest.ask")}</p>
    <div class="example-pairs" aria-hidden="true">
      <div class="example-pair"><${Card} card=${mine ? OTHER : "sealed"} /></div>
    </div>
    <div class="example-row">
      ${Object.keys(PLAYED).map(
        (card) => html`<button
          type="button"
          class="example-card"
          aria-pressed=${card === mine}
          aria-label=${spoken(card, words)}
          onClick=${() => setMine(card)}
        >
          <${Card} card=${card} />
        </button>`,
      )}
    </div>
    <${Answer} rules=${came?.rules ?? []} text=${came ? words(`example.highest.${came.word}`) : ""} />
  </div>`;
}
