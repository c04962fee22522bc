// A playoff of three seats, round by round (D16 to D18): shared lowest, one leaves, the last one wins.

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "../drawing/card.js";

/** @import { Act, Words } from "/app/contract.js" */

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
