// Three pairs of Citizens, turned one after the other: the third draw ends the round (E5, E6).

import { html, useState } from "/app/html.js";
import { Answer } from "/app/table/rule_text.js";
import { Card } from "../drawing/card.js";

/** @import { Act, Words } from "/app/contract.js" */

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
