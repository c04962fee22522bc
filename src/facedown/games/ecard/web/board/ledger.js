// Ledger of the rounds, a row for each group: the other above, you below; the winner's half is filled.

import { html } from "/app/html.js";
import { Mark } from "../drawing/marks.js";

/** @import { Words } from "/app/contract.js" */

/** @param {{round: any, above: number, below: number}} props */
function Played({ round, above, below }) {
  const half = (/** @type {number} */ seat) => {
    const won = round.winner === seat;
    return html`<span class="ec-half" data-won=${won}>
      <${Mark} of=${round.cards[seat - 1]} />${won ? html`<b>+${round.paid}</b>` : null}
    </span>`;
  };
  return html`${half(above)}${half(below)}`;
}

/** @param {{view: any, above: number, sealed: number[]}} props */
function Open({ view, above, sealed }) {
  const half = (/** @type {number} */ seat) =>
    html`<span class="ec-half"><${Mark} of=${sealed.includes(seat) ? "wax" : "open"} /></span>`;
  const dots = Array.from(
    { length: view.last_play },
    (_, i) => html`<i data-dot=${i + 1 < view.play ? "past" : i + 1 === view.play ? "now" : "ahead"}></i>`,
  );
  return html`
    ${half(above)}<span class="ec-dots">${dots}</span><span class="ec-short">${view.round}</span>${half(3 - above)}
  `;
}

/** The accessible text of a cell.
 * @param {any} round @param {number} number @param {Words} words @param {(seat: number) => string} call */
function cellText(round, number, words, call) {
  if (!round) return words("ledger.ahead", { round: number });
  if (!round.winner) return words("ledger.nobody", { round: number });
  return words("ledger.won", {
    round: number,
    name: call(round.winner),
    card: words(`card.${round.cards[round.winner - 1]}`),
    paid: round.paid,
  });
}

/** How many rounds pass before the seats swap sides. @param {number[]} sides the Emperor side of each round */
function groupOf(sides) {
  const swap = sides.findIndex((seat) => seat !== sides[0]);
  return swap < 0 ? sides.length : swap;
}

/** `latest` is the round that was decided just now and is still being shown; 0 for none.
 * @param {{view: any, below: number, sealed: number[], latest: number, words: Words, call: (seat: number) => string}}
 *   props */
export function Ledger({ view, below, sealed, latest, words, call }) {
  const above = 3 - below;
  const group = groupOf(view.sides);
  const count = Math.max(view.sides.length, view.rounds.length, view.outcome ? 0 : view.round);
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const rows = Array.from({ length: Math.ceil(count / group) }, (_, i) => numbers.slice(i * group, (i + 1) * group));
  const emperorOf = (/** @type {number} */ n) =>
    view.rounds[n - 1]?.emperor ?? (n === view.round ? view.emperor : view.sides?.[n - 1]);
  const cell = (/** @type {number} */ number) => {
    const round = view.rounds[number - 1];
    const open = !round && !latest && number === view.round && !view.outcome;
    const state = open ? "open" : !round ? "ahead" : round.winner ? "won" : "nobody";
    return html`<li
      key=${number}
      class="ec-cell"
      data-state=${state}
      data-latest=${number === latest}
      aria-current=${open ? "step" : undefined}
    >
      <span class="unseen">
        ${
          open
            ? words("ledger.open", { round: number, play: view.play, plays: view.last_play })
            : cellText(round, number, words, call)
        }
      </span>
      <span class="ec-cell-drawn" aria-hidden="true">
        ${round ? html`<${Played} round=${round} above=${above} below=${below} />` : null}
        ${round && !round.winner ? html`<span class="ec-nobody">${words("ledger.no_one")}</span>` : null}
        ${open ? html`<${Open} view=${view} above=${above} sealed=${sealed} />` : null}
      </span>
    </li>`;
  };
  return html`<ol
    class="ec-ledger"
    style=${{ "--group": group }}
    tabindex=${rows.length > 4 ? 0 : undefined}
    aria-label=${words("ledger.rounds")}
  >
    ${rows.map((row) => {
      const emperor = emperorOf(row.find((n) => n === view.round && !view.outcome) ?? row[0]);
      const now = row.includes(latest || view.round) && !view.outcome;
      const marks =
        emperor === undefined
          ? null
          : [above, below].map((seat) => html`<${Mark} of=${seat === emperor ? "E" : "S"} />`);
      return html`<li class="ec-group" data-now=${now}>
        <span class="ec-group-sides" aria-hidden="true">${marks}</span><ol class="ec-cells">${row.map(cell)}</ol>
      </li>`;
    })}
  </ol>`;
}
