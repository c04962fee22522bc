// Small elements that every screen uses: a link inside the client, a name, a game's emblem, an error notice.

import { html } from "../html.js";
import { errorText, sanitized } from "../phrases.js";
import { go, linkTo } from "../router.js";
import { t, wordsOf } from "../words.js";
import { useGame } from "./hooks.js";

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

/** The field for one's own name, where others will read it. @param {{name: string, change: (name: string) => void}}
 *   props */
export const OwnName = ({ name, change }) => html`<label class="invite-name">
  <span>${t("invite.name")}</span>
  <input
    type="text"
    maxlength="32"
    autocomplete="nickname"
    value=${name}
    onInput=${(/** @type {any} */ event) => change(event.target.value)}
  />
</label>`;

/** A game's emblem, once it is there. @param {{game: string, size: "fan"|"glyph"}} props */
export function Emblem({ game, size }) {
  const table = useGame(game);
  return html`<span class=${`emblem emblem-${size}`} aria-hidden="true">
    ${table && html`<${table.Summary} size=${size} words=${wordsOf(game)} />`}
  </span>`;
}

/** @param {{error: any, again?: () => void}} props */
export function ErrorNotice({ error, again }) {
  if (!error) return null;
  /** @type {string[]} */
  const problems = Array.isArray(error.problems) ? error.problems : [];
  return html`<div class="notice" role="alert">
    <p>${errorText(error)}</p>
    ${problems.length > 0 && html`<ul>${problems.map((each) => html`<li>${each}</li>`)}</ul>`}
    ${again && html`<div class="row"><button class="button second" onClick=${again}>${t("error.again")}</button></div>`}
  </div>`;
}
