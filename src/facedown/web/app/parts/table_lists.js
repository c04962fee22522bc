// Lists of tables: your games, with whose turn it is, and open tables with a button to join.

import { html, onSubmit, onValue, useEffect, useState } from "../html.js";
import { get, hadSession, ownName, setOwnName } from "../net/api.js";
import { ago, clockText, distinctNames, machineName, rulesName, sanitized, span } from "../phrases.js";
import { go } from "../router.js";
import { titleOf } from "../state/games.js";
import { isPutAway, ownTurn, toggle } from "../state/put_away.js";
import { sit } from "../state/seating.js";
import { read, write } from "../storage.js";
import { lang, t, wordsOf } from "../words.js";
import { Button, ErrorNotice, Link, Name } from "./elements.js";
import { useGame, useRequest, useWork } from "./hooks.js";
import { Seal, Sign } from "./marks.js";

/** @import { ListedSeat, ListedTable } from "../net/rest.js" */
/** @import { PutAway } from "../state/put_away.js" */

const FRESH = 15_000;
const FEW = 4;
const MOST = 50;
const LISTED = 6;
const SLOT = "\n"; // where a sentence has its names

/** @param {string} query @returns {Promise<{tables: ListedTable[]}>} */
const fetchTables = (query) => get(`/tables?${query}`);

/** Repeats a request every few seconds while the page is visible.
 * @param {() => Promise<{tables: ListedTable[]}>} ask */
function useFresh(ask) {
  const asked = useRequest(ask, []);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && asked.again(), FRESH);
    return () => clearInterval(timer);
  }, []);
  return asked;
}

/** The name of a seat in a list: a machine by its own name. @param {ListedTable} table @param {ListedSeat} seat */
export const seatLabel = ({ game }, { kind, name }) =>
  kind === "machine" ? machineLabel(game, name) : sanitized(name);

/** The name of a machine; a number distinguishes several of one kind. @param {string} game @param {string} name */
function machineLabel(game, name) {
  const [, machine, number = ""] = /^(.*?)( \d+)?$/.exec(name) ?? [];
  return machineName(wordsOf(game), machine) + number;
}

/** @param {ListedTable} table */
const others = (table) => table.seats.filter((each) => !table.yours?.includes(each.seat) && each.name);

export function YourGames() {
  const { value, error, again } = useFresh(async () => (hadSession() ? fetchTables("mine=true") : { tables: [] }));
  const tables = (value?.tables ?? []).filter((each) => each.state !== "over" && each.state !== "closed");
  const soonest = (/** @type {ListedTable} */ each) => ownTurn(each)?.deadline ?? Number.POSITIVE_INFINITY;
  tables.sort(
    (a, b) =>
      Number(b.your_turn) - Number(a.your_turn) ||
      (soonest(a) < soonest(b) ? -1 : Number(soonest(a) > soonest(b))) ||
      b.created_at - a.created_at,
  );
  const [away, setAway] = useState(/** @type {PutAway[]} */ (read("put_away", [])));
  const [all, setAll] = useState(false);
  const shown = tables.filter((each) => all || !isPutAway(each, away));
  /** @param {ListedTable} table */
  const putAway = (table) => {
    const now = toggle(table, away);
    write("put_away", now);
    setAway(now);
  };
  const hidden = tables.filter((each) => isPutAway(each, away)).length;
  const [whole, setWhole] = useState(false);
  if (tables.length === 0 && !error) return null;
  const rest = shown.length - FEW;
  return html`<section aria-labelledby="yours" class="your-games" data-due=${shown.some((each) => each.your_turn)}>
    <div class="list-head">
      <h2 id="yours">${t("home.yours")}</h2><${Link} class="link small" href="/me">${t("home.finished")}<//>
    </div>
    <${ErrorNotice} error=${error} again=${again} />
    <ul class="list">
      ${shown.slice(0, whole ? MOST : FEW).map(
        (each) => html`<${YourGame}
          key=${each.table}
          table=${each}
          away=${isPutAway(each, away)}
          putAway=${() => putAway(each)}
        />`,
      )}
    </ul>
    ${
      rest > 0 &&
      !whole &&
      html`<p class="small"><button class="link" onClick=${() => setWhole(true)}>
        ${t("home.all_games", { n: shown.length })}
      </button></p>`
    }
    ${
      hidden > 0 &&
      html`<p class="small">
        <button class="link" aria-pressed=${all} onClick=${() => setAll(!all)}>
          ${t("home.put_away", { n: hidden })}
        </button>
      </p>`
    }
  </section>`;
}

/** @param {{table: ListedTable, away: boolean, putAway: () => void}} props */
function YourGame({ table, away, putAway }) {
  const game = useGame(table.game); // loads its words
  const against = others(table);
  const isShared = against.length === 0 && table.yours.length > 1;
  const sitting = isShared ? table.seats.filter((each) => each.name) : against;
  const names = withCounts(sitting.map((each) => seatLabel(table, each)));
  const { view } = table;
  const where = view && game ? [game.place, game.standing].map((each) => each?.(view, narration(table))) : [];
  return html`<li class="your-game">
    <span class="dot">${table.your_turn && html`<${Seal} class="" />`}</span>
    <${Link} class="plain" href=${`/t/${table.table}`}>
      <span class="who link">
        ${names.length === 0 && t("home.nobody_yet")}
        ${isShared ? about("home.on_this_device", joined(names)) : listed(names)}
      </span>
      <span class="quiet">${[titleOf(table.game), ...where].filter(Boolean).join(" · ")}</span>
      <span class=${table.your_turn ? "state your-turn" : "state quiet"}>${stateOf(table)}</span>
    <//>
    <button
      class="put-away"
      aria-label=${t(away ? "home.bring_back" : "home.put_it_away", {
        names: names.join(t("list.comma")) || titleOf(table.game),
      })}
      onClick=${putAway}
    >
      <${Sign} of=${away ? "swap" : "cross"} />
    </button>
  </li>`;
}

