// Lists of tables: your games, with whose turn it is, and open tables with a free seat.

import { html, useEffect } from "../html.js";
import { get, hadSession } from "../net/api.js";
import { ago, rulesName } from "../phrases.js";
import { games, titleOf } from "../state/games.js";
import { t } from "../words.js";
import { ErrorNotice, Link, Name } from "./elements.js";
import { useAsked, useGame } from "./hooks.js";
import { Seal } from "./marks.js";

/** @import { ListedTable } from "../net/rest.js" */

const FRESH = 15_000;

/** @param {string} query @returns {Promise<{tables: ListedTable[]}>} */
const listed = (query) => get(`/tables?${query}`);

/** Asked again every few seconds, as long as the page is in sight.
 * @param {() => Promise<{tables: ListedTable[]}>} ask */
function useFresh(ask) {
  const asked = useAsked(ask, []);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && asked.again(), FRESH);
    return () => clearInterval(timer);
  }, []);
  return asked;
}

/** Which rules, where they are not the usual ones. @param {ListedTable} table */
function unusualRules({ game, rules }) {
  const usual = games.value?.find((each) => each.name === game)?.presets[0].rules;
  return rules === usual ? "" : rulesName({ game, rules });
}

/** @param {ListedTable} table */
const others = (table) => table.seats.filter((each) => !table.yours?.includes(each.seat) && each.name);

export function YourGames() {
  const { value, error, again } = useFresh(async () => (hadSession() ? listed("mine=true") : { tables: [] }));
  const tables = (value?.tables ?? []).filter((each) => each.state !== "over" && each.state !== "closed");
  tables.sort((a, b) => Number(b.your_turn) - Number(a.your_turn) || b.created_at - a.created_at);
  return html`<section aria-labelledby="yours">
    <div class="list-head">
      <h2 id="yours">${t("home.yours")}</h2><${Link} class="link small" href="/people">${t("home.finished")}<//>
    </div>
    <${ErrorNotice} error=${error} again=${again} />
    <ul class="list">${tables.slice(0, 12).map((each) => html`<${YourGame} key=${each.table} table=${each} />`)}</ul>
    ${value && tables.length === 0 && html`<p class="empty">${t("home.no_games")}</p>`}
  </section>`;
}

/** @param {{table: ListedTable}} props */
function YourGame({ table }) {
  useGame(table.game); // it brings its words
  const names = others(table);
  return html`<li>
    <span class="dot">${table.your_turn && html`<${Seal} class="" />`}</span>
    <${Link} class="plain" href=${`/t/${table.table}`}>
      <span class="who link">
        ${
          names.length > 0
            ? names.map((each, place) => html`${place > 0 && ", "}<${Name}>${each.name}<//>`)
            : t("home.nobody_yet")
        }
      </span>
      <span class="quiet">${titleOf(table.game)}</span>
      <span class=${table.your_turn ? "state your-turn" : "state quiet"}>${stateOf(table)}</span>
    <//>
  </li>`;
}

/** @param {ListedTable} table */
function stateOf(table) {
  if (table.your_turn) return t("home.your_turn");
  if (table.state === "open") return t("home.seats_free");
  return t("home.waiting", { since: ago(table.created_at) });
}

export function OpenTables({ all = false }) {
  const { value, error, again } = useFresh(() => listed("state=open"));
  const tables = value?.tables ?? [];
  return html`<section aria-labelledby="open">
    <div class="list-head">
      <h2 id="open">${t("home.open")}</h2><${Link} class="link small" href="/new">${t("home.new_table")}<//>
    </div>
    <${ErrorNotice} error=${error} again=${again} />
    <ul class="list">
      ${tables.slice(0, all ? 200 : 6).map((each) => html`<${OpenTable} key=${each.table} table=${each} />`)}
    </ul>
    ${value && tables.length === 0 && html`<p class="empty">${t("home.no_tables")}</p>`}
    ${
      !all &&
      tables.length > 6 &&
      html`<p class="empty">
        <${Link} class="link" href="/tables">${t("home.all_tables")}<//>
      </p>`
    }
  </section>`;
}

/** @param {{table: ListedTable}} props */
function OpenTable({ table }) {
  useGame(table.game); // it brings its words
  const names = others(table);
  const rules = unusualRules(table);
  const taken = table.seats.filter((each) => each.name || each.kind === "machine").length;
  return html`<li class="open-table">
    <span class="who">${titleOf(table.game)}</span>
    <span class="quiet grow">
      ${rules}
      ${rules && names.length > 0 && ", "}
      ${
        names.length > 0 &&
        html`
          ${t("home.with")} ${names.map((each, place) => html`${place > 0 && ", "}<${Name}>${each.name}<//>`)}
        `
      }
    </span>
    <span class="state quiet numbers">${t("home.seats", { taken, of: table.seats.length })}</span>
    <${Link} class="link" href=${`/t/${table.table}`}>${t("home.sit_down")}<//>
  </li>`;
}
