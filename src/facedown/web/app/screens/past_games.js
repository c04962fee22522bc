// Search over one's own finished games: opponent, game, result, dates; further back on request.

import { html, onSubmit, useEffect, useState, useTimer } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { Button, ErrorNotice, Page } from "../parts/elements.js";
import { namedValues, Select, TextField } from "../parts/fields.js";
import { useTitle, useWork } from "../parts/hooks.js";
import { PastGame } from "../people/page.js";
import { say, useTexts } from "../people/words.js";
import { rulesName } from "../phrases.js";
import { allGames, games, titleOf } from "../state/games.js";

/** @import { FinishedGame } from "../net/rest.js" */
/** @typedef {{opponent: string, game: string, rules: string, result: string, since: string, until: string}} Wanted */

const DAY = 86_400_000;
const PATIENCE = 300;

/** The query of a search. @param {Wanted} wanted @param {string} before */
function queryOf({ opponent, game, rules, result, since, until }, before) {
  const day = (/** @type {string} */ text) => new Date(`${text}T00:00`).getTime();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ opponent, game, rules: game && rules, result, before }))
    if (value) query.set(name, value);
  if (since) query.set("since", String(Math.max(0, day(since))));
  if (until) query.set("until", String(Math.max(0, day(until) + DAY - 1)));
  return query;
}

/** @param {{opponent?: string, game?: string}} props */
export function PastGames({ opponent = "", game = "" }) {
  const ready = useTexts();
  const [wanted, setWanted] = useState(
    /** @type {Wanted} */ ({ opponent, game, rules: "", result: "", since: "", until: "" }),
  );
  const [found, setFound] = useState(/** @type {FinishedGame[]} */ ([]));
  const [next, setNext] = useState(/** @type {string|null} */ (""));
  const search = useWork(async (/** @type {Wanted} */ which, /** @type {string} */ before) => {
    if (!hadSession()) return setNext(null);
    await guestSession();
    const answer = await get(`/people/me/games?${queryOf(which, before)}`);
    setFound((shown) => (before ? [...shown, ...answer.games] : answer.games));
    setNext(answer.next);
  });
  useEffect(() => void allGames().catch(() => {}), []); // the search says it
  useTimer(found.length > 0 || next === null ? PATIENCE : 0, () => search.run(wanted, ""), [wanted]);
  useTitle(ready ? say("search.title") : "");
  if (!ready) return html`<${Page} class="profile" aria-busy="true" />`;
  const of = (/** @type {keyof Wanted} */ field) => ({
    value: wanted[field],
    change: (/** @type {string} */ value) => setWanted((before) => ({ ...before, [field]: value })),
  });
  const all = { value: "", label: say("search.any") };
  const offered = namedValues(
    (games.value ?? []).map(({ name }) => name),
    titleOf,
  );
  const results = namedValues(["won", "tied", "lost"], (value) => say(`search.${value}`));
  const presets = games.value?.find(({ name }) => name === wanted.game)?.presets ?? [];
  const rules = namedValues(
    presets.map(({ name }) => name),
    (name) => rulesName({ game: wanted.game, rules: name }),
  );
  return html`<${Page} class="profile">
    <h1>${say("search.title")}</h1>
    <form class="search-form" role="search" onSubmit=${onSubmit(() => {})}>
      <${TextField} label=${say("search.opponent")} ...${of("opponent")} type="search" maxlength="60" />
      <label><span>${say("rating.game")}</span><${Select} ...${of("game")} values=${[all, ...offered]} /></label>
      ${
        rules.length > 0 &&
        html`<label>
          <span>${say("search.rules")}</span><${Select} ...${of("rules")} values=${[all, ...rules]} />
        </label>`
      }
      <label><span>${say("search.result")}</span><${Select} ...${of("result")} values=${[all, ...results]} /></label>
      <${TextField} label=${say("search.since")} ...${of("since")} type="date" />
      <${TextField} label=${say("search.until")} ...${of("until")} type="date" />
    </form>
    <${ErrorNotice} error=${search.error} again=${() => search.run(wanted, "")} />
    <p class="unseen" role="status">${next !== "" && say("search.found", { count: found.length })}</p>
    <section class="profile-games" aria-label=${say("search.title")}>
      <ul>${found.map((each) => html`<${PastGame} key=${`${each.table}/${each.seat}`} past=${each} />`)}</ul>
      ${found.length === 0 && next === null && html`<p class="lead">${say("search.none")}</p>`}
      ${
        next &&
        html`<p class="gap-before">
          <${Button} work=${search} onClick=${() => search.run(wanted, next)}>${say("search.further")}<//>
        </p>`
      }
    </section>
  <//>`;
}
