// Table screen: the game's own table in the middle, and around it what every game has: bar, notices, lobby, curtain,
// live region, dialogs, the end.

import { Dialog } from "../dialogs/dialog.js";
import { Bubbles } from "../frame/bubbles.js";
import { Coach } from "../frame/coach.js";
import { LastSeconds } from "../frame/last_seconds.js";
import { ClosedTable, Lobby } from "../frame/lobby.js";
import { LiveRegion } from "../frame/narration.js";
import { AlarmNotice, Notices } from "../frame/notices.js";
import { TableBar } from "../frame/table_bar.js";
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../html.js";
import { isLocal, startError } from "../net/place.js";
import { EmptyTable, ErrorNotice, Page } from "../parts/elements.js";
import { useGame, useIsWide, useTurnTitle } from "../parts/hooks.js";
import { Seal } from "../parts/marks.js";
import { motion } from "../settings.js";
import { switchSound } from "../sound.js";
import { tableActions } from "../state/actions.js";
import { loadStyles } from "../state/games.js";
import { ScreenSeats } from "../state/screen_seats.js";
import { hasCompany } from "../state/unread.js";
import { useKeys } from "../table/input.js";
import { t, wordsOf } from "../words.js";

/** @import { GameEvent, Sight } from "../contract.js" */
/** @import { DialogName } from "../dialogs/table_dialogs.js" */

/** The dialog that is open, with what *why?* asks about.
 * @typedef {{dialog: DialogName, ids?: string[], sentence?: string, events?: GameEvent[]}} OpenDialog */

/** @type {Record<string, DialogName>} */
const DIALOG_KEYS = { "?": "keys", l: "log", L: "log", t: "chat" };

/** @param {{table: string}} props */
export function TableScreen({ table }) {
  const screenSeats = useMemo(() => new ScreenSeats(table), [table]);
  useEffect(() => {
    screenSeats.start();
    return () => screenSeats.close();
  }, [screenSeats]);
  const sight = screenSeats.sight.value;
  const error = screenSeats.error.value ?? (!sight && isLocal(table) ? startError.value : null);
  if (error)
    return html`<${Page}>
      <h1>${t("table.trouble")}</h1>
      <${ErrorNotice} error=${error} again=${() => location.reload()} />
    <//>`;
  if (!sight) return html`<${EmptyTable} />`;
  return html`<${Frame} screenSeats=${screenSeats} sight=${sight} />`;
}

/** @type {Promise<typeof import("../frame/ending.js").Ending>|null} */
let loadingEnding = null;

async function loadEnding() {
  const [{ Ending }] = await Promise.all([import("../frame/ending.js"), loadStyles("/app/styles/ending.css")]);
  return Ending;
}

/** The end of a game, loaded with a reveal: the first table does not wait for it. @param {boolean} isNear */
function useEnding(isNear) {
  const [Ending, setEnding] = useState(/** @type {typeof import("../frame/ending.js").Ending|null} */ (null));
  useEffect(() => {
    if (!isNear || Ending) return;
    loadingEnding ??= loadEnding();
    loadingEnding.then(
      (loaded) => setEnding(() => loaded),
      () => {
        loadingEnding = null; // the next reveal tries again
      },
    );
  }, [isNear]);
  return Ending;
}

/** The component of the dialog that is open, loaded with the first one: a first table does not wait for it. In company
 * it is loaded before, for those who press T and type on. Until it is there, keys do nothing: they are not meant for
 * the cards.
 * @param {DialogName|undefined} name @param {boolean} company @param {() => void} close */
function useDialog(name, company, close) {
  const [loaded, set] = useState(/** @type {typeof import("../dialogs/table_dialogs.js")|null} */ (null));
  const isWanted = (name !== undefined || company) && !loaded;
  useEffect(() => {
    if (isWanted) import("../dialogs/table_dialogs.js").then(set, close); // the next press tries again
  }, [isWanted, name]);
  const isAwaited = name !== undefined && !loaded;
  useLayoutEffect(() => {
    if (!isAwaited) return;
    const hold = (/** @type {KeyboardEvent} */ event) => event.preventDefault();
    addEventListener("keydown", hold, { capture: true });
    return () => removeEventListener("keydown", hold, { capture: true });
  }, [isAwaited]);
  return name && loaded ? loaded.DIALOGS[name] : null;
}

