// People: who stands where in each game, the first of all and those around oneself.

import { html, onSubmit, onValue, useState, useTimer } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { place } from "../net/place.js";
import { Button, ErrorNotice, Link, Name, Page, Signet } from "../parts/elements.js";
import { VERBATIM } from "../parts/fields.js";
import { useGame, useRequest, useTitle, useWork } from "../parts/hooks.js";
import { say, useTexts } from "../people/words.js";
import { machineName } from "../phrases.js";
import { isOff } from "../router.js";
import { allGames, games, titleOf } from "../state/games.js";
import { lang, t, wordsOf } from "../words.js";
import { Me } from "./profile.js";

/** @import { FoundHandles, OwnRank, RankedPlayer, Standings } from "../net/rest.js" */

const MACHINES = "/machines"; // no name of a game
const TOP = 10;
const SHORTEST = 2; // letters of a handle to search for
const PATIENCE = 250;

/** Without a server there is no one else: then it is one's own page. */
export const People = () => (place.value === "device" ? html`<${Me} />` : html`<${Everyone} />`);

function Everyone() {
  const ready = useTexts();
  const { error: unknown, again: askAgain } = useRequest(allGames, []);
  const [chosen, choose] = useState("");
  const game = chosen || games.value?.[0]?.name || "";
  const ofMachines = game === MACHINES;
  const { value, error, again } = useRequest(async () => {
    if (!game || ofMachines || isOff("ratings")) return null;
    if (hadSession()) await guestSession();
    return /** @type {Promise<Standings>} */ (get(`/standings/${game}`));
  }, [game]);
  useTitle(t("bar.people"));
  const standings = /** @type {Standings|null} */ (value);
  if (!ready) return html`<${Page} class="people" aria-busy="true" />`;
  return html`<${Page} class="people">
    <div class="wrap people-head">
      <h1>${t("bar.people")}</h1>
      ${hadSession() && html`<${Link} class="link" href="/me">${say("list.yours")}<//>`}
      ${!isOff("tournaments") && html`<${Link} class="link" href="/tournaments">${say("list.tournaments")}<//>`}
      <${FindPeople} />
      <div class="tabs" role="group" aria-label=${say("rating.game")} hidden=${isOff("ratings")}>
        ${(games.value ?? []).map(
          ({ name }) => html`<button key=${name} aria-pressed=${name === game} onClick=${() => choose(name)}>
            ${titleOf(name)}
          </button>`,
        )}
        <button aria-pressed=${ofMachines} onClick=${() => choose(MACHINES)}>${say("list.machines")}</button>
      </div>
    </div>
    <${ErrorNotice} error=${unknown ?? error} again=${unknown ? askAgain : again} />
    ${standings && html`<${Lists} standings=${standings} />`}
    ${
      ofMachines &&
      html`<div class="people-lists">
        ${(games.value ?? []).map(({ name }) => html`<${Machines} key=${name} game=${name} />`)}
      </div>
      <p class="gap-before small quiet">${say("list.machines.say")}</p>`
    }
  <//>`;
}

/** A field that finds people by the beginning of their handle. */
function FindPeople() {
  const [typed, setTyped] = useState("");
  const [text, setText] = useState("");
  useTimer(PATIENCE, () => setText(typed.trim()), [typed]);
  return html`<form class="people-find" role="search" onSubmit=${onSubmit(() => {})}>
    <label>
      <span class="unseen">${say("find.label")}</span>
      <input
        type="search"
        maxlength="20"
        ...${VERBATIM}
        placeholder=${say("find.label")}
        value=${typed}
        onInput=${onValue(setTyped)}
      />
    </label>
    ${text.length >= SHORTEST && html`<${Found} key=${text} text=${text} />`}
  </form>`;
}

/** The people whose handles begin like this, a page at a time. @param {{text: string}} props */
function Found({ text }) {
  const path = (after = "") => `/people?${new URLSearchParams({ find: text, ...(after ? { after } : {}) })}`;
  const first = useRequest((signal) => /** @type {Promise<FoundHandles>} */ (get(path(), signal)), [text]);
  const [later, setLater] = useState(/** @type {FoundHandles[]} */ ([]));
  const more = useWork(async (/** @type {string} */ after) => setLater([...later, await get(path(after))]));
  const pages = first.value ? [first.value, ...later] : [];
  const people = pages.flatMap((page) => page.people);
  const next = pages.at(-1)?.next;
  return html`
    <p class="unseen" role="status">${first.value && say("find.found", { count: people.length })}</p>
    ${
      first.value &&
      html`<ul class="panel">
        ${people.map(
          (handle) => html`<li key=${handle}>
            <${Link} class="plain" href=${`/people/${handle}`}><${Signet} name=${handle} /><${Name}>${handle}<//><//>
          </li>`,
        )}
        ${people.length === 0 && html`<li class="quiet">${say("find.none")}</li>`}
        ${
          next &&
          html`<li>
            <${Button} work=${more} class="link small" of=${next}>${say("find.more")}<//>
          </li>`
        }
      </ul>`
    }
    <${ErrorNotice} error=${first.error ?? more.error} />
  `;
}

