// Elements that every screen uses: navigation bar, page, link, name, a game's emblem, error notice.

import { html, onValue, useEffect } from "../html.js";
import { isDecision, toldSanctions } from "../net/account.js";
import { calledHere, get, hadSession, ownName } from "../net/api.js";
import { notices, watchNotices } from "../net/notices.js";
import { place } from "../net/place.js";
import { errorText, sanctionText, sanitized } from "../phrases.js";
import { go, isOff, linkTo, route } from "../router.js";
import { settings } from "../settings.js";
import { changeVolume } from "../sound.js";
import { install, installOffer } from "../state/keeping.js";
import { t, wordsOf } from "../words.js";
import { useGame, useRequest } from "./hooks.js";
import { Seal, Sign } from "./marks.js";

/** @import { OwnCase } from "../net/rest.js" */

/** A link inside the client; `still`: following it does not scroll the page.
 * @param {{href: string, still?: boolean, children?: any, [name: string]: any}} props */
export function Link({ href, still = false, children, ...others }) {
  /** @param {MouseEvent} event */
  const follow = (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(href, { still });
  };
  return html`<a href=${linkTo(href)} onClick=${follow} ...${others}>${children}</a>`;
}

/** @param {{children?: any}} props */
export const Name = ({ children }) => html`<bdi class="name">${sanitized(children)}</bdi>`;

/** A person's ring with an initial; the name stands beside it. @param {{name: string}} props */
export const Signet = ({ name }) =>
  html`<span class="signet" aria-hidden="true">${[...sanitized(name)][0] ?? ""}</span>`;

/** A game's emblem, once it is there. @param {{game: string, size: "fan"|"glyph"}} props */
export function Emblem({ game, size }) {
  const table = useGame(game);
  return html`<span class=${`emblem emblem-${size}`} aria-hidden="true">
    ${table && html`<${table.Summary} size=${size} words=${wordsOf(game)} />`}
  </span>`;
}

/** The table before anything is known about it: the frame, and two empty places. @param {{says?: string}} props */
export const EmptyTable = ({ says = t("table.sitting_down") }) => html`
  <${Bar} />
  <main class="lamp empty-table" aria-busy="true">
    <span class="empty-place"></span>
    <p class="quiet">${says}</p>
    <span class="empty-place"></span>
  </main>
`;

/** @param {{error: any, again?: () => void, restricts?: string}} props `restricts`: the kind of decision that can
 *   refuse this */
export function ErrorNotice({ error, again, restricts = "no_pairing" }) {
  if (!error) return null;
  /** @type {string[]} */
  const problems = Array.isArray(error.problems) ? error.problems : [];
  const cause = error.code === "account_closed" ? "closed" : restricts;
  return html`<div class="notice" role="alert">
    ${isDecision(error) ? html`<${Decided} cause=${cause} error=${error} />` : html`<p>${errorText(error)}</p>`}
    ${problems.length > 0 && html`<ul>${problems.map((each) => html`<li>${each}</li>`)}</ul>`}
    ${again && html`<div class="row"><button class="button second" onClick=${again}>${t("error.again")}</button></div>`}
  </div>`;
}

/** What a moderator decided, until when, and the way to the reason.
 * @param {{of: {kind: string, until: number}}} props */
export const Sanction = ({ of }) =>
  html`${sanctionText(of)} <${Link} class="link" href="/account">${t("conduct.why")}<//>`;

/** Why something was refused by a moderator's decision of this kind: its term and its reason, once they are there;
 * then no notice over the page repeats it. @param {{cause: string, error: any}} props */
function Decided({ cause, error }) {
  const { value } = useRequest(() => get("/people/me/cases"), []);
  /** @type {OwnCase[]} */
  const cases = value?.cases ?? [];
  const held = cases.filter(({ sanction, until }) => sanction === cause && (!until || until > Date.now()));
  const tells = held.length > 0;
  useEffect(() => {
    if (!tells) return undefined;
    toldSanctions.value = [...toldSanctions.value, cause];
    return () => {
      toldSanctions.value = toldSanctions.value.filter((_, at, all) => at !== all.indexOf(cause));
    };
  }, [cause, tells]);
  if (held.length === 0) return html`<p>${errorText(error)}</p>`;
  return held.map(
    ({ id, sanction, until, why }) => html`<p key=${id}><${Sanction} of=${{ kind: sanction, until }} /></p>
      <blockquote><bdi>${why}</bdi></blockquote>`,
  );
}

