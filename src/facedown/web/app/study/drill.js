// A drill against one habit: its situation again and again, until the last picks are as mixed as exact play.

import { html, useEffect, useState } from "../html.js";
import { ulid } from "../net/api.js";
import { fixed } from "../numbers.js";
import { ErrorNotice, Link } from "../parts/elements.js";
import { useGame } from "../parts/hooks.js";
import { read, write } from "../storage.js";
import { lang, sentences, wordsOf } from "../words.js";
import { useStudy } from "./asking.js";
import { say } from "./words.js";

/** `exact`: how likely exact play does it. @typedef {{did: boolean, exact: number}} DrilledPick */

const LAST = 20; // picks that are looked at
const READ = 8; // of which a reader goes by

/** How often a habit came in the last picks, how often it should have, and whether it is gone: as many as there have to
 * be, and no further off than one standard deviation of exact play. @param {DrilledPick[]} picks */
export function progressOf(picks) {
  const last = picks.slice(-LAST);
  const did = last.filter((each) => each.did).length;
  const exact = last.reduce((sum, each) => sum + each.exact, 0);
  const spread = Math.sqrt(last.reduce((sum, each) => sum + each.exact * (1 - each.exact), 0));
  return { did, exact, count: last.length, gone: last.length === LAST && Math.abs(did - exact) <= Math.max(1, spread) };
}

/** Whether a reader of the last picks expects the habit's own. @param {DrilledPick[]} picks @param {number} exact */
export function expects(picks, exact) {
  const last = picks.slice(-READ);
  const off = last.reduce((sum, each) => sum + Number(each.did) - each.exact, 0);
  return exact + off / (last.length + 1) > 0.5;
}

/** @param {string} key @returns {DrilledPick[]} */
const keptPicks = (key) => read("drills", /** @type {Record<string, DrilledPick[]>} */ ({}))[key] ?? [];

/** @param {string} key @param {DrilledPick[]} picks */
const keepPicks = (key, picks) => write("drills", { ...read("drills", {}), [key]: picks.slice(-LAST) });

/** @param {{game: string, rules: string, habit: string, usual: number}} props `usual`: in a game without a solution */
export function Drill({ game, rules, habit, usual }) {
  const key = `${game}/${habit}`;
  const [seed, setSeed] = useState(() => ulid());
  const [picks, setPicks] = useState(() => keptPicks(key));
  const [said, setSaid] = useState("");
  const [goneAt, setGoneAt] = useState(-1);
  const given = new URLSearchParams({ seed, habit, ...(rules ? { rules } : {}) });
  const asked = useStudy(`/games/${game}/exercise?${given}`, [lang.value]);
  const progress = progressOf(picks);
  useEffect(() => keepPicks(key, picks), [picks]);
  /** @param {string} pick */
  const answer = (pick) => {
    if (asked.loading) return;
    const exact = asked.value.drill.exact ?? usual;
    const did = asked.value.drill.does.includes(pick);
    const next = [...picks, { did, exact }];
    setSaid(say(expects(picks, exact) === did ? "drill.read" : "drill.unread"));
    setPicks(next);
    setGoneAt(progressOf(next).gone ? next.length : -1);
    setSeed(ulid());
  };
  return html`
    <${Fields} picks=${picks} progress=${progress} said=${said} />
    <${ErrorNotice} error=${asked.error} again=${asked.again} />
    ${asked.loading && !asked.value && html`<p class="quiet" role="status">${say("train.thinking")}</p>`}
    ${
      goneAt === picks.length
        ? html`<${Gone} progress=${progress} again=${() => setGoneAt(-1)} />`
        : asked.value && html`<${Choice} game=${game} exercise=${asked.value} busy=${asked.loading} answer=${answer} />`
    }
  `;
}

/** The last picks: the habit's own are filled.
 * @param {{picks: DrilledPick[], progress: ReturnType<typeof progressOf>, said: string}} props */
function Fields({ picks, progress: { did, exact, count }, said }) {
  const last = picks.slice(-LAST);
  return html`<div class="drill-progress">
    <ol class="drill-fields" aria-hidden="true">
      ${Array.from({ length: LAST }, (_, place) => {
        const pick = last[place];
        return html`<li key=${place} data-did=${pick ? String(pick.did) : "none"}></li>`;
      })}
    </ol>
    <p class="small quiet">
      ${count === 0 ? say("drill.begin", { count: LAST }) : say("drill.so_far", { did, count, exact: fixed(exact) })}
    </p>
    <p class="drill-said" role="status">${said}</p>
  </div>`;
}

/** @param {{game: string, exercise: any, busy: boolean, answer: (pick: string) => void}} props */
function Choice({ game, exercise, busy, answer }) {
  const table = useGame(game);
  const words = wordsOf(game);
  const drawn = table !== null && exercise.picks.length === 2;
  return html`<section class="panel study-question drill" aria-busy=${busy}>
    <h2>${exercise.place}</h2>
    ${
      drawn
        ? exercise.say.map((/** @type {string} */ each) => html`<p>${each}</p>`)
        : html`<pre class="study-table">${exercise.say.join("\n")}</pre>`
    }
    <p class="study-asked display">${exercise.question}</p>
    <div class=${drawn ? "drill-cards" : "wrap study-answers"} role="group" aria-label=${exercise.question}>
      ${exercise.picks.map(
        (/** @type {any} */ each, /** @type {number} */ place) => html`<button
          key=${place}
          class=${drawn ? "drill-card" : "button second"}
          aria-disabled=${busy}
          onClick=${() => answer(each.pick)}
        >
          ${drawn && html`<${table.Pick} pick=${each.pick} size="card" words=${words} />`}
          <span class=${drawn ? "unseen" : ""}>${each.name}</span>
        </button>`,
      )}
    </div>
  </section>`;
}

/** @param {{progress: ReturnType<typeof progressOf>, again: () => void}} props */
function Gone({ progress: { did, exact, count }, again }) {
  return html`<section class="panel study-mark" role="status" data-right="true">
    <p class="study-result display">${say("drill.gone")}</p>
    <p>${sentences(say("drill.so_far", { did, count, exact: fixed(exact) }), say("drill.gone_say"))}</p>
    <p class="row">
      <${Link} class="button first" href="/me/readable">${say("drill.back")}<//>
      <button class="button second" onClick=${again}>${say("drill.more")}</button>
    </p>
  </section>`;
}
