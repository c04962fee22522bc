// Mind of the day: today's position with ten chips on its two picks, or the result of a day that is over.

import { html, useState, useTimer } from "../html.js";
import { ask, get, guestSession } from "../net/api.js";
import { place } from "../net/place.js";
import { percent, tenths } from "../numbers.js";
import { ErrorNotice, Link, Page } from "../parts/elements.js";
import { useGame, useNow, useRequest, useTitle, useWork } from "../parts/hooks.js";
import { Sign } from "../parts/marks.js";
import { lang, sentences, wordsOf } from "../words.js";
import { Chips } from "./chips.js";
import { Result } from "./result.js";
import { dayText, say, useTexts } from "./words.js";

/** @import { MindPosition, MindState } from "../net/rest.js" */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** @param {{day?: string}} props without a day, today's */
export function Today({ day = "" }) {
  const ready = useTexts();
  useTitle(ready ? say("title") : "");
  return html`<${Page} class="today" aria-busy=${!ready}>
    ${ready && (day ? html`<${Result} key=${day} day=${day} />` : html`<${Position} key=${place.value} />`)}
  <//>`;
}

function Position() {
  const fetched = useRequest(async () => {
    await guestSession(); // which seat it is depends on the person
    return /** @type {MindPosition} */ (await get("/mind/today"));
  }, [lang.value]);
  const [sealed, setSealed] = useState(/** @type {{chips: number, state: MindState}|null} */ (null));
  const position = fetched.value;
  const state = sealed?.state ?? position?.state;
  useMidnight(state?.closes_at, () => {
    setSealed(null);
    fetched.again();
  });
  if (!position || !state)
    return html`<h1>${say("title")}</h1>
      ${fetched.loading && html`<p class="quiet" role="status">${say("loading")}</p>`}
      <${ErrorNotice} error=${fetched.error} again=${fetched.again} />`;
  const chips = sealed?.chips ?? position.chips;
  if (state.alone && chips !== null) return html`<${Result} day=${state.day} />`;
  return html`
    <div class="wrap today-head">
      <h1>${say("title")}</h1>
      <p class="quiet">${say(state.alone ? "day_alone" : "closes", { day: dayText(state.day) })}</p>
    </div>
    ${state.alone && html`<p class="lead">${say("alone")}</p>`}
    <div class="lamp today-columns">
      <${Where} position=${position} />
      <${Bets}
        key=${state.day}
        position=${position}
        state=${state}
        sealed=${chips}
        change=${(/** @type {number} */ next, /** @type {MindState} */ found) =>
          setSealed({ chips: next, state: found })}
      />
      <${Pays} position=${position} alone=${state.alone} />
    </div>
    ${
      state.yesterday &&
      html`<${Link} class="plain today-way" href=${`/today?day=${state.yesterday.day}`}>
        <span>
          <b>${say("yesterday")}</b>
          <span class="soft">${say("beat", { share: percent(state.yesterday.beaten) })}</span>
        </span>
        <${Sign} of="on" />
      <//>`
    }
  `;
}

/** Calls back soon after the day is over. @param {number|undefined} closes @param {() => void} over */
function useMidnight(closes, over) {
  const left = closes === undefined ? 0 : closes - Date.now() + 2000;
  useTimer(left > 0 && left <= 24 * HOUR ? left : null, over, [closes]);
}

/** What is known of the position. @param {{position: MindPosition}} props */
function Where({ position: { game, place: where, say: lines, hand } }) {
  const table = useGame(game);
  const words = wordsOf(game);
  return html`<section class="today-where">
    <h2>${say("where")}</h2>
    <p class="today-place">${where}</p>
    ${lines.map((each) => html`<p>${each}</p>`)}
    <ul class="today-hand" aria-label=${say("hand")}>
      ${hand.map(
        (card, at) => html`<li key=${at}>
          ${table && html`<${table.Pick} pick=${card} size="card" words=${words} />`}
          <span class="unseen">${table?.pickName(card, { you: 0, names: () => "", words })}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** What each meeting of two picks is worth. @param {{position: MindPosition, alone: boolean}} props */
function Pays({ position: { game, picks, other_picks: others, values }, alone }) {
  const table = useGame(game);
  const words = wordsOf(game);
  return html`<section class="today-pays">
    <h2>${say("pays")}</h2>
    <table>
      <caption class="small quiet">${say("pays_say")}</caption>
      <tbody>
        ${picks.flatMap((own, first) =>
          others.map(
            (other, second) => html`<tr key=${`${first} ${second}`}>
              <th scope="row">
                <span class="today-glyph" aria-hidden="true">
                  ${table && html`<${table.Pick} pick=${own.pick} size="glyph" words=${words} />`}
                </span>
                ${say("meets", { own: own.name, other: other.name })}
              </th>
              <td class="display">${tenths(values[first][second])}</td>
            </tr>`,
          ),
        )}
      </tbody>
    </table>
    <p class="quiet">${say(alone ? "explains_alone" : "explains")}</p>
  </section>`;
}

/** The ten chips, and the seal on them. @param {{position: MindPosition, state: MindState, sealed: number|null,
 *   change: (chips: number, state: MindState) => void}} props */
function Bets({ position, state, sealed, change }) {
  const [first, set] = useState(sealed ?? 5);
  const [open, setOpen] = useState(sealed === null);
  const seal = useWork(async () => {
    if (!open) return setOpen(true);
    change(first, await ask("PUT", `/mind/${state.day}`, { chips: [first, 10 - first] }));
    return setOpen(false);
  });
  return html`<section class="today-bets" aria-label=${say("chips")}>
    <${Chips} position=${position} first=${first} open=${open} change=${set} />
    <div class="wrap today-seal">
      <button class=${`button big ${open ? "first" : "second"}`} onClick=${seal.run}>
        ${say(open ? "seal" : "break")}
      </button>
      <p class="quiet small" role="status"><${SealedLine} state=${state} open=${open} sealed=${sealed} /></p>
    </div>
    <${ErrorNotice} error=${seal.error} />
  </section>`;
}

/** @param {{state: MindState, open: boolean, sealed: number|null}} props */
function SealedLine({ state, open, sealed }) {
  const now = useNow(MINUTE);
  if (state.alone) return say("house_waits");
  if (open && sealed !== null) return say("still", { chips: sealed, rest: 10 - sealed });
  if (open) return state.people ? say("people", { count: state.people }) : say("none_yet");
  const left = Math.max(0, state.closes_at - now);
  const time = { hours: Math.floor(left / HOUR), minutes: Math.floor((left % HOUR) / MINUTE) };
  return sentences(say("sealed", { count: state.people }), say("settled_in", time));
}
