// Trainer: a position and a question about it, marked at once; today's questions, an endless series, or those of a
// finished game.

import { html, useEffect, useState } from "../html.js";
import { get, ulid } from "../net/api.js";
import { Emblem, ErrorNotice, Link } from "../parts/elements.js";
import { useRequest } from "../parts/hooks.js";
import { go } from "../router.js";
import { titleOf } from "../state/games.js";
import { useStudy } from "../study/asking.js";
import { Drill } from "../study/drill.js";
import { RuleChoice, StudyPage } from "../study/page.js";
import { Mark, Question } from "../study/question.js";
import { countAnswer, countDay, dayOf, streakOf } from "../study/streaks.js";
import { say } from "../study/words.js";
import { lang } from "../words.js";

/** @import { GameInfo } from "../net/rest.js" */

/** @param {{game?: string, rules?: string, table?: string, way?: string, habit?: string, usual?: string}} props `way`:
 *   "daily" for today's questions; `habit`: the situation of a drill, with how often it comes in `usual` picks */
export function Train({ game, rules = "", table = "", way = "", habit = "", usual = "" }) {
  return html`<${StudyPage}
    title=${() => say("train.title")}
    game=${game}
    offers=${(/** @type {GameInfo} */ info) => info.trainer}
  >
    ${(/** @type {GameInfo} */ info) =>
      habit
        ? html`<${Drilled} info=${info} rules=${rules} habit=${habit} usual=${Number(usual) || 0.5} />`
        : html`<${Trained} info=${info} rules=${rules} table=${table} way=${way} />`}
  <//>`;
}

/** @param {{info: GameInfo, rules: string, habit: string, usual: number}} props */
function Drilled({ info, rules, habit, usual }) {
  return html`
    <div class="study-head">
      <h1><${Emblem} game=${info.name} size="glyph" /> ${titleOf(info.name)}: ${say("drill.title")}</h1>
      <p class="lead">${say("drill.lead")}</p>
    </div>
    <div class="study-columns">
      <div class="study-found">
        <${Drill} key=${habit} game=${info.name} rules=${rules} habit=${habit} usual=${usual} />
      </div>
    </div>
  `;
}

/** @param {{info: GameInfo, rules: string, table: string, way: string}} props */
function Trained({ info, rules, table, way }) {
  /** @param {string} next */
  const choose = (next) => go(`/train/${info.name}?${new URLSearchParams({ rules: next })}`, { still: true });
  const isDaily = way === "daily" && !table;
  return html`
    <div class="study-head">
      <h1><${Emblem} game=${info.name} size="glyph" /> ${titleOf(info.name)}: ${say("train.title")}</h1>
      <p class="lead">${say(info.explorer ? "train.lead" : "train.lead_machine")}</p>
    </div>
    <${WaysToTrain} info=${info} way=${table ? "game" : way} />
    <div class="study-columns">
      ${
        !table &&
        !isDaily &&
        html`<div class="study-choices"><${RuleChoice} info=${info} rules=${rules} choose=${choose} /></div>`
      }
      <div class="study-found">
        ${
          isDaily
            ? html`<${Daily} info=${info} />`
            : html`<${Free} key=${`${rules}/${table}`} info=${info} rules=${rules} table=${table} />`
        }
      </div>
    </div>
  `;
}

/** @param {{info: GameInfo, way: string}} props */
function WaysToTrain({ info, way }) {
  return html`<nav class="wrap review-seats small" aria-label=${say("train.title")}>
    <${Link} href=${`/train/${info.name}?way=daily`} aria-current=${way === "daily" ? "page" : undefined}>
      ${say("train.daily")}
    <//>
    <${Link} href="/today">${say("train.mind")}<//>
    <${Link} href=${`/train/${info.name}`} aria-current=${way === "" ? "page" : undefined}>${say("train.free")}<//>
    ${way === "game" && html`<span aria-current="page">${say("train.game")}</span>`}
  </nav>`;
}

/** Questions without an end. @param {{info: GameInfo, rules: string, table: string}} props */
function Free({ info, rules, table }) {
  const [seed, setSeed] = useState(() => ulid());
  return html`<${OneQuestion}
    key=${seed}
    info=${info}
    rules=${rules}
    table=${table}
    seed=${seed}
    next=${() => setSeed(ulid())}
  />`;
}

/** Today's questions, in their order; answers are kept. @param {{info: GameInfo}} props */
function Daily({ info }) {
  const { value: today, error, again } = useRequest(() => get(`/games/${info.name}/daily`), [info.name]);
  return today
    ? html`<${DailyQuestions} info=${info} today=${today} />`
    : html`<${ErrorNotice} error=${error} again=${again} />`;
}

/** @param {{info: GameInfo, today: {day: string, seeds: string[]}}} props */
function DailyQuestions({ info, today }) {
  const points = dayOf(info.name, today.day);
  const [place, setPlace] = useState(points.length);
  const of = today.seeds.length;
  if (place >= of) {
    const sum = points.reduce((whole, each) => whole + each, 0);
    return html`<p class="study-result display" role="status">
      ${say("train.daily_done", { points: sum, of: 100 * of })}
    </p>`;
  }
  return html`
    <p class="quiet">${say("train.daily_of", { n: place + 1, of })}</p>
    <${OneQuestion}
      key=${place}
      info=${info}
      seed=${today.seeds[place]}
      answered=${(/** @type {number} */ found) => place >= points.length && countDay(info.name, today.day, found)}
      next=${() => setPlace(place + 1)}
    />
  `;
}

/** @param {{info: GameInfo, rules?: string, table?: string, seed: string, next: () => void,
 *   answered?: (points: number) => void}} props `table`: over, whose positions are asked about */
function OneQuestion({ info, rules = "", table = "", seed, next, answered }) {
  const [answer, setAnswer] = useState("");
  const [streak, setStreak] = useState(() => streakOf(info.name));
  const given = { seed, ...(rules ? { rules } : {}), ...(table ? { table } : {}) };
  const path = `/games/${info.name}/exercise`;
  const asked = useStudy(`${path}?${new URLSearchParams(given)}`, [lang.value]);
  const marked = useStudy(answer ? `${path}?${new URLSearchParams({ ...given, answer })}` : null, [lang.value]);
  const [counted, setCounted] = useState(false);
  useEffect(() => {
    if (!marked.value || counted) return;
    setCounted(true);
    setStreak(countAnswer(info.name, marked.value.right));
    answered?.(marked.value.points);
  }, [marked.value]);
  return html`
    <p class="study-streak small">
      <span>${say("train.streak", { n: streak.now })}</span>
      <span class="quiet">${say("train.best", { n: streak.most })}</span>
    </p>
    <${ErrorNotice} error=${asked.error} again=${asked.again} />
    ${asked.loading && !asked.value && html`<p class="quiet" role="status">${say("train.thinking")}</p>`}
    ${
      asked.value &&
      html`<${Question}
        game=${info.name}
        exercise=${asked.value}
        busy=${answer !== "" && marked.loading}
        marked=${marked.value !== null}
        answer=${setAnswer}
      />`
    }
    ${
      answer !== "" &&
      marked.loading &&
      !marked.value &&
      html`<p class="quiet" role="status">${say("train.marking")}</p>`
    }
    <${ErrorNotice} error=${marked.error} again=${marked.again} />
    ${
      marked.value &&
      asked.value &&
      html`<${Mark}
        game=${info.name}
        mark=${marked.value}
        rules=${asked.value.rules}
        explorer=${info.explorer}
        next=${next}
      />`
    }
  `;
}
