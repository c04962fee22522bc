// The room, for home: how many people are here, a game to watch, who waits; and what to do while it is quiet.

import { html, signal, useEffect } from "../html.js";
import { get } from "../net/api.js";
import { Link, Name } from "../parts/elements.js";
import { useGame } from "../parts/hooks.js";
import { Seal, Sign } from "../parts/marks.js";
import { TableList } from "../parts/table_lists.js";
import { distinctNames } from "../phrases.js";
import { titleOf } from "../state/games.js";
import { lang, t, wordsOf } from "../words.js";
import { search, wishOf } from "./search.js";

/** @import { BusyHours, GameInfo, ListedTable, RoomInfo } from "../net/rest.js" */
/** @import { Signal } from "@preact/signals" */

const FRESH = 20_000;
const RESTED = 600;

/** What goes on at this server; null until it is known. @type {Signal<RoomInfo|null>} */
export const room = signal(null);

/** Keeps the room up to date while home is shown; nothing changes under a pointer that is on its way. */
export function useRoom() {
  useEffect(() => {
    let moved = 0;
    let wanted = true;
    const note = () => (moved = Date.now());
    const ask = async () => {
      const found = await get("/room").catch(() => null);
      while (room.value && wanted && Date.now() - moved < RESTED) await new Promise((next) => setTimeout(next, RESTED));
      if (wanted) room.value = found;
    };
    ask();
    const timer = setInterval(() => document.visibilityState === "visible" && ask(), FRESH);
    addEventListener("pointermove", note, { passive: true });
    return () => {
      wanted = false;
      clearInterval(timer);
      removeEventListener("pointermove", note);
    };
  }, []);
}

/** How many others wait for what *Play anyone* would look for. @param {GameInfo} game */
export function othersWaiting(game) {
  const { rules, clock } = wishOf(game);
  const pools = room.value?.pools ?? [];
  const fitting = pools.find(
    (each) => each.game === game.name && each.rules === rules && each.clock.kind === clock.kind,
  );
  const isOwn = search.value?.ticket?.state === "waiting" && search.value.wish.game === game.name;
  return Math.max(0, (fitting?.waiting ?? 0) - Number(isOwn));
}

export function Room() {
  const { here = 0, watch, hours, replay, open = [] } = room.value ?? {};
  const isQuiet = room.value !== null && here === 0 && !watch && open.length === 0;
  return html`
    ${watch && html`<${Watched} title=${t("room.playing")} table=${watch} act=${t("room.watch")} />`}
    ${here > 0 && html`<section class="room-here"><h2>${t("room.here", { count: here })}</h2></section>`}
    ${open.length > 0 && html`<${TableList} tables=${open} />`}
    <section class="room-open" aria-label=${t("room.quiet")}>
      ${
        isQuiet &&
        html`<h2>${t("room.quiet")}</h2>
          <p class="soft">${hours && `${hoursText(hours)} `}${t("room.open_say")}</p>`
      }
      <${Link} class="button second" href="/new">${t("home.new_table")}<//>
    </section>
    ${isQuiet && replay && html`<${Watched} title=${t("room.worth")} table=${replay} act=${t("room.replay")} />`}
  `;
}

/** When people play here, in the reader's time. @param {BusyHours} hours */
function hoursText({ first, last }) {
  const format = new Intl.DateTimeFormat(lang.value, { hour: "numeric", minute: "2-digit" });
  const [from, to] = [first, last].map((hour) => format.format(Date.UTC(2000, 0, 1, hour)));
  return t("room.hours", { from, to });
}

const SCORE = /^\d+\D+\d+$/;

/** A window into a game, with nothing that spectators may not see.
 * @param {{title: string, table: ListedTable, act: string}} props */
function Watched({ title, table, act }) {
  const game = useGame(table.game);
  const words = wordsOf(table.game);
  const names = distinctNames(
    table.game,
    table.seats.map(({ name }) => name),
  );
  const narration = { you: 1, names: (/** @type {number} */ seat) => names[seat - 1], words };
  const standing = names.length === 2 && table.view ? (game?.standing?.(table.view, narration) ?? "") : "";
  const place = table.view && table.state === "playing" ? game?.place?.(table.view, narration) : "";
  const score = SCORE.test(standing) ? standing : t("room.and");
  return html`<section class="room-watch" aria-label=${title}>
    <h2>${title}</h2>
    <${Link} class="plain watch-card" href=${`/t/${table.table}`}>
      <span class="watch-backs" aria-hidden="true">
        ${names.slice(0, 4).map((name) => html`<span key=${name}><${Seal} class="" /></span>`)}
      </span>
      <span class="wrap watch-names">
        ${names.map(
          (name, at) => html`${at > 0 && html`<span>${names.length === 2 ? score : t("list.comma")}</span>`}
          <${Name}>${name}<//>`,
        )}
      </span>
      <span class="watch-line">
        <span>${[titleOf(table.game), place].filter(Boolean).join(" · ")}</span>
        <b><${Sign} of="eye" />${act}</b>
      </span>
    <//>
  </section>`;
}