/** Names, each apart from what is around it. @param {string[]} names */
const listed = (names) => names.map((each, place) => html`${place > 0 && t("list.comma")}<${Name}>${each}<//>`);

/** A sentence about names, each of them apart from what is around it. @param {string} key @param {any} list */
function about(key, list) {
  const [before, after] = t(key, { names: SLOT }).split(SLOT);
  return html`${before}${list}${after}`;
}

/** Names as the language lists them. @param {string[]} names */
const joined = (names) =>
  new Intl.ListFormat(lang.value)
    .formatToParts(names)
    .map(({ type, value }) => (type === "element" ? html`<${Name}>${value}<//>` : value));

/** Each name once, with its count if it occurs several times. @param {string[]} names */
const withCounts = (names) =>
  [...new Set(names)].map((name) => {
    const times = names.filter((each) => each === name).length;
    return times > 1 ? `${name} × ${times}` : name;
  });

/** @param {ListedTable} table */
const narration = (table) => ({
  you: table.yours[0] ?? 0,
  names: (/** @type {number} */ seat) =>
    distinctNames(
      table.game,
      table.seats.map(({ name }) => name),
    )[seat - 1],
  words: wordsOf(table.game),
});

/** @param {ListedTable} table */
function stateOf(table) {
  const own = ownTurn(table);
  if (own?.deadline) return t("home.your_turn_left", { left: span(own.deadline - Date.now()) });
  if (table.your_turn) return t("home.your_turn");
  if (table.state === "open") return t("home.seats_free");
  const [first] = table.waiting;
  if (!first) return t("home.machine_thinks");
  const names = table.waiting.map(({ seat }) => seatLabel(table, table.seats[seat - 1])).join(t("list.comma"));
  return t("home.waiting_for", { names, since: ago(first.since) });
}

/** The page of all open tables. */
export function OpenTables() {
  const { value, error, again } = useFresh(() => fetchTables("state=open"));
  return html`
    <${ErrorNotice} error=${error} again=${again} />
    ${value && html`<${TableList} tables=${value.tables} all />`}
  `;
}

/** Open tables with a button to join; `all`: every one, with what to say if there is none.
 * @param {{tables: ListedTable[], all?: boolean}} props */
export function TableList({ tables, all = false }) {
  return html`<section aria-labelledby="open" class="open-tables">
    <div class="list-head">
      <h2 id="open">${t("home.open")}</h2>
      ${all && html`<${Link} class="link small" href="/new">${t("home.new_table")}<//>`}
    </div>
    <ul class="list">
      ${tables.slice(0, all ? 200 : LISTED).map((each) => html`<${OpenTable} key=${each.table} table=${each} />`)}
    </ul>
    ${tables.length === 0 && html`<p class="empty">${t("home.no_tables")}</p>`}
    ${
      !all &&
      tables.length > LISTED &&
      html`<p class="empty">
        <${Link} class="link" href="/tables">${t("home.all_tables")}<//>
      </p>`
    }
  </section>`;
}

/** @param {{table: ListedTable}} props */
function OpenTable({ table }) {
  useGame(table.game); // loads its words
  const named = others(table);
  const waiting = named.filter((each) => each.kind === "person").length;
  const taken = table.seats.filter((each) => each.name || each.kind === "machine").length;
  const seats = t("home.seats", { taken, of: table.seats.length });
  const [title, rules] = [titleOf(table.game), rulesName(table)];
  const more = table.seats.length > 2 && waiting > 0 ? [seats] : [];
  return html`<li class="open-table">
    <span class="who">${title}</span>
    <span class="quiet grow">
      ${[...(rules === title ? [] : [rules]), clockText(table.clock), ...more].join(" · ")}
    </span>
    <span class="state quiet">
      ${waiting > 0 ? about("home.waits", listed(named.map((each) => seatLabel(table, each)))) : seats}
    </span>
    <${JoinButton} table=${table} />
  </li>`;
}

/** @param {{table: ListedTable}} props */
function JoinButton({ table }) {
  const [asking, ask] = useState(false);
  const [name, setName] = useState(ownName());
  const free = table.seats.find((each) => each.kind === "person" && !each.name);
  const join = useWork(async () => {
    await setOwnName(name);
    if (free) await sit(table.table, free.seat);
    go(`/t/${table.table}`);
  });
  if (table.yours.length > 0 || !free)
    return html`<${Link} class="link" href=${`/t/${table.table}`}>${t(free ? "home.go_there" : "invite.watch")}<//>`;
  if (!asking)
    return html`
      <${Button} work=${join} class="link" onClick=${() => (name ? join.run() : ask(true))}>${t("home.sit_down")}<//>
      <${ErrorNotice} error=${join.error} />
    `;
  return html`<form class="wrap join-form" onSubmit=${onSubmit(join.run)}>
    <input
      type="text"
      maxlength="32"
      autocomplete="nickname"
      aria-label=${t("invite.name")}
      placeholder=${t("invite.name")}
      ref=${(/** @type {HTMLInputElement|null} */ field) => field?.focus()}
      value=${name}
      onInput=${onValue(setName)}
    />
    <button class="button first" disabled=${join.busy}>${t("home.sit_down")}</button>
    <${ErrorNotice} error=${join.error} />
  </form>`;
}