/** @param {{screenSeats: ScreenSeats, sight: Sight}} props */
function Frame({ screenSeats, sight }) {
  const { table, seat } = sight;
  const game = useGame(table.game);
  const [open, setOpen] = useState(/** @type {OpenDialog|null} */ (null));
  const words = useMemo(() => wordsOf(table.game), [table.game]);
  const narration = { you: seat, names: sight.names, words, view: sight.view };
  const shown = { screenSeats, sight, game, narration };
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById("table-title")?.focus();
  }, []);
  useEffect(() => {
    // the button that went on from a result is gone
    if (!sight.revealing && document.activeElement === document.body)
      /** @type {HTMLElement|null} */ (document.querySelector(".stage ul[data-free]"))?.focus({ preventScroll: true });
  }, [sight.revealing]);
  const act = useMemo(() => tableActions(screenSeats, setOpen), [screenSeats]);
  const close = () => setOpen(null);
  const curtain = screenSeats.curtain.value;
  useLayoutEffect(close, [seat, curtain]); // at once: the next person must not see what this one has opened
  useTurnTitle(sight);
  const company = hasCompany(table, seat);
  useKeys((key) => {
    if (key.toLowerCase() === "m") return switchSound;
    const dialog = DIALOG_KEYS[key];
    if (dialog === "chat" && !company) return null;
    return dialog ? () => setOpen({ dialog }) : null;
  });
  const Opened = useDialog(open?.dialog, company, close);
  const beside = useIsWide() && open?.dialog === "chat";
  const waiting = table.state === "open" || table.state === "opening";
  const Ending = useEnding(table.state === "over" || sight.revealing);
  const over = Ending && table.state === "over" && !sight.revealing && !curtain;
  const outline =
    over && sight.view?.outcome ? (game?.outline?.(sight.view, narration, table.story?.step ?? 0) ?? null) : null;
  return html`<div class="table-frame" data-state=${table.state} data-seat=${seat} data-beside=${beside}>
    <${TableBar} sight=${sight} game=${game} narration=${narration} open=${setOpen} />
    <${AlarmNotice} screenSeats=${screenSeats} sight=${sight} />
    <${Notices} screenSeats=${screenSeats} sight=${sight} />
    <${Coach} sight=${sight} game=${game} words=${words} ready=${() => screenSeats.active().ready()} />
    <main class="stage" aria-label=${t("table.stage")}>
      ${table.state === "closed" && html`<${ClosedTable} id=${table.id} />`}
      ${waiting && html`<${Lobby} sight=${sight} screenSeats=${screenSeats} />`}
      ${
        !waiting &&
        game &&
        sight.view &&
        !curtain &&
        !outline &&
        html`<${game.Table} key=${seat} sight=${sight} act=${act} words=${words} motion=${motion.value} />`
      }
      ${over && game && html`<${Ending} ...${shown} outline=${outline} />`}
    </main>
    ${
      curtain > 0 &&
      html`<${Curtain} key=${curtain} seat=${curtain} name=${sight.names(curtain)} lift=${() => screenSeats.lift()} />`
    }
    <${LastSeconds} sight=${sight} />
    <${Bubbles} screenSeats=${screenSeats} sight=${sight} />
    <${LiveRegion} ...${shown} />
    ${
      Opened &&
      html`<${Opened}
        key=${`${seat} ${beside}`}
        ...${shown}
        ...${open}
        beside=${beside}
        words=${words}
        act=${act}
        close=${close}
      />`
    }
  </div>`;
}

/** Curtain of pass and play: hides the table until the next person has the device.
 * @param {{seat: number, name: string, lift: () => void}} props */
function Curtain({ seat, name, lift }) {
  return html`<${Dialog} class="curtain" data-for=${seat} firm label=${t("curtain.label")} close=${lift}>
    <div class="curtain-middle">
      <${Seal} class="curtain-seal" />
      <h2><bdi>${t("curtain.hand_to", { name })}</bdi></h2>
      <p class="quiet">${t("curtain.nobody_else")}</p>
      <button class="button first big" onClick=${lift}>${t("curtain.lift", { name })}</button>
    </div>
  <//>`;
}
