// Home screen: each game with one big button, ways to play with others, today, your games, and the open tables. Until
// the first game is finished, it is one sentence, two cards and one button (`home/first_visit.js`).

import { othersWaiting, Room, room, useRoom } from "../anyone/room.js";
import { byDays, chooseWish, playAnyone, wishOf } from "../anyone/search.js";
import { FirstVisit, PlayNow, WithFriends } from "../home/first_visit.js";
import { html, signal, useRef } from "../html.js";
import { place } from "../net/place.js";
import { Bar, Button, Emblem, EmptyTable, ErrorNotice, Link, Page } from "../parts/elements.js";
import { Choices, namedValues, Select } from "../parts/fields.js";
import { useGame, useLater, useRequest, useTitle, useWork } from "../parts/hooks.js";
import { OfflineNotice, OnDevice } from "../parts/offline.js";
import { OpenTables, YourGames } from "../parts/table_lists.js";
import { clockText } from "../phrases.js";
import { go, isOff } from "../router.js";
import { allGames, games } from "../state/games.js";
import { install, installOffer } from "../state/keeping.js";
import {
  choiceOf,
  chooseLength,
  chooseOpponent,
  chooseSide,
  opponentChoices,
  opponentSays,
  presetOf,
  sideOf,
} from "../state/opponents.js";
import { playNow } from "../state/seating.js";
import { read, write } from "../storage.js";
import { gameWord, sentences, t, wordsOf } from "../words.js";
import { NewTable } from "./new_table.js";

/** @import { GameInfo } from "../net/rest.js" */

/** @param {{making: boolean, params: Record<string, string>}} props */
export function Home({ making, params }) {
  const { error, again } = useRequest(allGames, []);
  useTitle("");
  const hasRoom = place.value === "server" && !isOff("public_lists");
  const [says, then] = [t("home.says"), t("home.says_then")];
  const isFresh = !read("played", false) && games.value !== null;
  return html`
    ${dealing.value ? html`<${EmptyTable} says=${t("home.dealing")} />` : html`<${Bar} />`}
    <main class="page home" hidden=${dealing.value}>
      ${
        isFresh
          ? html`<${FirstVisit} games=${games.value} deal=${deal} hasRoom=${hasRoom} />`
          : html`
            <h1 class="home-says">${sentences(says, then).slice(0, -then.length)}<span>${then}</span></h1>
            <p class="home-lead">${t("home.lead")}</p>
            <${OfflineNotice} />
            <${ErrorNotice} error=${error} again=${again} />
            <div class="home-body" data-rail=${hasRoom}>
              <${Games} games=${games.value ?? []} />
              <${Today} />
              <div class="home-lists" key=${place.value}>
                ${
                  (games.value || error) &&
                  html`<${YourGames} /><${OnDevice} />
                    ${hasRoom && html`<${LiveRoom} />`}`
                }
              </div>
            </div>
          `
      }
      <footer class="wrap home-foot small quiet">
        <${Link} class="link" href="/about">${t("about.title")}<//>
        ${installOffer.value && html`<button class="link narrow" onClick=${install}>${t("install")}</button>`}
      </footer>
      ${making && games.value && html`<${NewTable} games=${games.value} params=${params} />`}
    </main>
  `;
}

/** The game that phones show, by its name: the one chosen or played last. */
const lit = signal(read("game", ""));

/** @param {string} game */
function light(game) {
  lit.value = game;
  write("game", game);
}

const SWIPE = 48; // px

/** All games side by side; on a phone one of them, below the names of all, and a swipe shows the next.
 * @param {{games: GameInfo[]}} props */
function Games({ games: all }) {
  const from = useRef({ x: 0, y: 0 });
  const place = Math.max(
    0,
    all.findIndex(({ name }) => name === lit.value),
  );
  const swipe = (/** @type {TouchEvent} */ { changedTouches: [{ clientX, clientY }] }) => {
    const [x, y] = [clientX - from.current.x, clientY - from.current.y];
    const next = all[place - Math.sign(x)];
    if (next && Math.abs(x) > Math.max(SWIPE, 2 * Math.abs(y))) light(next.name);
  };
  return html`<div
    class="home-games"
    onTouchStart=${(/** @type {TouchEvent} */ { touches: [{ clientX: x, clientY: y }] }) => {
      from.current = { x, y };
    }}
    onTouchEnd=${swipe}
  >
    ${all.map((game, each) => html`<${GameOffer} key=${game.name} game=${game} isLit=${each === place} />`)}
  </div>`;
}

/** The strip of today; loaded once the games are there. */
function Today() {
  const Strip = useLater(async () => (await import("../today/strip.js")).TodayStrip);
  return html`<div class="home-today">${Strip && games.value && html`<${Strip} games=${games.value} />`}</div>`;
}

/** Whether a table is being made on this device, where Python may have to start first: its places are shown already. */
const dealing = signal(false);

/** @param {string} game */
async function deal(game) {
  light(game);
  dealing.value = place.value === "device";
  try {
    go(`/t/${await playNow(game)}`);
  } finally {
    dealing.value = false;
  }
}

