// The mailbox of moderators: what was reported, with its evidence, and what to decide. It is in English, like the
// documents and commands for the people who run the place.

import { html, onSubmit, onValue, useState } from "../html.js";
import { ask, get, hadSession } from "../net/api.js";
import { ErrorNotice, Link, Name, Page } from "../parts/elements.js";
import { Choices, namedValues, Select } from "../parts/fields.js";
import { useRequest, useStyles, useTitle, useWork } from "../parts/hooks.js";
import { ago } from "../phrases.js";
import { isSite } from "../router.js";

/** @import { CaseDetails, CaseInfo, CaseList } from "../net/rest.js" */

const STATES = namedValues(["open", "answered", "decided", "closed", "lifted"], String);
const SANCTIONS = [
  { value: "none", label: "nothing: dismiss it, or lift what was decided" },
  { value: "warning", label: "a warning" },
  { value: "no_chat", label: "no chat" },
  { value: "no_pairing", label: "no games with strangers" },
  { value: "closed", label: "close the account" },
];

/** @param {string} path @returns {Promise<any>} */
async function read(path) {
  if (isSite) throw { code: "", say: "This page belongs to a server; there is none behind a static site." };
  if (!hadSession()) throw { code: "operators_only", say: "Sign in first: this page is for moderators." };
  return get(path);
}

/** @param {{number?: string}} props */
export function Cases({ number = "" }) {
  const isDressed = useStyles("/app/styles/operate.css");
  useTitle("Cases");
  return html`<${Page} class="operate" lang="en" aria-busy=${!isDressed}>
    <h1>Cases</h1>
    ${isDressed && (number ? html`<${Case} key=${number} number=${number} />` : html`<${CasesInState} />`)}
  <//>`;
}

function CasesInState() {
  const [state, setState] = useState("open");
  /** @type {import("../parts/hooks.js").Asked<CaseList>} */
  const { value, error, again } = useRequest(() => read(`/admin/cases?state=${state}`), [state]);
  if (error?.code === "operators_only")
    return html`<${ErrorNotice} error=${error} />
      <p class="quiet">Moderators are named at the command line: <code>facedown admin appoint HANDLE</code></p>`;
  return html`
    <${Choices} label="State" hideLabel value=${state} values=${STATES} choose=${setState} />
    <${ErrorNotice} error=${error} again=${again} />
    <ul class="list operate-list">
      ${value?.cases.map(
        ({ case: each }) => html`<li key=${each.id}>
          <span class="who"><${Name}>${each.name}<//></span>
          <span class="quiet small">case ${each.id}, ${ago(each.at)}${each.sanction && `, ${sanctionText(each)}`}</span>
          <span class="state"><${Link} class="link" href=${`/operate?number=${each.id}`}>Open<//></span>
        </li>`,
      )}
    </ul>
    ${value?.cases.length === 0 && html`<p class="empty">No case is ${state}.</p>`}
  `;
}

/** @param {CaseInfo} case_ */
const sanctionText = ({ sanction, until }) =>
  `${sanction.replaceAll("_", " ")}${until ? ` until ${new Date(until).toLocaleDateString()}` : ""}`;

/** @param {{number: string}} props */
function Case({ number }) {
  const [decided, setDecided] = useState(/** @type {CaseDetails|null} */ (null));
  /** @type {import("../parts/hooks.js").Asked<CaseList>} */
  const { value, error, again } = useRequest(() => read(`/admin/cases?number=${number}`), [number]);
  const shown = decided ?? value?.cases[0];
  return html`
    <p><${Link} class="link" href="/operate">All cases<//></p>
    <${ErrorNotice} error=${error} again=${again} />
    ${
      shown &&
      html`<section class="operate-case">
        <h2>Case ${number}: <${Name}>${shown.case.name}<//></h2>
        <p class="quiet">${shown.case.state}${shown.case.sanction && `, ${sanctionText(shown.case)}`}
          ${" "}· <code>${shown.case.person}</code></p>
        <ol class="operate-reports">${shown.reports.map((each) => html`<${Report} each=${each} />`)}</ol>
        ${
          shown.case.state !== "open" &&
          html`<p>Decided by ${shown.decided_by ? html`<${Name}>${shown.decided_by}<//>` : "the operator"}:
            ${" "}<bdi>${shown.why}</bdi></p>`
        }
        ${shown.answer && html`<p>The answer:</p><blockquote><bdi>${shown.answer}</bdi></blockquote>`}
        <${Decision} number=${number} case_=${shown.case} done=${setDecided} />
      </section>`
    }
  `;
}

/** @param {{each: CaseDetails["reports"][0]}} props */
function Report({ each }) {
  return html`<li>
    <p><strong>Reported: ${each.about}</strong> <span class="quiet small">
      by ${each.by_name ? html`<${Name}>${each.by_name}<//>` : "a person who was erased"},
      ${" "}${new Date(each.at).toLocaleString()}</span></p>
    <blockquote><bdi>${each.text}</bdi></blockquote>
    ${each.why && html`<p class="small"><bdi>${each.why}</bdi></p>`}
    <p class="quiet small"><${Link} class="link" href=${`/t/${each.table}`}>${
      each.v ? `event ${each.v} of its table` : "its table"
    }<//></p>
  </li>`;
}

/** @param {{number: string, case_: CaseInfo, done: (details: CaseDetails) => void}} props */
function Decision({ number, case_, done }) {
  const [why, setWhy] = useState("");
  const [chosen, setChosen] = useState("none");
  const [days, setDays] = useState("7");
  const work = useWork(async () => {
    done(await ask("POST", `/admin/cases/${number}`, { sanction: chosen, days: Number(days), why }));
    setWhy("");
    setChosen("none");
  });
  const isOpen = case_.state === "open" || case_.state === "answered";
  if (!isOpen && !case_.sanction) return null;
  return html`<form class="panel operate-pane" onSubmit=${onSubmit(work.run)}>
    <label>Reason, which the person reads
      <textarea maxlength="1000" rows="3" value=${why} onInput=${onValue(setWhy)}></textarea></label>
    ${
      isOpen &&
      html`<label>What follows<${Select} value=${chosen} values=${SANCTIONS} change=${setChosen} /></label>
        <label>Days (0: for good)
          <input type="number" min="0" max="3650" value=${days} onInput=${onValue(setDays)} /></label>`
    }
    <button class="button first" disabled=${work.busy}>${isOpen ? "Decide" : "Lift what was decided"}</button>
    <${ErrorNotice} error=${work.error} />
  </form>`;
}
