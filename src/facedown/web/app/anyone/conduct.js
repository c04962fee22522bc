// Why finding people is slower, or pauses: the times that others had to wait for this person.

import { html } from "../html.js";
import { get } from "../net/api.js";
import { ErrorNotice } from "../parts/elements.js";
import { useRequest } from "../parts/hooks.js";
import { dayAndTime } from "../phrases.js";
import { t } from "../words.js";

/** @import { ConductInfo } from "../net/rest.js" */
/** @import { Search } from "./search.js" */

/** @param {{now: Search}} props */
export function Why({ now: { ticket, ended } }) {
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
