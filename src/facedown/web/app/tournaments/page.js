// One tournament: what is played and for how long, one's own next table, the top table, and the standings.

import { Confirm } from "../dialogs/dialog.js";
import { html, useState } from "../html.js";
import { ask, guestSession } from "../net/api.js";
import { Button, ErrorNotice, Link, Name, Page, Signet } from "../parts/elements.js";
import { useGame, useNow, useRequest, useTitle, useWork } from "../parts/hooks.js";
import { machineName } from "../phrases.js";
import { go } from "../router.js";
import { allGames } from "../state/games.js";
import { savedSeat } from "../state/saved_seats.js";
import { sit } from "../state/seating.js";
import { t, wordsOf } from "../words.js";
import { pathOf, useTournament } from "./follow.js";
import { about } from "./list.js";
import { say, useTexts } from "./words.js";

/** @import { StandingRow, TournamentHead, TournamentInfo } from "../net/rest.js" */

const SERIES = 2; // wins in a row after which the next counts double
const SHOWN = 6; // games of an entrant
const MANY = 100; // entrants that are listed at once

/** @param {{tournament: string}} props */
export function TournamentScreen({ tournament }) {
  const ready = useTexts();
  useRequest(allGames, []);
  const { info, error, setInfo } = useTournament(tournament);
  useTitle(info?.head.title ?? "");
  return html`<${Page} class="tournament" aria-busy=${!ready || !info}>
    <${ErrorNotice} error=${error} />
    ${ready && info && html`<${Shown} info=${info} setInfo=${setInfo} />`}
  <//>`;
}

/** @param {{info: TournamentInfo, setInfo: (info: TournamentInfo) => void}} props */
function Shown({ info, setInfo }) {
  const { head } = info;
  useGame(head.game);
  return html`<div class="tournament-head">
      <h1><${Name}>${head.title || say(`kind.${head.kind}`)}<//></h1>
      <${Left} head=${head} />
      <p class="soft">${about(head)}${head.paused && ` · ${say("paused")}`}</p>
    </div>
    <div class="tournament-columns">
      <${Standings} info=${info} />
      <aside>
        <${Own} info=${info} setInfo=${setInfo} />
        ${info.organises && html`<${Organiser} info=${info} />`}
        <${TopTable} info=${info} />
        <p class="small"><a href=${`/api/v1${pathOf(head.tournament)}/results.csv`}>${say("csv")}</a></p>
      </aside>
    </div>`;
}

