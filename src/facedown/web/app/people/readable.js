// How readable one is: what gives one away in a game, in words and a picture, by week, and the way to a drill against
// it. Computed when the page is opened, and stored nowhere.

import { html, signal, useEffect } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { fixed, percent } from "../numbers.js";
import { ErrorNotice, Link, Page } from "../parts/elements.js";
import { useRequest, useTitle } from "../parts/hooks.js";
import { allGames, games, titleOf } from "../state/games.js";
import { lang, sentences, t } from "../words.js";
import { say, useTexts } from "./words.js";

/** @import { HabitInfo, Profile, ReadableInfo } from "../net/rest.js" */

const LEAST = 30;
const WEEKS = 12; // that are drawn

/** The surest habit that this visit has found, by game, for one's own page. */
const found = signal(/** @type {Record<string, string>} */ ({}));

/** @param {string} week the Monday */
const weekOf = (week) => new Intl.DateTimeFormat(lang.value, { month: "short", day: "numeric" }).format(new Date(week));

/** The block on one's own page, which no one else sees. */
export function ReadableBlock() {
  const known = Object.values(found.value);
  return html`<section class="panel readable-block">
    <p class="small quiet">${say("readable.private")}</p>
    <h2>${say("readable.title")}</h2>
    <p>${known.length > 0 ? known[0] : say("readable.lead")}</p>
    <p class="gap-before"><${Link} class="button second" href="/me/readable">${say("readable.see")}<//></p>
  </section>`;
}

/** The whole page. @param {{game?: string}} props */
export function Readable({ game }) {
  const ready = useTexts();
  useTitle(ready ? say("readable.title") : "");
  const { value, error, again, loading } = useRequest(async () => {
    if (!hadSession()) return null;
    await Promise.all([guestSession(), allGames()]);
    return /** @type {Promise<Profile>} */ (get("/people/me"));
  }, []);
  const me = /** @type {Profile|null} */ (value);
  const played = (games.value ?? []).filter(({ name }) => me?.statistics.some((each) => each.game === name));
  const shown = played.find(({ name }) => name === game) ?? played[0];
  return html`<${Page} class="profile readable" aria-busy=${!ready || loading}>
    ${
      ready &&
      html`
        <p class="small quiet">${say("readable.private")}</p>
        <h1>${say("readable.title")}</h1>
        <${ErrorNotice} error=${error} again=${again} />
        ${!loading && !error && !shown && html`<p class="lead">${say("readable.none")}</p>`}
        ${
          played.length > 1 &&
          html`<nav class="tabs" aria-label=${say("rating.game")}>
            ${played.map(
              ({ name }) => html`<${Link}
                class="plain"
                key=${name}
                href=${`/me/readable?game=${name}`}
                aria-current=${name === shown.name ? "page" : undefined}
                >${titleOf(name)}<//
              >`,
            )}
          </nav>`
        }
        ${shown && html`<${Report} key=${shown.name} game=${shown.name} />`}
      `
    }
  <//>`;
}

/** @param {{game: string}} props */
function Report({ game }) {
  const path = `/people/me/readable?${new URLSearchParams({ game })}`;
  const { value, error, again, loading } = useRequest((signal) => get(path, signal), [lang.value]);
  const report = /** @type {ReadableInfo|null} */ (value);
  useEffect(() => {
    if (!report) return;
    const { [game]: _, ...others } = found.value;
    const [first] = report.habits;
    found.value = first ? { ...others, [game]: sentence(first) } : others;
  }, [report]);
  if (!report)
    return html`<${ErrorNotice} error=${error} again=${again} />
      ${loading && html`<p class="lead" role="status">${say("readable.reading")}</p>`}`;
  if (report.missing > 0) return html`<${Missing} report=${report} />`;
  return html`
    <p class="readable-lead display">
      ${report.habits.length > 0 ? say("readable.found", { count: report.habits.length }) : say("readable.nothing")}
    </p>
    <p class="soft">${reader(report)}</p>
    <div class="habits">
      ${report.habits.map(
        (each, place) => html`<${Habit} key=${each.where} habit=${each} report=${report} first=${place === 0} />`,
      )}
    </div>
    <${Weeks} report=${report} />
    <p class="readable-how small quiet">
      ${sentences(
        say(report.solved ? "readable.how" : "readable.how_unsolved"),
        say("readable.kept", { games: report.games }),
      )}
    </p>
  `;
}

/** @param {HabitInfo} habit */
const sentence = ({ say: words, did, of }) =>
  say("readable.times", { habit: words, share: Math.round((100 * did) / of) });