/** @param {{standings: Standings}} props */
function Lists({ standings: { top, around, own, people, friends = [] } }) {
  const number = new Intl.NumberFormat(lang.value);
  const isBelow = around.length > 0 && (own?.rank ?? 0) > TOP;
  return html`<div class="people-lists">
    ${
      top.length > 0
        ? html`<section class="list-top">
          <div class="list-head">
            <h2>${say("list.top")}</h2><span class="small quiet">${say("list.who")}</span>
          </div>
          <${Ranks} people=${top.slice(0, TOP)} />
        </section>`
        : html`<section><p class="lead">${say("list.nobody")}</p></section>`
    }
    <section class=${isBelow ? "list-around" : ""}>
      ${
        isBelow &&
        own?.rank &&
        html`<div class="list-head">
            <h2>${say("list.around")}</h2>
            <span class="small quiet numbers">
              ${say("list.rank", { rank: number.format(own.rank), people: number.format(people) })}
            </span>
          </div>
          <${Ranks} people=${around} />`
      }
      ${
        !isBelow &&
        top.length > TOP &&
        html`<div class="list-head"><h2 class="numbers">${TOP + 1}–${Math.min(top.length, 2 * TOP)}</h2></div>
          <${Ranks} people=${top.slice(TOP, 2 * TOP)} />`
      }
      <${Unranked} own=${own} />
      <p class="small quiet">${say("list.how")}</p>
    </section>
    <${Friends} people=${friends} />
  </div>`;
}

/** Where one stands among the people whom one follows; nothing for one who follows no player here.
 * @param {{people: RankedPlayer[]}} props */
function Friends({ people }) {
  if (!people.some(({ you }) => !you)) return null;
  return html`<section class="list-friends">
    <div class="list-head"><h2>${say("list.friends")}</h2></div>
    <${Ranks} people=${people} />
  </section>`;
}

/** The machines of a game, and oneself among them. @param {{game: string}} props */
function Machines({ game }) {
  useGame(game); // its words
  const { value, error, again } = useRequest(async () => {
    if (hadSession()) await guestSession();
    return get(`/standings/${game}?ladder=machines`);
  }, [game]);
  const { machines = [], own = null } = /** @type {Partial<Standings>} */ (value ?? {});
  const you = own ? [{ ...own, machine: "" }] : [];
  const ladder = [...machines, ...you].sort((a, b) => b.points - a.points);
  if (error) return html`<${ErrorNotice} error=${error} again=${again} />`;
  if (!value) return null;
  return html`<section>
    <div class="list-head"><h2>${titleOf(game)}</h2></div>
    ${machines.length === 0 && html`<p class="gap-before soft">${say("list.machines.none")}</p>`}
    <ol class="ranks machines">
      ${ladder.map(
        (each, place) => html`<li key=${each.machine} data-own=${!each.machine}>
          <span class="display numbers">${place + 1}</span>
          <b>${each.machine ? machineName(wordsOf(game), each.machine) : say("list.yourself")}</b>
          <${Standing} of=${each} />
        </li>`,
      )}
    </ol>
  </section>`;
}

/** What is missing for a place in the list. @param {{own: OwnRank|null|undefined}} props */
function Unranked({ own }) {
  if (own?.rank) return null;
  return html`<div class="people-own">
    ${
      own &&
      html`<p>
        <span class="display numbers">${own.points}</span>
        ${" "}<span class="soft">${own.provisional ? say("rating.provisional") : `±${own.error}`}</span>
      </p>`
    }
    <p>${say(own?.provisional === false ? "list.hidden" : "list.missing")}</p>
  </div>`;
}

/** The points of a row, with their error and how many games they rest on.
 * @param {{of: {points: number, error: number, games: number}}} props */
const Standing = ({ of: { points, error, games } }) => html`
  <span class="display numbers">${points}</span>
  <span class="small soft numbers rank-error">±${error}</span>
  <span class="small quiet numbers rank-games">${say("list.games", { count: games })}</span>
`;

/** @param {{people: RankedPlayer[]}} props */
const Ranks = ({ people }) => html`<ol class="ranks">
  ${people.map(
    (each) => html`<li key=${each.handle} data-own=${each.you}>
      <span class="display numbers">${each.rank}</span>
      <${Signet} name=${each.handle} />
      <b><${Link} class="plain" href=${each.you ? "/me" : `/people/${each.handle}`}>
        <${Name}>${each.handle}<//>${each.you && ` ${say("list.you")}`}
      <//></b>
      <${Standing} of=${each} />
    </li>`,
  )}
</ol>`;