/** @param {{game: GameInfo, isLit: boolean}} props */
function GameOffer({ game, isLit }) {
  const play = useWork(() => deal(game.name));
  const anyone = useWork(() => playAnyone(game));
  const title = gameWord(game.name, "title", game.title);
  return html`<section class="lamp home-game" data-lit=${isLit} aria-labelledby=${`game-${game.name}`}>
    <${Emblem} game=${game.name} size="fan" />
    <h2 id=${`game-${game.name}`}>
      <span>${title}</span>
      <button class="plain" aria-current=${isLit} onClick=${() => light(game.name)}>${title}</button>
    </h2>
    <p>${gameWord(game.name, "summary", game.summary)}</p>
    <div class="home-acts">
      <${PlayNow}
        game=${game}
        work=${play}
        says=${t("home.play_now")}
        aria-label=${t("home.play_now_of", { title })}
      />
      <${AnyoneButton} game=${game} title=${title} work=${anyone} />
      <${WithFriends} game=${game} />
    </div>
    <${ErrorNotice} error=${play.error ?? anyone.error} />
    <details class="options home-options">
      <summary>${t("new.more")}</summary>
      <${Against} game=${game} />
    </details>
    <div class="home-study small">
      ${game.house && html`<${StudyLink} href=${`/house/${game.name}`} says=${t("house.title")} title=${title} />`}
      ${
        game.trainer &&
        html`<${StudyLink} href=${`/train/${game.name}?way=daily`} says=${t("study.train")} title=${title} />`
      }
      ${
        game.explorer &&
        html`<${StudyLink} href=${`/explore/${game.name}`} says=${t("study.explore")} title=${title} />`
      }
    </div>
  </section>`;
}

/** A link whose name says the game as well: others on the page have the same words.
 * @param {{href: string, says: string, title: string}} props */
const StudyLink = ({ href, says, title }) =>
  html`<${Link} class="link" href=${href} aria-label=${`${says}, ${title}`}>${says}<//>`;

function LiveRoom() {
  useRoom();
  return html`<${Room} />`;
}

/** @param {{game: GameInfo, title: string, work: {run: () => void, busy: boolean}}} props */
function AnyoneButton({ game, title, work }) {
  if (place.value === "device") return html`<p class="home-alone small quiet">${t("home.house")}</p>`;
  if (isOff("pairing")) return null;
  const count = othersWaiting(game);
  const waiting = count > 0 ? t("home.waiting", { count }) : t("home.none_waiting");
  return html`<${Button}
    work=${work}
    class="button second big"
    aria-label=${t("home.anyone_of", { title })}
    aria-description=${room.value ? waiting : undefined}
  >
    <span>${t("home.anyone")}<small>${room.value ? waiting : "\u00a0"}</small></span>
  <//>`;
}

/** What *Play anyone* looks for: the clock, and the number of seats. @param {{game: GameInfo}} props */
function Wish({ game }) {
  if (place.value === "device" || isOff("pairing")) return null;
  const wish = wishOf(game);
  const { least_seats: seats = 0 } = wish;
  const counts = Array.from({ length: game.most_seats - game.least_seats + 1 }, (_, more) => game.least_seats + more);
  const values = [{ value: "0", label: t("home.seats_any") }, ...namedValues(counts.map(String), String)];
  const paces = [
    { value: "", label: t("home.pace_now") },
    { value: "days", label: t("home.pace_days") },
  ];
  return html`<details class="options home-wish">
    <summary>${t("home.with_anyone")} <span class="quiet">${clockText(wish.clock)}</span></summary>
    <${Choices}
      label=${t("home.pace")}
      value=${byDays(wish) ? "days" : ""}
      values=${paces}
      choose=${(/** @type {string} */ days) => chooseWish(game.name, { days: days !== "" })}
    />
    ${
      counts.length > 1 &&
      html`<${Choices}
        label=${t("new.seats")}
        value=${String(seats)}
        values=${values}
        choose=${(/** @type {string} */ count) => chooseWish(game.name, { seats: Number(count) })}
      />`
    }
  </details>`;
}

/** The strength of *Play now*, remembered on this device. @param {{game: GameInfo}} props */
function Against({ game }) {
  if (!useGame(game.name)) return html`<div class="wrap home-against"></div>`; // its machines have no names yet
  const machine = choiceOf(game);
  return html`<div class="wrap home-against">
    <label>
      <span>${t("home.against")}</span>
      <${Select}
        value=${machine}
        values=${opponentChoices(game)}
        change=${(/** @type {string} */ value) => chooseOpponent(game.name, value)}
      />
    </label>
    <span class="small quiet">${opponentSays(game, machine)}</span>
    <${Length} game=${game} />
    <${FirstSide} game=${game} />
    <${Wish} game=${game} />
  </div>`;
}

/** How long *Play now* lasts, if the game has several lengths. @param {{game: GameInfo}} props */
function Length({ game }) {
  const lengths = useGame(game.name)?.lengths;
  if (!lengths) return null;
  const words = wordsOf(game.name);
  return html`<${Choices}
    label=${t("home.length")}
    value=${presetOf(game).name}
    values=${namedValues(lengths, (preset) => words(`length.${preset}`))}
    choose=${(/** @type {string} */ preset) => chooseLength(game.name, preset)}
  />`;
}

/** The side that the player has first, if the game has different ones. @param {{game: GameInfo}} props */
function FirstSide({ game }) {
  const sides = useGame(game.name)?.sides;
  if (!sides) return null;
  const words = wordsOf(game.name);
  const labels = sides.map((key, place) => ({ value: String(place + 1), label: words(key) }));
  return html`<${Choices}
    label=${t("home.side")}
    value=${String(sideOf(game.name))}
    values=${[...labels, { value: "0", label: t("home.side.random") }]}
    choose=${(/** @type {string} */ seat) => chooseSide(game.name, Number(seat))}
  />`;
}

export function Tables() {
  useRequest(allGames, []);
  useTitle(t("home.open"));
  return html`<${Page}><h1 class="unseen">${t("home.open")}</h1><${OpenTables} /><//>`;
}
