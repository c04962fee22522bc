// Bar over a table: what is played, and the actions that are always in reach; on a phone they fold into a menu.

import { LookingPill } from "../anyone/looking.js";
import { html, useState } from "../html.js";
import { isLocal } from "../net/place.js";
import { Link, Volume } from "../parts/elements.js";
import { useMenu } from "../parts/hooks.js";
import { Seal, Sign } from "../parts/marks.js";
import { isSilent, switchSound } from "../sound.js";
import { install, installOffer } from "../state/keeping.js";
import { hasCompany, unread } from "../state/unread.js";
import { gameWord, t } from "../words.js";

/** @import { GameTable, Sight, NarrationContext } from "../contract.js" */

/** The name before the brackets. @param {string} rules */
const presetOf = (rules) => rules.split("(")[0];

/** Rare actions: behind one more button on a wide page, in the menu on a narrow one.
 * @param {{children?: any}} props */
function More({ children }) {
  const [open, setOpen] = useState(false);
  const menu = useMenu(open, () => setOpen(false));
  return html`<div class="more" data-open=${open} ref=${menu}>
    <button class="more-button" aria-expanded=${open} aria-label=${t("bar.more")} onClick=${() => setOpen(!open)}>
      <${Sign} of="more" />
    </button>
    <div class="panel more-panel" onClick=${() => setOpen(false)}>${children}</div>
  </div>`;
}

/** Sound on or off, in one tap. */
function Mute() {
  const silent = isSilent();
  return html`<button
    class="mute"
    aria-pressed=${!silent}
    aria-label=${t("settings.sound")}
    title=${t(silent ? "bar.sound_off" : "bar.sound_on")}
    onClick=${switchSound}
  >
    <${Sign} of=${silent ? "muted" : "sound"} />
  </button>`;
}

/** @param {{count: number}} props */
const Unread = ({ count }) => html`<span class="unread">${count}<span class="unseen"> ${t("bar.unread")}</span></span>`;

/** @param {{sight: Sight, game: GameTable|null,
 *   narration: NarrationContext, open: (what: any) => void}} props */
export function TableBar({ sight, game, narration, open }) {
  const { table, view, seat } = sight;
  const [unfolded, unfold] = useState(false);
  const menu = useMenu(unfolded, () => unfold(false));
  const shown = sight.revealing ? (sight.lastReveal?.before ?? view) : view; // until the player goes on from a result
  const place = shown && !shown.outcome && game?.place ? game.place(shown, narration) : null;
  const title = gameWord(table.game, "title", table.title);
  const preset = gameWord(table.game, `preset.${presetOf(table.rules)}.name`, presetOf(table.rules));
  /** @param {string} dialog */
  const show = (dialog) => () => {
    unfold(false);
    open({ dialog });
  };
  const inGame = seat > 0 && table.state === "playing";
  const isBegun = inGame || table.state === "opening"; // the seats are fixed
  const company = hasCompany(table, seat);
  const mayLeave = seat > 0 && !table.hotseat && (table.state === "open" || (isBegun && company));
  const news = company ? unread(table, seat).length : 0;
  return html`<header class="bar table-bar" ref=${menu}>
    <div class="brand">
      <${Link} href="/" aria-label=${t("bar.home")}><${Seal} /><//>
      <h1 class="display" id="table-title" tabindex="-1">
        <span class="wide">${title}</span><span class="narrow">${place ?? title}</span>
      </h1>
      ${preset !== title && html`<span class="small soft wide">${preset}</span>`}
      ${table.continues && html`<span class="small soft wide">${t("continued.short")}</span>`}
    </div>
    <${LookingPill} />
    <${Mute} />
    <button
      class="unfold"
      aria-expanded=${unfolded}
      aria-label=${news > 0 ? t("bar.menu_unread", { count: news }) : t("bar.menu")}
      data-unread=${news > 0}
      onClick=${() => unfold(!unfolded)}
    >
      <${Sign} of=${unfolded ? "cross" : "menu"} />
    </button>
    <nav class=${unfolded ? "unfolded" : ""} aria-label=${t("bar.table")}>
      <button onClick=${show("log")}>${t("bar.log")} <kbd>L</kbd></button>
      ${
        company &&
        html`<button data-unread=${news > 0} onClick=${show("chat")}>
          ${t("bar.chat")} ${news > 0 ? html`<${Unread} count=${news} />` : html`<kbd>T</kbd>`}
        </button>`
      }
      ${
        game?.lessons
          ? html`<button key="rules" onClick=${show("rules")}>${t("bar.rules")}</button>`
          : html`<${Link} key="rules" href=${`/rules/${table.game}`}>${t("bar.rules")}<//>`
      }
      ${inGame && html`<button key="resign" onClick=${show("resign")}>${t("bar.resign")}</button>`}
      <${More}>
        <${Volume} />
        ${installOffer.value && html`<button onClick=${install}>${t("install")}</button>`}
        <button class="wide" onClick=${show("keys")}>${t("bar.keys")} <kbd>?</kbd></button>
        ${!isLocal(table.id) && html`<button onClick=${show("proof")}>${t("bar.proof")}</button>`}
        ${
          seat > 0 &&
          table.state !== "over" &&
          !table.hotseat &&
          !isLocal(table.id) &&
          html`<button onClick=${show("device")}>${t("bar.device")}</button>`
        }
        ${mayLeave && html`<button onClick=${show("leave")}>${t(inGame ? "bar.leave" : "bar.stand_up")}</button>`}
      <//>
    </nav>
  </header>`;
}
