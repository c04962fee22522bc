// Play a low card, or let the top of the stock play for it (D3).

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "../drawing/card.js";

/** @import { Words } from "/app/contract.js" */

const [OTHER, LOW, TOP] = ["TD", "3C", "QS"];

/** What lies on the table in each case: the other's card, yours. @type {Record<string, string[]>} */
const LYING = { "": ["sealed", LOW], played: [OTHER, LOW], done: [OTHER, TOP] };

/** @param {{words: Words}} props */
export function Exchange({ words }) {
  const [came, setCame] = useState("");
  return html`<div class="example-table">
    <p>${words("example.exchange.ask")}</p>
    <div class="example-pairs" aria-hidden="true">
      <div class="example-pair">${LYING[came].map((card) => html`<${Card} card=${card} />`)}</div>
    </div>
    <div class="example-row">
      ${
        came
          ? html`<button type="button" class="dv-exchange" onClick=${() => setCame("")}>
            ${words("example.again")}
          </button>`
          : html`
            <button type="button" class="dv-exchange" onClick=${() => setCame("played")}>
              ${words("example.exchange.play")}
            </button>
            <button type="button" class="dv-exchange" onClick=${() => setCame("done")}>
              ${words("example.exchange.do")}
            </button>
          `
      }
    </div>
    <${Answer} rules=${came === "done" ? ["D3"] : ["D6", "D7"]} text=${came ? words(`example.exchange.${came}`) : ""} />
  </div>`;
}
