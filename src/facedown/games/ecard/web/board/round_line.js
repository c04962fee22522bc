// One line about the round, where there is no room for the rail at the right: which play it is, the drawn ones before
// it, the stake; and, at every size, the way back to the last round.

import { html } from "/app/html.js";
import { Mark } from "../drawing/marks.js";

/** @import { Words } from "/app/contract.js" */

/** @param {{view: any, words: Words, look: (() => void)|null}} props `look`: null where no round is over yet */
export function RoundLine({ view, words, look }) {
  const stake = view.purses && view.stake !== null ? words("play.stake", { stake: view.stake }) : "";
  const drawn = Array.from({ length: view.play - 1 });
  return html`<div class="ec-line-row">
    ${
      view.outcome
        ? null
        : html`<p class="ec-line-play">
          ${words("play.of", { play: view.play, plays: view.last_play })}
          ${drawn.map(
            () => html`<span class="ec-line-drawn" aria-hidden="true"><${Mark} of="C" /><${Mark} of="C" /></span>`,
          )}
          ${drawn.length ? html`<span class="unseen">${words("play.draws", { count: drawn.length })}</span>` : null}
          ${stake ? html`<span>${stake}</span>` : null}
        </p>`
    }
    ${look ? html`<button type="button" class="ec-link ec-look" onClick=${look}>${words("look.back")}</button>` : null}
  </div>`;
}
