// Explorer: the solved positions of a game, one after the other; rules, position and habit are in the address.

import { html } from "../html.js";
import { Emblem, ErrorNotice, Link } from "../parts/elements.js";
import { Select } from "../parts/fields.js";
import { useGame } from "../parts/hooks.js";
import { go } from "../router.js";
import { titleOf } from "../state/games.js";
import { useStudy } from "../study/asking.js";
import { Habit } from "../study/habit.js";
import { RuleChoice, StudyPage } from "../study/page.js";
import { Balance, Mixes, Side, share, Ways } from "../study/position.js";
import { say } from "../study/words.js";
import { lang } from "../words.js";

/** @import { GameInfo } from "../net/rest.js" */
/** @import { Studied } from "../study/asking.js" */

/** @param {{game?: string, rules?: string, at?: string, habit?: string}} props */
export function Explore({ game, rules = "", at = "", habit = "" }) {
  return html`<${StudyPage}
    title=${() => say("explore.title")}
    game=${game}
    offers=${(/** @type {GameInfo} */ info) => info.explorer}
  >
    ${(/** @type {GameInfo} */ info) => html`<${Explored} info=${info} rules=${rules} at=${at} habit=${habit} />`}
  <//>`;
}

/** The address of a position. @param {string} game @param {Record<string, string>} asked */
function addressOf(game, asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== "");
  return `/explore/${game}${given.length > 0 ? `?${new URLSearchParams(given)}` : ""}`;
}

/** @param {{info: GameInfo, rules: string, at: string, habit: string}} props */
function Explored({ info, rules, at, habit }) {
  const table = useGame(info.name);
  const asked = new URLSearchParams({ rules, at, habit });
  const study = useStudy(`/games/${info.name}/explore?${asked}`, [lang.value]);
  const found = study.value;
  /** @param {Record<string, string>} next */
  const show = (next) => go(addressOf(info.name, { rules, at, habit, ...next }), { still: true });
  const [one, two] = found?.sides ?? [];
  return html`
    <div class="study-head">
      <h1><${Emblem} game=${info.name} size="glyph" /> ${titleOf(info.name)}: ${say("explore.title")}</h1>
      <p class="lead">${say("explore.lead")}</p>
    </div>
    <div class="study-columns">
      <div class="study-choices">
        <${RuleChoice}
          info=${info}
          rules=${rules}
          choose=${(/** @type {string} */ next) => show({ rules: next, at: "" })}
        />
        ${found && html`<${Fields} fields=${found.fields} go=${(/** @type {string} */ next) => show({ at: next })} />`}
        <p class="small quiet">${say("explore.link")}</p>
        ${
          info.trainer &&
          html`<p><${Link} class="link" href=${`/train/${info.name}?${new URLSearchParams({ rules })}`}>
            ${say("explore.train")}
          <//></p>`
        }
      </div>
      <div class="study-found" aria-busy=${study.loading}>
        <${Waiting} study=${study} />
        <${Refused} error=${study.error} start=${() => show({ at: "", habit: "" })} again=${study.again} />
        <p class="unseen" role="status">
          ${
            found &&
            !study.loading &&
            say("explore.says", {
              place: found.place,
              first: one.who,
              one: share(one.value),
              second: two.who,
              two: share(two.value),
            })
          }
        </p>
        ${
          found &&
          html`
            <section>
              <h2>${found.place}</h2>
              <${Balance} sides=${found.sides} />
              ${
                found.draw > 0 && html`<p class="small quiet">${say("explore.drawn", { share: share(found.draw) })}</p>`
              }
              ${found.say.map((/** @type {string} */ each) => html`<p class="small quiet">${each}</p>`)}
            </section>
            <div class="study-sides">
              ${found.sides.map(
                (/** @type {any} */ side) =>
                  html`<${Side} key=${side.who} game=${info.name} table=${table} side=${side} />`,
              )}
            </div>
            <${Mixes} table=${found.table} />
            <${Ways}
              found=${found}
              address=${(/** @type {string} */ next) => addressOf(info.name, { rules, habit, at: next })}
            />
            <${Habit}
              game=${info.name}
              table=${table}
              found=${found}
              change=${(/** @type {string} */ next) => show({ habit: next })}
            />
          `
        }
      </div>
    </div>
  `;
}

/** @param {{fields: any[], go: (at: string) => void}} props */
function Fields({ fields, go: show }) {
  return html`<fieldset class="study-fields">
    <legend>${say("explore.position")}</legend>
    ${fields.map(
      (field) => html`<label key=${field.name}>
        <span>${field.label}</span>
        <${Select}
          value=${field.ways.find((/** @type {any} */ way) => way.label === field.value)?.at ?? ""}
          values=${field.ways.map((/** @type {any} */ { at, label }) => ({ value: at, label }))}
          change=${show}
        />
      </label>`,
    )}
  </fieldset>`;
}

/** How far it is, and a way to stop it. @param {{study: Studied}} props */
function Waiting({ study }) {
  if (study.cancelled)
    return html`<p role="status">
      ${say("explore.cancelled")} <button class="link" onClick=${study.again}>${say("explore.again")}</button>
    </p>`;
  if (!study.loading || (study.value && study.reached === null)) return null;
  const n = study.reached === null ? null : Math.round(study.reached * 100);
  return html`<div class="study-waiting" role="status">
    <p>${n === null ? say("explore.solving") : say("explore.percent", { n })}</p>
    <progress max="1" value=${study.reached ?? undefined}></progress>
    <button class="button second" onClick=${study.cancel}>${say("explore.cancel")}</button>
  </div>`;
}

/** @param {{error: any, start: () => void, again: () => void}} props */
function Refused({ error, start, again }) {
  if (error?.code !== "study_refused") return html`<${ErrorNotice} error=${error} again=${again} />`;
  return html`<div class="notice" role="alert">
    <p>${say("explore.refused")}</p>
    <div class="row"><button class="button second" onClick=${start}>${say("explore.start")}</button></div>
  </div>`;
}
