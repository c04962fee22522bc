// The generic table: for games that bring no table of their own. The view as a list, legal picks as buttons, what was
// turned and what came of it in the game's own texts, or in plain words if it has none.

import { html, useState } from "../html.js";
import { eventSentence, fields, narrationContext, pickLabel } from "./generic_facts.js";
import { UNTIL_ACTED, useStages } from "./use_stages.js";

/** @import { GameTable, Sight, TableProps, Texts, Words } from "../contract.js" */
/** @import { Context } from "./generic_facts.js" */

/** Everything that the shell asks of a game, for one without a table of its own.
 * @param {string} name @param {Texts} words in English @returns {GameTable} */
export function genericTable(name, words) {
  return {
    words,
    styles: `/games/${name}/table.css`,
    Table,
    Summary,
    Pick: ({ pick }) => html`<span class="gn-pick">${pick}</span>`,
    narrate: (event, ctx) => eventSentence(event, narrationContext(ctx, seatsOf(event))),
    pickName: (pick, ctx) => pickLabel(ctx.words, pick),
    rulesExamples: [],
  };
}

/** The length that the lists of an event share, if they do: an entry for each seat.
 * @param {{facts?: Record<string, any>}} event */
function seatsOf(event) {
  const lists = Object.values(event.facts ?? {}).filter(Array.isArray);
  return lists.length > 0 && lists.every((each) => each.length === lists[0].length) ? lists[0].length : 0;
}

/** @param {TableProps} props */
function Table({ sight, act, words, motion }) {
  const context = contextOf(sight, words);
  const running = sight.revealing && sight.lastReveal !== null;
  const { finish } = useStages({
    ...{ sight, act, motion, running },
    stages: /** @type {const} */ (["result"]),
    lasts: () => UNTIL_ACTED,
    begins: () => act.sound("turn"),
  });
  return html`<div class="gn">
    <p class="gn-status display">${status(sight, words, running)}</p>
    <${Turned} sight=${sight} context=${context} words=${words} why=${act.why} />
    ${
      running &&
      html`<button type="button" class="button first gn-next" onClick=${finish}>${words("generic.next")}</button>`
    }
    ${
      !running &&
      sight.mayPick &&
      html`<${Picks} key=${sight.turn?.decision} sight=${sight} act=${act} words=${words} />`
    }
    <section class="panel gn-view">
      <h2>${words("generic.table")}</h2>
      <dl>
        ${fields(running ? (sight.lastReveal?.before ?? sight.view) : sight.view, context).map(
          (field) => html`<div key=${field.name} data-field=${field.name}>
            <dt>${field.label}</dt>
            ${field.lines.map((line) => html`<dd>${line}</dd>`)}
          </div>`,
        )}
      </dl>
    </section>
  </div>`;
}

/** @param {Sight} sight @param {Words} words @returns {Context} */
const contextOf = (sight, words) => ({
  words,
  names: (seat) => (seat === sight.seat ? words("generic.you") : sight.names(seat)),
  seats: sight.table.seats.length,
});

/** @param {Sight} sight @param {Words} words @param {boolean} running */
function status(sight, words, running) {
  if (running) return words("generic.turned");
  if (sight.view?.outcome) return words("generic.over");
  if (sight.mayPick) return words("generic.choose");
  if (sight.placed) return words("generic.placed", { pick: pickLabel(words, sight.placed) });
  const waiting = (sight.turn?.may_seal ?? []).map((seat) => sight.names(seat));
  return waiting.length > 0 ? words("generic.waiting", { names: waiting.join(words("generic.list")) }) : "";
}

/** What the last reveal turned, and what came of it; it stays until the next one.
 * @param {{sight: Sight, context: Context, words: Words, why: (ids: string[], sentence: string) => void}} props */
function Turned({ sight, context, words, why }) {
  const reveal = sight.lastReveal;
  if (!reveal) return null;
  const events = reveal.events.filter((event) => event.kind !== "-");
  return html`<section class="panel gn-turned">
    <h2>${words("generic.turned")}</h2>
    <ul>
      ${reveal.opens.map(
        (open) =>
          html`<li>
            ${words("generic.open", { name: context.names(open.seat), pick: pickLabel(words, open.pick) })}
          </li>`,
      )}
    </ul>
    ${events.map((event) => {
      const sentence = eventSentence(event, context);
      const rules = event.rules ?? [];
      return html`<p>
        ${sentence}
        ${
          rules.length > 0 &&
          html` <button type="button" class="link small" onClick=${() => why(rules, sentence)}>
            ${words("generic.why")}
          </button>`
        }
      </p>`;
    })}
  </section>`;
}

/** @param {Pick<TableProps, "sight"|"act"|"words">} props */
function Picks({ sight, act, words }) {
  const [raised, setRaised] = useState(/** @type {string|null} */ (null));
  const seal = () => {
    if (raised === null) return;
    act.sound("seal", 0.5);
    act.pick(raised).catch(() => {}); // the shell shows why it was refused
  };
  return html`<section class="panel gn-picks" aria-label=${words("generic.picks")}>
    <div class="gn-choices">
      ${sight.legal.map(
        (pick) => html`<button
          type="button"
          key=${pick}
          class="button second"
          aria-pressed=${raised === pick ? "true" : "false"}
          data-pick=${pick}
          onClick=${() => setRaised(raised === pick ? null : pick)}
        >
          ${pickLabel(words, pick)}
        </button>`,
      )}
    </div>
    <button
      type="button"
      class="button first big gn-seal"
      aria-disabled=${raised === null ? "true" : "false"}
      onClick=${seal}
    >
      ${raised === null ? words("generic.seal_none") : words("generic.seal", { pick: pickLabel(words, raised) })}
    </button>
  </section>`;
}

/** A card that lies face down: the emblem of a game without one. @param {{size: "fan"|"glyph"}} props */
function Summary({ size }) {
  const [width, height] = size === "glyph" ? ["0.72em", "1em"] : ["96", "134"];
  return html`<svg class="gn-emblem" viewBox="0 0 40 56" width=${width} height=${height} aria-hidden="true">
    <rect x="1.5" y="1.5" width="37" height="53" rx="5" fill="var(--table)" stroke="currentColor" stroke-width="2" />
    <circle cx="20" cy="28" r="7" fill="var(--red)" />
  </svg>`;
}
