// Playable examples of Davenport's rules page.

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "./drawing.js";
import { signed, spoken } from "./words/names.js";

/** @import { Act, Words } from "/app/contract.js" */

// The highest card wins, and equal ones share it (D6, D7): three cards of yours against a Nine.

const NINE = "9S";

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
      <div class="example-pair"><${Card} card=${mine ? NINE : "sealed"} /></div>
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

// Play a low card, or let the top of the stock play for it (D3).

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

// The four examples of the Ace rules (D15), with the rules behind each.

const TABLES = [
  { cards: ["AS", "8D", "JC", "KH"], rules: ["D11", "D12"] },
  { cards: ["AS", "7D", "8C", "9H"], rules: ["D6", "D13"] },
  { cards: ["AS", "AD", "7C", "8H"], rules: ["D6", "D13"] },
  { cards: ["AS", "7D", "KC", "KH"], rules: ["D11", "D12"] },
];

/** @param {{words: Words}} props */
export function Aces({ words }) {
  const [at, setAt] = useState(-1);
  return html`<div class="example-table">
    <p>${words("example.ace.ask")}</p>
    <div class="example-row">
      ${TABLES.map(
        ({ cards }, i) => html`<button
          type="button"
          class="dv-exchange"
          aria-pressed=${i === at}
          onClick=${() => setAt(i)}
        >
          ${cards.map(signed).join(" ")}
        </button>`,
      )}
    </div>
    <div class="example-pair" aria-hidden="true">
      ${(TABLES[at]?.cards ?? ["sealed", "sealed", "sealed", "sealed"]).map((card) => html`<${Card} card=${card} />`)}
    </div>
    <${Answer} rules=${TABLES[at]?.rules ?? []} text=${at < 0 ? "" : words(`example.ace.${at}`)} />
  </div>`;
}

// A playoff of three seats, round by round (D16 to D18): shared lowest, one leaves, the last one wins.

const ROUNDS = [
  { word: "ask", cards: ["sealed", "sealed", "sealed"], rules: ["D10", "D16"] },
  { word: "shared", cards: ["4C", "4H", "9D"], rules: ["D17", "D18"] },
  { word: "leaves", cards: ["2S", "7H", "JD"], rules: ["D17", "D18"] },
  { word: "last", cards: ["6H", "QD"], rules: ["D17", "D18"] },
];

/** @param {{words: Words, sound: Act["sound"]}} props */
export function Playoff({ words, sound }) {
  const [at, setAt] = useState(0);
  const { word, cards, rules } = ROUNDS[at];
  const turn = () => {
    sound("turn", 0.6);
    setAt((at + 1) % ROUNDS.length);
  };
  return html`<div class="example-table">
    <div class="example-pair" aria-hidden="true">${cards.map((card) => html`<${Card} card=${card} />`)}</div>
    <button type="button" class="dv-exchange" onClick=${turn}>
      ${words(at === ROUNDS.length - 1 ? "example.again" : "example.playoff.turn")}
    </button>
    <${Answer} rules=${rules} text=${words(`example.playoff.${word}`)} />
  </div>`;
}
