// *Play anyone*: the strip over the screens while people are being looked for, and the question once there is someone.

import { isDressed, LookingStrip } from "../anyone/looking.js";
import { byDays, goOn, isOffered, missSeat, search, sitDown, stopLooking } from "../anyone/search.js";
import { Dialog } from "../dialogs/dialog.js";
import { html, useEffect } from "../html.js";
import { Button, ErrorNotice, Name, Signet } from "../parts/elements.js";
import { useGame, useNow, useWork } from "../parts/hooks.js";
import { clockText, rulesName, sanitized } from "../phrases.js";
import { route } from "../router.js";
import { sound } from "../sound.js";
import { loadStyles, titleOf } from "../state/games.js";
import { formatTime } from "../table/seats.js";
import { t } from "../words.js";

/** @import { PairedSeat } from "../net/rest.js" */
/** @import { Search } from "../anyone/search.js" */

export function Anyone() {
  const now = search.value;
  useEffect(() => {
    loadStyles("/app/styles/anyone.css").then(() => (isDressed.value = true));
    goOn();
  }, []);
  if (!now || !isDressed.value) return null;
  if (isOffered(now) && !now.sat) return html`<${Found} key=${now.ticket?.table} now=${now} />`;
  const { screen, params } = route.value;
  const isAtTable = screen === "table" && !(now.sat && params.table !== now.ticket?.table);
  return isAtTable || now.sat ? null : html`<${LookingStrip} now=${now} />`;
}

const PROVISIONAL = 250;

/** @param {PairedSeat} person */
const ratingOf = ({ rating, error }) =>
  error > PROVISIONAL ? t("anyone.provisional", { rating }) : t("anyone.rating", { rating, error });

/** @param {{now: Search}} props */
function Found({ now: { wish, ticket, until, table } }) {
  useGame(wish.game); // loads its words
  const take = useWork(sitDown);
  const left = Math.max(0, Math.ceil(((byDays(wish) ? 0 : until) - useNow(250)) / 1000)); // seconds
  const people = ticket?.people ?? [];
  const others = people.filter((each) => each.seat !== ticket?.seat);
  const own = people.filter((each) => each.seat === ticket?.seat);
  useEffect(() => sound("knock"), []);
  useEffect(() => {
    if (left === 0 && !byDays(wish) && !take.busy) missSeat();
  }, [left === 0]);
  const names = others.map(({ name }) => sanitized(name)).join(t("list.comma"));
  const heading = t(others.length > 1 ? "anyone.are_here" : "anyone.is_here", { names });
  const terms = [titleOf(wish.game), rulesName({ game: wish.game, rules: wish.rules ?? "" }), clockText(wish.clock)];
  return html`<${Dialog} firm class="found" label=${heading} close=${stopLooking}>
    <p class="wrap found-rings">
      ${[...own, ...others].map((each) => html`<${Signet} key=${each.seat} name=${each.name} />`)}
    </p>
    <h2>${heading}</h2>
    <p class="soft">
      ${others.map(
        (each) => html`<span key=${each.seat}>
        ${others.length > 1 && html`<${Name}>${each.name}<//>${" "}`}${ratingOf(each)}
      </span>`,
      )}
    </p>
    <p class="soft">${[...new Set(terms)].join(" · ")}</p>
    <div class="row">
      <button class="button second big" onClick=${stopLooking}>${t("anyone.not_now")}</button>
      <${Button} work=${take} class="button first big" autofocus>
        ${t("anyone.sit")}
        ${" "}${!byDays(wish) && html`<span class="found-left" aria-hidden="true">${formatTime(left * 1000)}</span>`}
      <//>
    </div>
    <${ErrorNotice} error=${take.error} />
    ${table && html`<p class="small quiet">${t("anyone.keeps")}</p>`}
    <p class="unseen" role="status">${left === 10 && t("anyone.ten")}</p>
  <//>`;
}
