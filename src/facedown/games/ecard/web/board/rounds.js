// The current round: in one line on a narrow page, at the right on a wide one.

import { html } from "/app/html.js";
import { Card } from "../drawing/card.js";
import { Mark } from "../drawing/marks.js";

/** @import { Words } from "/app/contract.js" */

// One line about the round, if there is no room for the rail at the right: which play it is, the drawn ones before
// it, the stake; and, at every size, the way back to the last round.

/** @param {{view: any, words: Words, look: (() => void)|null}} props `look`: null if no round is over yet */
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

// The current round at the right: its plays so far, who places first, and what the raised card could win or lose.

/** A seat's name, as it begins a sentence (`call`) or occurs inside one (`inside`).
 * @typedef {(seat: number) => string} Call */

/** What a play's two small cards show: the other's first, then yours.
 * @param {any} view @param {number} play @param {number[]} seats @param {number[]} sealed */
function smallCards(view, play, seats, sealed) {
  if (play < view.play) return ["C", "C"]; // a round continues only after two Citizens: so the view defines it
  if (play > view.play) return ["", ""];
  return seats.map((seat) => (sealed.includes(seat) ? "sealed" : ""));
}

/** @param {any} view @param {number} play @param {Words} words @param {Call} call @param {Call} inside */
function remark(view, play, words, call, inside) {
  if (play < view.play) return words("play.drawn");
  if (play === view.play && view.first)
    return words("play.first", { name: call(view.first), other: inside(3 - view.first) });
  const left = view.cards_left - (play - view.play);
  if (play === view.last_play) return words(left === 1 ? "play.decides" : "play.last");
  return play === view.play ? words("play.together") : "";
}

/** @param {{view: any, play: number, seats: number[], sealed: number[], words: Words, call: Call, inside: Call}} props
 *   */
function Play({ view, play, seats, sealed, words, call, inside }) {
  const now = play === view.play && view.stake !== null;
  return html`<li
    class="ec-play"
    data-now=${now}
    data-past=${play < view.play}
    aria-current=${now ? "step" : undefined}
  >
    <span class="ec-play-cards" aria-hidden="true">
      ${smallCards(view, play, seats, sealed).map((card) =>
        card
          ? html`<${Card} card=${card} name=${card === "sealed" ? "" : words(`card.${card}`)} />`
          : html`<span class="ec-play-slot"></span>`,
      )}
    </span>
    <span class="ec-play-name">${words(`play.${play}`)}</span>
    <span class="ec-play-remark">${remark(view, play, words, call, inside)}</span>
  </li>`;
}

/** What the raised card comes to against each card it may meet, by the view.
 * @param {{view: any, card: string, you: number, words: Words, call: (seat: number) => string}} props */
function Meets({ view, card, you, words, call }) {
  const met = (view.meets ?? []).filter((/** @type {any} */ each) => each.card === card);
  if (!met.length) return null;
  return html`<section class="ec-meets">
    <h3>${words("meets.if", { card: words(`card.${card}`) })}</h3>
    <dl>
      ${met.map(
        (/** @type {any} */ each) => html`<div>
          <dt data-card=${each.other}><${Mark} of=${each.other} /> ${words(`showed.${each.other}`)}</dt>
          <dd>
            ${
              each.winner
                ? words(each.winner === you ? "meets.you" : "meets.other", { name: call(each.winner), paid: each.paid })
                : words("meets.draw")
            }
          </dd>
        </div>`,
      )}
    </dl>
  </section>`;
}

/** @param {{view: any, you: number, below: number, sealed: number[], raised: string, words: Words,
 *   call: Call, inside: Call}} props */
export function RoundRail({ view, you, below, sealed, raised, words, call, inside }) {
  if (view.outcome) return html`<aside class="ec-rail" data-side="end"></aside>`;
  const plays = Array.from({ length: view.last_play }, (_, i) => i + 1);
  const stake = view.purses && view.stake !== null;
  return html`<aside class="ec-rail" data-side="end" aria-label=${words("round.this")}>
    <h2 class="ec-round">${words(view.extra ? "round.extra" : "round.number", { round: view.round })}</h2>
    <p class="ec-round-of">
      ${[
        view.extra ? "" : words("of", { rounds: view.sides.length }),
        stake ? words("round.stake", { stake: view.stake }) : "",
      ]
        .filter(Boolean)
        .join(words("event.comma"))}
    </p>
    <ol class="ec-plays">
      ${plays.map(
        (play) => html`<${Play}
          key=${play}
          view=${view}
          play=${play}
          seats=${[3 - below, below]}
          sealed=${sealed}
          words=${words}
          call=${call}
          inside=${inside}
        />`,
      )}
    </ol>
    ${raised ? html`<${Meets} view=${view} card=${raised} you=${you} words=${words} call=${call} />` : null}
  </aside>`;
}
