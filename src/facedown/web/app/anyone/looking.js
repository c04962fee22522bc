// While a search for people goes on: a ring in the bar of a table, which opens the rest; a strip over other screens.

import { html, signal, useEffect, useState, useTimer } from "../html.js";
import { isDecision } from "../net/account.js";
import { get } from "../net/api.js";
import { Button, ErrorNotice, Link } from "../parts/elements.js";
import { useMenu, useRequest, useWork } from "../parts/hooks.js";
import { dayAndTime, errorText } from "../phrases.js";
import { isOff } from "../router.js";
import { titleOf } from "../state/games.js";
import { sentences, t } from "../words.js";
import { room } from "./room.js";
import { byDays, lookAgain, playByDays, search, stopLooking } from "./search.js";

/** @import { ConductInfo } from "../net/rest.js" */
/** @import { Search } from "./search.js" */

const HONEST = 15_000;
const FOLDS = 8_000;

/** Whether the style sheet is there. */
export const isDressed = signal(false);

/** Whether it is time for the honest sentence, which needs the number of people who are here.
 * @param {Search} now */
function useIsLate({ began }) {
  const isLate = useIsLater(began, HONEST);
  useEffect(() => {
    if (isLate && !isOff("public_lists"))
      get("/room").then(
        (found) => (room.value = found),
        () => {}, // then it is not mentioned
      );
  }, [isLate]);
  return isLate;
}

/** Whether this number of milliseconds has passed since. @param {number} since @param {number} long */
function useIsLater(since, long) {
  const [, again] = useState(0);
  const rest = since + long - Date.now();
  useTimer(rest > 0 ? rest : null, () => again(Date.now()), [since, long]);
  return rest <= 0;
}

/** What is said about a search, in two sentences; the second one also in a few words.
 * @param {Search} now @param {boolean} isLate */
function telling({ wish, ticket, missed, lost, ended }, isLate) {
  const title = titleOf(wish.game);
  const texts = (/** @type {string} */ head, /** @type {string} */ say, short = say) => ({ head, say, short });
  if (ended) return texts(errorText(ended), "");
  if (byDays(wish)) return texts(t("anyone.days_wait", { title }), t("anyone.days_say"));
  const others = (ticket?.waiting ?? 1) - 1;
  const head = t("anyone.looking");
  if (lost) return texts(head, t("anyone.lost"));
  if (missed.length > 0) {
    const names = missed.join(t("list.comma"));
    return texts(head, t("anyone.missed", { names }), t("anyone.missed_short", { names }));
  }
  if (!isLate) return texts(head, t("anyone.soon"));
  const here = room.value?.here ?? 0;
  const say = [
    others > 0 ? t("anyone.others", { count: others, title }) : t("anyone.alone", { title }),
    ...(here > 0 ? [t("anyone.here", { count: here })] : []),
  ];
  return texts(head, sentences(...say), t("anyone.late"));
}

/** @param {{now: Search, isLate: boolean}} props */
function Acts({ now, isLate }) {
  const days = useWork(playByDays);
  const again = useWork(lookAgain);
  const notices = useWork(async () => (await import("../state/push.js")).switchOn());
  const { wish, ended } = now;
  const isPossible = "PushManager" in globalThis && globalThis.Notification?.permission === "default";
  const mayNotify = byDays(wish) && !ended && isPossible;
  return html`<div class="wrap looking-acts">
    <${ErrorNotice} error=${isDecision(ended) && ended} />
    ${ended && !isDecision(ended) && html`<${Button} work=${again}>${t("anyone.again")}<//>`}
    ${isLate && !ended && !byDays(wish) && html`<${Button} work=${days}>${t("anyone.days")}<//>`}
    ${mayNotify && html`<${Button} work=${notices}>${t("anyone.notify")}<//>`}
    <button class="looking-stop" onClick=${stopLooking}>${t(ended ? "close" : "anyone.stop")}</button>
    <${Why} now=${now} />
    <${ErrorNotice} error=${days.error ?? again.error ?? notices.error} />
  </div>`;
}

/** Why finding people is slower, or pauses: the times that others had to wait for this person.
 * @param {{now: Search}} props */
function Why({ now: { ticket, ended } }) {
  const known = ticket?.conduct;
  if (!known && ended?.code !== "pairing_paused") return null;
  return html`<details class="looking-why">
    <summary>${t("conduct.why")}</summary>
    ${known ? html`<${Faults} conduct=${known} />` : html`<${AskedFaults} />`}
  </details>`;
}

function AskedFaults() {
  const { value, error, again } = useRequest(() => get("/pairing/ticket"), []);
  const conduct = value?.conduct;
  return conduct ? html`<${Faults} conduct=${conduct} />` : html`<${ErrorNotice} error=${error} again=${again} />`;
}

/** @param {{conduct: ConductInfo}} props */
const Faults = ({ conduct: { level, until, faults } }) => html`
  <p>${t(`conduct.${level}`, { time: dayAndTime(until) })}</p>
  <ul>
    ${faults.map(({ kind, at, table }) => html`<li key=${table}>${dayAndTime(at)} · ${t(`conduct.${kind}`)}</li>`)}
  </ul>
  <p class="quiet">${t("conduct.fades")}</p>
`;

const Ring = () => html`<span class="looking-ring" aria-hidden="true"></span>`;

/** Over every screen but a table. @param {{now: Search}} props */
export function LookingStrip({ now }) {
  const isLate = useIsLate(now);
  const { head, say } = telling(now, isLate);
  return html`<aside class="wrap panel looking" aria-label=${t("anyone.looking")}>
    ${!now.ended && html`<${Ring} />`}
    ${!isDecision(now.ended) && html`<p role="status"><b>${head}</b> <span>${say}</span></p>`}
    ${now.table && html`<${Link} class="link looking-back" href=${`/t/${now.table}`}>${t("anyone.back")}<//>`}
    <${Acts} now=${now} isLate=${isLate} />
  </aside>`;
}

/** In the bar of a table: words at first and when they change, then the ring alone on a phone. */
export function LookingPill() {
  const now = search.value;
  return now && isDressed.value ? html`<${Pill} now=${now} />` : null;
}

/** @param {{now: Search}} props */
function Pill({ now }) {
  const [open, setOpen] = useState(false);
  const menu = useMenu(open, () => setOpen(false));
  const isLate = useIsLate(now);
  const { head, say, short } = telling(now, isLate);
  const [changed, setChanged] = useState({ say, at: Date.now() });
  if (changed.say !== say) setChanged({ say, at: Date.now() });
  const isFolded = useIsLater(changed.at, FOLDS);
  return html`<div class="looking-pill" data-folded=${isFolded} data-short=${short !== say}
      data-ended=${Boolean(now.ended)} ref=${menu}>
    <button aria-expanded=${open} aria-label=${`${head}. ${say}`} onClick=${() => setOpen(!open)}>
      <${Ring} />
      <span class="looking-words"><b>${head}</b>${short && html`<span>${short}</span>`}</span>
    </button>
    <p class="unseen" role="status">${isLate || now.missed.length > 0 ? say : head}</p>
    ${
      open &&
      html`<div class="panel looking-panel">
        ${!isDecision(now.ended) && html`<p><b>${head}</b> <span>${say}</span></p>`}
        <${Acts} now=${now} isLate=${isLate} />
      </div>`
    }
  </div>`;
}
