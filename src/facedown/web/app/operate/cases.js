// Cases of moderation, for moderators: what was reported, with its evidence, and what to decide.

import { html, useState } from "../html.js";
import { ask, get } from "../net/api.js";
import { Choices, ErrorNotice, Link, Name } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { ago } from "../phrases.js";

/** @import { CaseDetails, CaseList } from "../net/rest.js" */

/** A person by the name they have now, else by the id that is left of them; nothing for the command line.
 * @param {string} name @param {string} id */
export const called = (name, id) => (name ? html`<${Name}>${name}<//>` : id && html`<code>${id}</code>`);

const STATES = ["open", "appealed", "decided", "closed"].map((value) => ({ value, label: value }));
const SANCTIONS = {
  none: "nothing: dismiss it",
  warning: "a warning",
  no_chat: "no chat",
  no_pairing: "no games with strangers",
  closed: "close the account",
};

/** @param {{number: string}} props */
export function Cases({ number }) {
  return number ? html`<${Case} number=${number} />` : html`<${CasesInState} />`;
}

function CasesInState() {
  const [state, setState] = useState("open");
  /** @type {import("../parts/hooks.js").Asked<CaseList>} */
  const { value, error, again } = useRequest(() => get(`/admin/cases?state=${state}`), [state]);
  return html`
    <${Choices} label="State" hideLabel value=${state} values=${STATES} choose=${setState} />
    <${ErrorNotice} error=${error} again=${again} />
    <ul class="list operate-list">
      ${value?.cases.map(
        (each) => html`<li key=${each.id}>
          <span class="who"><${Name}>${each.name}<//></span>
          <span class="quiet small">case ${each.id}, ${ago(each.at)}${each.sanction && `, ${sanctionText(each)}`}</span>
          <span class="state"><${Link} class="link" href=${`/operate?part=cases&number=${each.id}`}>Open<//></span>
        </li>`,
      )}
    </ul>
    ${value?.cases.length === 0 && html`<p class="empty">No case is ${state}.</p>`}
  `;
}

/** @param {{sanction: string, until: number}} what */
const sanctionText = ({ sanction, until }) =>
  `${sanction.replaceAll("_", " ")}${until ? ` until ${new Date(until).toLocaleDateString()}` : ""}`;

/** @param {{number: string}} props */
function Case({ number }) {
  const [stepped, setStepped] = useState(/** @type {CaseDetails|null} */ (null));
  /** @type {import("../parts/hooks.js").Asked<CaseDetails>} */
  const { value, error, again } = useRequest(() => get(`/admin/cases/${number}`), [number]);
  const shown = stepped ?? value;
  return html`
    <p><${Link} class="link" href="/operate?part=cases">All cases<//></p>
    <${ErrorNotice} error=${error} again=${again} />
    ${
      shown &&
      html`<section class="operate-case">
        <h2>Case ${number}: <${Name}>${shown.case.name}<//></h2>
        <p class="quiet">${shown.case.state}${shown.case.sanction && `, ${sanctionText(shown.case)}`}
          ${" "}· <code>${shown.case.person}</code></p>
        <ol class="operate-events">${shown.events.map((each) => html`<${CaseEvent} each=${each} />`)}</ol>
        <${Judge} number=${number} state=${shown.case.state} sanction=${shown.case.sanction} done=${setStepped} />
      </section>`
    }
  `;
}

/** @param {{each: CaseDetails["events"][0]}} props */
function CaseEvent({ each }) {
  return html`<li>
    <p><strong>${each.kind}${each.about && `: ${each.about}`}</strong> <span class="quiet small">
      by ${called(each.by_name, each.by) || "the operator, or a person who was erased"},
      ${" "}${new Date(each.at).toLocaleString()}${each.sanction && `, ${sanctionText(each)}`}</span></p>
    ${each.table && html`<blockquote><bdi>${each.text || each.name}</bdi></blockquote>`}
    ${each.why && html`<p class="small"><bdi>${each.why}</bdi></p>`}
    ${
      each.table &&
      html`<p class="quiet small"><${Link} class="link" href=${`/t/${each.table}`}>${
        each.v ? `event ${each.v} of its table` : "its table"
      }<//></p>`
    }
  </li>`;
}

/** @param {{number: string, state: string, sanction: string, done: (case_: CaseDetails) => void}} props */
function Judge({ number, state, sanction, done }) {
  const [why, setWhy] = useState("");
  const [chosen, setChosen] = useState("none");
  const [days, setDays] = useState("7");
  const work = useWork(async (/** @type {string} */ what) => {
    const decides = what === "decide" ? { sanction: chosen, days: Number(days) } : {};
    done(await ask("POST", `/admin/cases/${number}`, { do: what, why, ...decides }));
    if (what !== "take") setWhy("");
  });
  const isOpen = state === "open" || state === "appealed";
  return html`<form class="operate-pane" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    work.run("decide");
  }}>
    <label>Reason, which the person reads; or a note for other moderators
      <textarea maxlength="1000" rows="3" value=${why}
        onInput=${(/** @type {any} */ event) => setWhy(event.target.value)}></textarea></label>
    ${
      isOpen &&
      html`<label>What follows<select value=${chosen}
          onChange=${(/** @type {any} */ event) => setChosen(event.target.value)}>
          ${Object.entries(SANCTIONS).map(([value, label]) => html`<option value=${value}>${label}</option>`)}
        </select></label>
        <label>Days (0: for good)<input type="number" min="0" max="3650" value=${days}
          onInput=${(/** @type {any} */ event) => setDays(event.target.value)} /></label>`
    }
    <div class="operate-acts">
      ${isOpen && html`<button class="button first" disabled=${work.busy}>Decide</button>`}
      ${
        isOpen &&
        html`<button type="button" class="button second" disabled=${work.busy} onClick=${() => work.run("take")}>
          Take for 30 minutes
        </button>`
      }
      ${
        sanction &&
        html`<button type="button" class="button second" disabled=${work.busy} onClick=${() => work.run("lift")}>
          Lift
        </button>`
      }
      <button
        type="button"
        class="button second"
        disabled=${work.busy || !why.trim()}
        onClick=${() => work.run("note")}
      >Note</button>
    </div>
    <${ErrorNotice} error=${work.error} />
  </form>`;
}
