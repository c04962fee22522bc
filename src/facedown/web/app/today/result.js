// The result of a day: the share of the crowd beaten, what everybody laid, exact numbers, and five squares to share.

import { html, useState } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { fixed, formatNumber, percent } from "../numbers.js";
import { ErrorNotice, Link, NumberTable } from "../parts/elements.js";
import { useGame, useRequest } from "../parts/hooks.js";
import { Seal, Sign } from "../parts/marks.js";
import { copyText } from "../parts/sharing.js";
import { machineName } from "../phrases.js";
import { linkTo, root } from "../router.js";
import { known } from "../study/house.js";
import { lang, sentences, wordsOf } from "../words.js";
import { dayText, later, say } from "./words.js";

/** @import { MindDay } from "../net/rest.js" */

const CHIPS = 10;
const SQUARES = 5;

/** The tells found on this device, as the server wants to hear them. */
const foundTells = () =>
  Object.entries(known.value)
    .filter(([, { found }]) => found)
    .map(([who, { found }]) => `${who}:${found}`)
    .join(",");

/** @param {{day: string}} props */
export function Result({ day }) {
  const { value, error, again } = useRequest(async () => {
    if (hadSession()) await guestSession();
    const asked = new URLSearchParams({ known: foundTells() });
    return /** @type {MindDay} */ (await get(`/mind/${encodeURIComponent(day)}?${asked}`));
  }, [day, lang.value]);
  const table = useGame(value?.game);
  if (!value || !table)
    return html`<h1>${say("title")}</h1>
      ${!error && html`<p class="quiet" role="status">${say("loading")}</p>`}
      <${ErrorNotice} error=${error} again=${again} />
      ${error && html`<p><${Link} class="button second" href="/today">${say("today")}<//></p>`}`;
  const words = wordsOf(value.game);
  /** @param {string} pick */
  const nameOf = (pick) => table.pickName(pick, { you: 0, names: () => "", words });
  return html`
    <div class="today-result">
      <div>
        <p class="quiet small">${say(value.alone ? "met_at_once" : "settled", { day: dayText(day) })}</p>
        <h1>${headline(value)}</h1>
        <p class="soft">${crowdText(value)}</p>
        <${Histogram} found=${value} nameOf=${nameOf} />
        <${Facts} found=${value} nameOf=${nameOf} />
      </div>
      <aside>
        ${value.own && html`<${Share} found=${value} />`}
        <${LastDays} days=${value.days} />
        <nav class="today-ways" aria-label=${say("days")}>
          ${
            !value.days.at(-1) &&
            html`<${Link} class="plain today-way" href="/today"><b>${say("today")}</b><${Sign} of="on" /><//>`
          }
          <${Link} class="plain today-way" href=${`/today?day=${later(day, -1)}`}>
            <span>${dayText(later(day, -1))}</span><${Sign} of="on" />
          <//>
        </nav>
      </aside>
    </div>
  `;
}

/** @param {MindDay} found */
function headline({ own, alone }) {
  if (!own) return say("not_there");
  return say(alone ? "you_beat_house" : "you_beat", { share: percent(own.score.beaten) });
}

/** @param {MindDay} found */
function crowdText({ alone, house, people }) {
  const count = house.length;
  if (alone) return say("crowd_alone", { count });
  if (people === 0) return say("crowd_house", { count });
  return say("crowd", { count: people, house: count, all: people + count });
}

/** @param {{found: MindDay, nameOf: (pick: string) => string}} props */
function Histogram({ found, nameOf }) {
  const { counts, house, own, exact, game, picks } = found;
  const places = Array.from({ length: CHIPS + 1 }, (_, chips) => {
    const residents = house.filter((each) => each.chips === chips);
    const isOwn = own?.chips === chips;
    const minds = (counts[chips] ?? Number(isOwn)) + residents.length;
    return { chips, residents, isOwn, minds };
  });
  const most = Math.max(...places.map(({ minds }) => minds));
  const top = places.filter(({ minds }) => minds === most).length === 1 ? most : -1;
  return html`
    <div class="today-graph" aria-hidden="true">
      <ol class="today-bars">
        ${places.map(
          ({ chips, isOwn, minds }) => html`<li key=${chips} data-own=${isOwn}>
            <span>${isOwn ? say("bar_you") : minds === top ? say("bar_most") : ""}</span>
            <i style=${{ "--part": minds / most }}></i>
          </li>`,
        )}
      </ol>
      <p class="today-exact" style=${{ "--at": (CHIPS * exact + 0.5) / (CHIPS + 1) }}></p>
      <ol class="today-axis numbers">
        ${places.map(
          ({ chips, isOwn, residents }) => html`<li key=${chips} data-own=${isOwn}>
            <span>${chips}</span><${Residents} game=${game} residents=${residents} />
          </li>`,
        )}
      </ol>
    </div>
    <p class="small quiet">
      ${sentences(
        say("legend", { pick: nameOf(picks[0]) }),
        say("exact", { chips: formatNumber(CHIPS * exact) }),
        counts.length === 0 && !found.alone && say("few"),
      )}
    </p>
    <details class="today-table small">
      <summary>${say("table")}</summary>
      <${NumberTable}
        class="numbers"
        caption=${say("legend", { pick: nameOf(picks[0]) })}
        heads=${[say("table_chips", { pick: nameOf(picks[0]) }), say("table_minds"), say("table_house")]}
        rows=${places.map(({ chips, isOwn, minds, residents }) => [
          isOwn ? `${chips} (${say("bar_you")})` : chips,
          minds,
          houseText(game, residents),
        ])}
      />
    </details>
  `;
}

/** @param {string} game @param {MindDay["house"]} residents */
function houseText(game, residents) {
  const names = residents.filter(({ name }) => name).map(({ name }) => machineName(wordsOf(game), name));
  return [residents.length, names.length > 0 ? `(${names.join(", ")})` : ""].join(" ");
}

/** Faces of those whose tell is known; one seal for all others. @param {{game: string,
 *   residents: MindDay["house"]}} props */
function Residents({ game, residents }) {
  const sealed = residents.filter(({ name }) => !name).length;
  return html`<span class="today-residents">
    ${residents.map(
      ({ name }) =>
        name && html`<img key=${name} src=${import.meta.resolve(`/games/${game}/faces/${name}.svg`)} alt="" />`,
    )}
    ${sealed > 0 && html`<${Seal} class="" />`}${sealed > 1 && html`<small>${sealed}</small>`}
  </span>`;
}

/** Points in a hundred games with their sign and one digit. @param {number} value */
function signed(value) {
  const points = Math.round(1000 * value) / 10;
  const shown = fixed(Math.abs(points));
  return points === 0 ? shown : `${points > 0 ? "+" : "−"}${shown}`;
}

/** @param {{found: MindDay, nameOf: (pick: string) => string}} props */
function Facts({ found, nameOf }) {
  const { own, perfect_beaten: perfect, others, other_picks: otherPicks } = found;
  const shown = own
    ? [
        [signed(own.gain), say(found.alone ? "gain_house" : "gain")],
        [signed(-own.risk), say("risk")],
        [percent(perfect), say(found.alone ? "perfect_house" : "perfect")],
      ]
    : [[percent(perfect), say(found.alone ? "perfect_house" : "perfect")]];
  return html`
    <dl class="today-facts">
      ${shown.map(
        ([number, means]) => html`<div key=${means}>
          <dt class="small">${means}</dt>
          <dd class="display numbers">${number}</dd>
        </div>`,
      )}
    </dl>
    <p class="small quiet">${say("others", { chips: formatNumber(CHIPS * others), pick: nameOf(otherPicks[0]) })}</p>
  `;
}

/** @param {{found: MindDay}} props */
function Share({ found: { day, own, alone } }) {
  const [done, setDone] = useState("");
  const { squares = 0, beaten = 0 } = own?.score ?? {};
  const line = say(alone ? "shared_alone" : "shared", { day: dayText(day), share: percent(beaten) });
  const text = `${line}\n${"■".repeat(squares)}${"□".repeat(SQUARES - squares)}`;
  const share = async () => {
    const url = new URL(linkTo("/today"), root()).href;
    if (typeof navigator.share === "function") return navigator.share({ text, url }).catch(() => {});
    return setDone((await copyText(`${text}\n${url}`)) ? "copied" : "");
  };
  return html`<section class="panel today-share">
    <h2>${say("share_title")}</h2>
    <p class="today-squares" aria-hidden="true">
      ${Array.from({ length: SQUARES }, (_, at) => html`<i key=${at} data-full=${at < squares}></i>`)}
    </p>
    <p class="unseen">${say("squares", { squares })}</p>
    <p class="small soft">${line}</p>
    <button class="button first" onClick=${share}>${say(done || "share")}</button>
    <p class="unseen" role="status">${done && say(done)}</p>
  </section>`;
}

/** How often one was here lately: it may fall, and cannot break. @param {{days: boolean[]}} props */
function LastDays({ days }) {
  return html`<div class="today-here small">
    <p>${say("here", { days: days.filter(Boolean).length, of: days.length })}</p>
    <p class="today-seals" aria-hidden="true">
      ${days.map((was, at) => html`<${Seal} key=${at} class=${was ? "" : "today-none"} />`)}
    </p>
  </div>`;
}