/** How loud the table is; a change is heard. A menu around it stays open. */
export function Volume() {
  const { sound, volume } = settings.value;
  return html`<label class="field volume" onClick=${(/** @type {Event} */ event) => event.stopPropagation()}>
    <span class="label">${t("settings.volume")}</span>
    <input
      type="range"
      min="0"
      max="100"
      step="5"
      value=${sound ? volume : 0}
      onInput=${onValue((loud) => changeVolume(Number(loud)))}
    />
  </label>`;
}

const PLACES = ["rules", ...(isOff("public_lists") ? [] : ["people"]), "settings"];

/** A button for some work, which rests while it is being done, with what it is done to; further attributes are those of
 * the element.
 * @param {{work: {run: (of: unknown) => void, busy?: boolean}, of?: unknown, class?: string, children?: unknown,
 *   [name: string]: unknown}} props */
export const Button = ({ work, of, class: name = "button second", children, ...button }) => html`<button
  class=${name}
  disabled=${work.busy}
  onClick=${() => work.run(of)}
  ...${button}
>
  ${children}
</button>`;

/** The way to the notices; a plain dot says that one is new. */
function Bell() {
  useEffect(watchNotices, []);
  const isNew = notices.value?.unread === true;
  return html`<${Link}
    class="bell"
    href="/notices"
    data-new=${isNew}
    aria-current=${route.value.screen === "notices" ? "page" : undefined}
    aria-label=${t(isNew ? "bar.notices_new" : "bar.notices")}
  >
    <${Sign} of="bell" />
  <//>`;
}

export function Bar() {
  const { screen } = route.value;
  const called = calledHere(); // also draws the bar again once there is a session
  return html`<header class="bar">
    <div class="brand">
      <${Link} href="/" aria-label=${t("bar.home")}><${Seal} /><span class="display">Facedown</span><//>
    </div>
    <nav aria-label=${t("bar.nav")}>
      ${PLACES.map(
        (page) => html`<${Link} href=${`/${page}`} aria-current=${screen === page ? "page" : undefined}>
          ${t(`bar.${page}`)}
        <//>`,
      )}
      ${place.value === "server" && hadSession() && html`<${Bell} />`}
      ${
        hadSession() &&
        html`<${Link}
          class="wide"
          href="/me"
          aria-label=${t("bar.me")}
          aria-current=${screen === "me" ? "page" : undefined}
        >
          <${Signet} name=${called || ownName() || t("bar.me")} />
        <//>`
      }
      ${
        installOffer.value &&
        html`<button class="wide" onClick=${install}>
          ${t("install")}
        </button>`
      }
    </nav>
  </header>`;
}

/** A screen below the bar; its attributes are those of the main element. @param {{class?: string, children?: unknown,
 *   [name: string]: unknown}} props */
export const Page = ({ class: name = "", children, ...main }) => html`
  <${Bar} />
  <main class=${`page ${name}`} ...${main}>${children}</main>
`;

/** What a picture shows as numbers; each row begins with its heading.
 * @param {{caption: string, heads: unknown[], rows: unknown[][], class?: string}} props */
export const NumberTable = ({ caption, heads, rows, class: name }) => html`<table class=${name}>
  <caption class="unseen">${caption}</caption>
  <thead>
    <tr>${heads.map((each) => (each ? html`<th scope="col">${each}</th>` : html`<td></td>`))}</tr>
  </thead>
  <tbody>
    ${rows.map(
      ([head, ...cells]) => html`<tr><th scope="row">${head}</th>${cells.map((each) => html`<td>${each}</td>`)}</tr>`,
    )}
  </tbody>
</table>`;
