// Playable examples of E-Card's rules page.

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "./drawing/card.js";
import { Mark } from "./drawing/marks.js";

/** @import { Act, Words } from "/app/contract.js" */

// Try which card beats which (E1). Holds the seven meetings of this one example, nothing else.

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

// Three pairs of Citizens, turned one after the other: the third draw ends the round (E5, E6).

const LAST = 3;

/** @param {{words: Words, sound: Act["sound"]}} props */
export function ThirdDraw({ words, sound }) {
  const [turned, setTurned] = useState(LAST - 1);
  const over = turned === LAST;
  const turn = () => {
    sound(over ? "seal" : "turn", 0.6);
    setTurned(over ? LAST - 1 : LAST);
  };
  return html`<div class="example-table">
    <p>${words("example.third.ask")}</p>
    <div class="example-pairs" aria-hidden="true">
      ${[1, 2, 3].map(
        (play) => html`<div class="example-pair" key=${play}>
          ${[0, 1].map(() => html`<${Card} card=${play <= turned ? "C" : "sealed"} name=${words("card.C")} />`)}
        </div>`,
      )}
    </div>
    <button type="button" class="ec-quiet" onClick=${turn}>
      ${words(over ? "example.again" : "example.third.turn")}
    </button>
    <${Answer}
      rules=${over ? ["E6"] : ["E5"]}
      text=${over ? words("example.third.end") : words("example.third.play", { play: turned })}
    />
  </div>`;
}

// What a won round pays on either side (E10), for a few stakes.

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

// A win that is worth more than the other's purse holds (E13).

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
