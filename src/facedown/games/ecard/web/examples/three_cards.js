// Try which card beats which (E1). Holds the seven meetings of this one example, nothing else.

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "../drawing/card.js";

/** @import { Words } from "/app/contract.js" */

const CARDS = ["E", "C", "S"];

/** The word that answers each meeting. @type {Record<string, string>} */
const MEETINGS = { EC: "E", CE: "E", CS: "C", SC: "C", SE: "S", ES: "S", CC: "draw" };

/** @param {{side: string, chosen: string, choose: (card: string) => void, words: Words}} props */
function Choice({ side, chosen, choose, words }) {
  return html`<fieldset class="example-choice">
    <legend>${words(`example.cards.${side}`)}</legend>
    ${CARDS.map(
      (card) => html`<button
        type="button"
        class="example-card"
        aria-pressed=${card === chosen}
        aria-label=${words(`card.${card}`)}
        onClick=${() => choose(card)}
      >
        <${Card} card=${card} name=${words(`card.${card}`)} />
      </button>`,
    )}
  </fieldset>`;
}

/** @param {{words: Words}} props */
export function ThreeCards({ words }) {
  const [yours, setYours] = useState("");
  const [theirs, setTheirs] = useState("");
  const met = yours && theirs ? (MEETINGS[yours + theirs] ?? "never") : "";
  return html`<div class="example-table">
    <p>${words("example.cards.ask")}</p>
    <${Choice} side="theirs" chosen=${theirs} choose=${setTheirs} words=${words} />
    <${Choice} side="yours" chosen=${yours} choose=${setYours} words=${words} />
    <${Answer} rules=${["E1"]} text=${met && words(`example.cards.${met}`)} />
  </div>`;
}