/** The time until the start or the end. @param {{head: TournamentHead}} props */
function Left({ head }) {
  const until = head.state === "open" ? head.starts_at : head.state === "running" ? (head.ends_at ?? 0) : 0;
  const seconds = Math.floor((until - useNow(until ? 1000 : 0)) / 1000);
  if (seconds <= 0 || seconds > 86_400) return null;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const text = `${hours ? `${hours}:` : ""}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return html`<p class="display numbers tournament-clock" role="timer">${text}</p>`;
}

/** What entrants of a game are called. @param {string} game @returns {(row: StandingRow) => string} */
const nameIn = (game) => (row) => (row.machine ? machineName(wordsOf(game), row.name) : row.name);

/** @param {{info: TournamentInfo}} props */
function Standings({ info: { head, rows, own } }) {
  const [most, setMost] = useState(MANY);
  const nameOf = nameIn(head.game);
  return html`<section class="tournament-standings">
    <div class="list-head"><h2>${say("standings")}</h2><span class="small quiet">${say("latest")}</span></div>
    <ol>
      ${rows.slice(0, most).map(
        (row, place) => html`<li key=${row.number} data-own=${row.number === own} data-state=${row.state ?? "in"}>
          <span class="display numbers">${place + 1}</span>
          <${Signet} name=${nameOf(row)} />
          <b><${Name}>${nameOf(row)}<//>${row.number === own && ` ${say("you")}`}</b>
          <${Scores} scores=${row.scores ?? []} />
          <span class="display numbers">${row.points}</span>
        </li>`,
      )}
    </ol>
    ${rows.length > most && html`<button class="link" onClick=${() => setMost(most + MANY)}>${say("more")}</button>`}
  </section>`;
}

/** The points of the last games, latest first. @param {{scores: readonly number[]}} props */
const Scores = ({ scores }) => html`<span class="tournament-scores numbers">
  ${scores
    .slice(-SHOWN)
    .reverse()
    .map((points, index) => html`<i key=${index} data-points=${Math.min(points, 3)}>${points}</i>`)}
</span>`;

/** One's own entry: joining, the next table, pausing.
 * @param {{info: TournamentInfo, setInfo: (info: any) => void}} props */
function Own({ info, setInfo }) {
  const { head, rows, own } = info;
  const row = rows.find(({ number }) => number === own);
  const work = useWork(async (/** @type {{paused: boolean, weaker: boolean}} */ entry) => {
    await guestSession();
    setInfo(await ask("PUT", `${pathOf(head.tournament)}/entry`, entry));
  });
  const leaving = useWork(async () => {
    setInfo(await ask("PUT", `${pathOf(head.tournament)}/entry`, { withdrawn: true }));
  });
  const sitting = useWork(async (/** @type {string} */ table, /** @type {number} */ seat) => {
    await guestSession();
    if (!savedSeat(table, seat).token) await sit(table, seat);
    go(`/t/${table}`);
  });
  if (head.state === "over" || head.state === "cancelled") return null;
  const paused = row?.state === "paused";
  const enter = (/** @type {boolean} */ pause, weaker = false) => work.run({ paused: pause, weaker });
  if (row?.state === "out") return html`<section class="tournament-own"><p>${say("withdrawn")}</p></section>`;
  if (!row || paused)
    return html`<section class="tournament-own">
      <${Button} work=${work} class="button first" onClick=${() => enter(false)}>${say(row ? "back" : "join")}<//>
      ${
        work.error?.code === "keep_first"
          ? html`<p role="alert">${say("kept.first")} <${Link} class="link" href="/account">${t("keep.this")}<//></p>`
          : html`<${ErrorNotice} error=${work.error} />`
      }
    </section>`;
  const table = row.tables?.[0];
  const nameOf = nameIn(head.game);
  const others = table ? rows.filter(({ number, tables }) => number !== own && tables?.includes(table)) : [];
  return html`<section class="tournament-own" aria-live="polite">
    ${
      table
        ? html`<p class="small quiet">${say("table")}</p>
          <p class="wrap tournament-against">
            ${others.map(
              (other) => html`<span key=${other.number}>
                <${Signet} name=${nameOf(other)} /><${Name}>${nameOf(other)}<//>
              </span>`,
            )}
          </p>
          <${Button} work=${sitting} class="button first" onClick=${() => sitting.run(table, row.seats?.[0])}>
            ${say("go")}
          <//>
          <${ErrorNotice} error=${sitting.error} />`
        : html`<p>${say(head.state === "open" ? "in" : "waiting")}</p>`
    }
    ${head.kind === "arena" && (row.streak ?? 0) >= SERIES && html`<p class="soft">${say("double")}</p>`}
    ${
      head.weaker &&
      html`<label class="tournament-weaker">
        <input
          type="checkbox"
          checked=${row.weaker ?? false}
          disabled=${work.busy}
          onChange=${() => enter(false, !row.weaker)}
        />
        <span><b>${say("weaker")}</b><br />${say("weaker.say")}</span>
      </label>`
    }
    <p class="small soft">
      <${Button} work=${work} class="link" onClick=${() => enter(true)}>${say("pause")}<//>
      ${" "}${say("pause.say")}
    </p>
    <details class="small">
      <summary>${say("withdraw")}</summary>
      <p class="soft">${say("withdraw.say")}</p>
      <${Button} work=${leaving}>${say("withdraw")}<//>
    </details>
    <${ErrorNotice} error=${work.error ?? leaving.error} />
  </section>`;
}

/** What only the organiser can do. @param {{info: TournamentInfo}} props */
function Organiser({ info: { head, rows } }) {
  const nameOf = nameIn(head.game);
  const putting = useWork((/** @type {number} */ number) =>
    ask("POST", `${pathOf(head.tournament)}/order`, { do: "put_out", number }),
  );
  const present = rows.filter(({ state, machine }) => state !== "out" && !machine);
  const order = useWork((/** @type {string} */ what) => ask("POST", `${pathOf(head.tournament)}/order`, { do: what }));
  const [asks, setAsks] = useState(false);
  if (head.state === "over" || head.state === "cancelled") return null;
  const keep = () => setAsks(false);
  const cancel = () => {
    keep();
    order.run("cancel");
  };
  const pausing = head.paused ? "resume" : "pause";
  return html`<details class="options">
    <summary>${say("organise")}</summary>
    <p class="wrap">
      <${Button} work=${order} of=${pausing}>${say(`order.${pausing}`)}<//>
      <${Button} work=${order} onClick=${() => setAsks(true)}>${say("order.cancel")}<//>
    </p>
    <p class="small soft">${say("order.say")}</p>
    ${
      present.length > 0 &&
      html`<details class="small">
        <summary>${say("put_out")}</summary>
        <p class="soft">${say("put_out.say")}</p>
        <ul class="tournament-entrants">
          ${present.map(
            (row) => html`<li key=${row.number}>
              <${Name}>${nameOf(row)}<//>${" "}
              <${Button}
                work=${putting}
                class="link"
                of=${row.number}
                aria-label=${`${say("put_out")}: ${nameOf(row)}`}
              >${say("put_out")}<//>
            </li>`,
          )}
        </ul>
      </details>`
    }
    <${ErrorNotice} error=${order.error ?? putting.error} />
    ${
      asks &&
      html`<${Confirm}
        label=${say("order.cancel")}
        title=${say("order.cancel.title", { title: head.title })}
        says=${say("order.say")}
        stay=${say("order.cancel.keep")}
        really=${say("order.cancel")}
        close=${keep}
        work=${{ run: cancel }}
      />`
    }
  </details>`;
}

/** The table of the best entrant who plays. @param {{info: TournamentInfo}} props */
function TopTable({ info: { head, rows, own } }) {
  const best = rows.find(({ number, tables }) => number !== own && tables?.length);
  const table = best?.tables?.[0];
  if (!best || !table || rows.some(({ number, tables }) => number === own && tables?.includes(table))) return null;
  const names = rows.filter(({ tables }) => tables?.includes(table)).map(nameIn(head.game));
  return html`<section class="tournament-top">
    <div><b>${say("top")}</b><br /><span class="small soft">${names.join(" – ")}</span></div>
    <${Link} class="button second" href=${`/t/${table}`}>${say("watch")}<//>
  </section>`;
}