/** What the reader gained. @param {ReadableInfo} report */
function reader({ bits, picks }) {
  if (bits < 1) return say("readable.bits_none", { count: picks });
  return say("readable.bits", { count: picks, bits: fixed(bits) });
}

/** @param {{report: ReadableInfo}} props */
function Missing({ report: { picks, missing } }) {
  return html`
    <p class="readable-lead display">${say("readable.missing", { count: missing })}</p>
    <div class="readable-missing" aria-hidden="true" style=${{ "--part": picks / LEAST }}></div>
    <p class="soft">${say("readable.missing_say", { picks, least: LEAST })}</p>
    <p class="gap-before"><${Link} class="button first" href="/">${t("bar.home")}<//></p>
  `;
}

/** @param {NonNullable<HabitInfo["cost"]>} cost */
function costKey({ measured, low, usual }) {
  if (!measured) return "readable.cost";
  return low > usual ? "readable.cost_measured" : "readable.cost_none";
}

/** One habit: the sentence, the picture, how sure it is, what it costs, and the drill.
 * @param {{habit: HabitInfo, report: ReadableInfo, first: boolean}} props */
function Habit({ habit, report, first }) {
  const { did, of, low, high, usual, chance, cost, more, where } = habit;
  const share = did / of;
  const drill = new URLSearchParams({ habit: where, rules: report.rules, usual: String(more ? usual : 1 - usual) });
  const players = chance < 0.001 ? say("readable.chance_least") : say("readable.chance", { n: Math.round(1 / chance) });
  return html`<section class="panel habit">
    <h2>${habit.say}</h2>
    <${Picture} habit=${habit} solved=${report.solved} />
    <ul class="habit-facts">
      <li>${say("readable.share", { did, of, low: percent(low), high: percent(high) })}</li>
      <li>${players}</li>
      ${
        cost &&
        html`<li>
          ${say(costKey(cost), {
            value: fixed(100 * cost.value),
            low: fixed(100 * cost.low),
            high: fixed(100 * cost.high),
            usual: fixed(100 * cost.usual),
          })}
        </li>`
      }
    </ul>
    ${habit.weeks.length > 1 && html`<${HabitWeeks} habit=${habit} />`}
    <p class="gap-before">
      <${Link} class=${first ? "button first" : "button second"} href=${`/train/${report.game}?${drill}`}>
        ${say("readable.drill")}<span class="unseen"> ${habit.say}</span>
      <//>
    </p>
    <p class="unseen">${say("readable.compared", { share: percent(share), usual: percent(usual) })}</p>
  </section>`;
}

/** The share of a habit with its interval, and the exact one, on one scale.
 * @param {{habit: HabitInfo, solved: boolean}} props */
function Picture({ habit: { did, of, low, high, usual }, solved }) {
  const share = did / of;
  const places = { "--share": share, "--low": low, "--high": high, "--usual": usual };
  return html`<div class="habit-picture" aria-hidden="true" style=${places}>
    <p class="habit-you"><span>${say("readable.you", { share: percent(share) })}</span></p>
    <div class="habit-scale"><i></i><b></b><u></u></div>
    <p class="habit-exact">
      <span>${say(solved ? "readable.exact" : "readable.elsewhere", { share: percent(usual) })}</span>
    </p>
  </div>`;
}

/** @param {{habit: HabitInfo}} props */
function HabitWeeks({ habit: { weeks, usual } }) {
  const shown = weeks.slice(-WEEKS);
  return html`<figure class="habit-weeks" style=${{ "--usual": usual, "--weeks": shown.length }}>
    <figcaption class="small quiet">${say("readable.by_week")}</figcaption>
    <ol>
      ${shown.map(
        ({ week, did, of }) => html`<li key=${week} style=${{ "--part": did / of }}>
          <i aria-hidden="true"></i>
          <span class="small quiet">${weekOf(week)}</span>
          <span class="unseen">${say("readable.of", { did, of })}</span>
        </li>`,
      )}
    </ol>
  </figure>`;
}

/** The bits of a reader, week by week. @param {{report: ReadableInfo}} props */
function Weeks({ report: { weeks } }) {
  if (weeks.length < 2) return null;
  return html`<section>
    <div class="list-head">
      <h2>${say("readable.weeks")}</h2><span class="small quiet">${say("readable.weeks_say")}</span>
    </div>
    <ul class="readable-weeks">
      ${weeks.toReversed().map(
        ({ week, picks, bits }) => html`<li key=${week}>
          <span>${say("readable.week", { week: weekOf(week) })}</span>
          <span class="soft">${say("readable.picks", { count: picks })}</span>
          <span class="numbers">${say("readable.a_pick", { bits: fixed(bits / picks, 2) })}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}
