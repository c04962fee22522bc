// Joining an open table from a list: one press where the name is known; else it is asked for, once, in the same row.

import { html, useState } from "../html.js";
import { go } from "../router.js";
import { sit } from "../state/seating.js";
import { read, write } from "../storage.js";
import { t } from "../words.js";
import { ErrorNotice, Link } from "./elements.js";
import { useWork } from "./hooks.js";

/** @import { ListedTable } from "../net/rest.js" */

/** @param {{table: ListedTable}} props */
export function JoinButton({ table }) {
  const [asking, ask] = useState(false);
  const [name, setName] = useState(read("name", ""));
  const free = table.seats.find((each) => each.kind === "person" && !each.name);
  const join = useWork(async () => {
    if (name.trim()) write("name", name.trim());
    if (free) await sit(table.table, free.seat, { name });
    go(`/t/${table.table}`);
  });
  if (table.yours.length > 0 || !free)
    return html`<${Link} class="link" href=${`/t/${table.table}`}>${t(free ? "home.go_there" : "invite.watch")}<//>`;
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    join.run();
  };
  if (!asking)
    return html`
      <button class="link" disabled=${join.busy} onClick=${() => (name ? join.run() : ask(true))}>
        ${t("home.sit_down")}
      </button>
      <${ErrorNotice} error=${join.error} />
    `;
  return html`<form class="join-form" onSubmit=${submit}>
    <input
      type="text"
      maxlength="32"
      autocomplete="nickname"
      aria-label=${t("invite.name")}
      placeholder=${t("invite.name")}
      ref=${(/** @type {HTMLInputElement|null} */ field) => field?.focus()}
      value=${name}
      onInput=${(/** @type {any} */ event) => setName(event.target.value)}
    />
    <button class="button first" disabled=${join.busy}>${t("home.sit_down")}</button>
    <${ErrorNotice} error=${join.error} />
  </form>`;
}
