// The operator's console: servers and store, cases, people, tables, limits and the audit list. For moderators the
// cases alone. It is for people who run the place, and in English like their documents and commands.

import { html, useState } from "../html.js";
import { ask, get, hadSession } from "../net/api.js";
import { Bar, Choices, ErrorNotice, Link, Name } from "../parts/elements.js";
import { useRequest, useStyles, useTitle, useWork } from "../parts/hooks.js";
import { seatLabel } from "../parts/table_lists.js";
import { ago } from "../phrases.js";
import { isSite } from "../router.js";
import { Cases, called } from "./cases.js";

/** @import { AdminTables, AuditList, FoundPeople, LimitHits, Overview, RoleList } from "../net/rest.js" */

const PARTS = {
  overview: { title: "Overview", Part: OverviewPart, role: "operator" },
  cases: { title: "Cases", Part: Cases, role: "moderator" },
  people: { title: "People", Part: People, role: "operator" },
  tables: { title: "Tables", Part: TablesPart, role: "operator" },
  limits: { title: "Limits", Part: Limits, role: "operator" },
  audit: { title: "Audit", Part: Audit, role: "operator" },
};

/** @param {{part?: keyof typeof PARTS, number?: string}} props */
export function Console({ part, number = "" }) {
  const isDressed = useStyles("/app/styles/operate.css");
  const { value: roles, error, loading } = useRequest(findRoles, []);
  useTitle("Console");
  const mine = Object.entries(PARTS).filter(([, { role }]) => roles?.own === "operator" || roles?.own === role);
  const [shown, { Part }] = mine.find(([name]) => name === part) ?? mine[0] ?? ["", { Part: null }];
  return html`
    <${Bar} />
    <main class="page operate" lang="en" aria-busy=${!isDressed || loading}>
      <h1>Console</h1>
      ${isSite && html`<p class="lead">This page belongs to a server; there is none behind a static site.</p>`}
      <${ErrorNotice} error=${error} />
      ${
        error?.code === "operators_only" &&
        html`<p class="quiet">A role is given at the command line:${" "}
          <code>facedown admin role HANDLE --role operator</code></p>`
      }
      ${
        isDressed &&
        Part &&
        html`<nav class="operate-parts" aria-label="Console">
            ${mine.map(
              ([name, { title }]) => html`<${Link}
                key=${name}
                href=${`/operate?part=${name}`}
                aria-current=${name === shown ? "page" : null}
              >${title}<//>`,
            )}
          </nav>
          <${Part} number=${number} roles=${roles} />`
      }
    </main>
  `;
}

/** @returns {Promise<RoleList|null>} */
async function findRoles() {
  if (isSite) return null;
  if (!hadSession()) throw { code: "operators_only", say: "Sign in first: this page is for operators and moderators." };
  return get("/admin/roles");
}

/** @param {number} bytes */
const size = (bytes) => new Intl.NumberFormat("en", { maximumFractionDigits: 1 }).format(bytes / 1e9).concat(" GB");

// --- overview -------------------------------------------------------------------------------------------

/** @param {{roles: RoleList}} props */
function OverviewPart({ roles }) {
  /** @type {import("../parts/hooks.js").Asked<Overview>} */
  const { value, error, again } = useRequest(() => get("/admin/overview"), []);
  if (!value) return html`<${ErrorNotice} error=${error} again=${again} />`;
  const alive = value.nodes.filter(({ seen_at }) => value.at - seen_at < 30_000).length;
  return html`
    <dl class="operate-facts">
      <div><dt>Servers</dt><dd>${Math.max(1, alive)}</dd>
        <dd class="quiet small">of version ${value.version}, alive now</dd></div>
      <div data-bad=${value.failed > 0}><dt>Store</dt><dd>${value.store}</dd>
        <dd class="quiet small">
          last commit ${value.commit_ms} ms, ${value.waiting} waiting, ${value.failed} writes failed
        </dd></div>
      <div data-bad=${value.disk_free < value.disk / 20}><dt>Disk</dt><dd>${size(value.disk_free)}</dd>
        <dd class="quiet small">free of ${size(value.disk)}</dd></div>
      <div data-bad=${value.broken > 0}><dt>Tables</dt><dd>${value.tables}</dd>
        <dd class="quiet small">in memory, ${value.broken} broken</dd></div>
      <div data-bad=${value.failing.length > 0}><dt>Work</dt><dd>${value.failing.length}</dd>
        <dd class="quiet small">things that fail again and again</dd></div>
    </dl>
    ${
      value.failing.length > 0 &&
      html`<section class="operate-failing">
        <h2>Fails again and again</h2>
        <p class="quiet small">Each is tried at longer intervals, and keeps nothing else waiting. The log has the
          reasons, under “background work failed”.</p>
        <${Lines} none="" items=${value.failing.map((each) => [
          html`${each.work} <code>${each.key}</code>`,
          html`<code>${each.error}</code>`,
          `${each.failures} times`,
          ago(each.since),
        ])} />
      </section>`
    }
    <div class="operate-panes">
      <${Announce} now=${value.announcement} again=${again} />
      <${SignUp} now=${value.sign_up} again=${again} />
      <${Backup} at=${value.backup_at} store=${value.store} again=${again} />
    </div>
    <section>
      <h2>Slow queries</h2>
      <${Lines} none="No statement took longer than 100 ms since this server started." items=${value.slow.map(
        (each) => [`${each.ms} ms`, html`<code>${each.statement}</code>`, ago(each.at)],
      )} />
    </section>
    <section>
      <h2>Roles</h2>
      <${Lines} none="Nobody has a role." items=${roles.roles.map((each) => [
        html`<${Name}>${each.name}<//>`,
        each.role,
        html`<code>${each.person}</code>`,
      ])} />
    </section>
  `;
}

/** @param {{now: Overview["announcement"], again: () => void}} props */
function Announce({ now, again }) {
  const [text, setText] = useState(now?.text ?? "");
  const [days, setDays] = useState("0");
  const until = now?.until ? `, until ${new Date(now.until).toLocaleString()}` : "";
  const work = useWork(async (/** @type {string} */ said) => {
    await ask("PUT", "/admin/announcement", { text: said, days: Number(days) });
    if (!said) setText("");
    again();
  });
  return html`<form class="operate-pane" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    work.run(text);
  }}>
    <h2>Announcement</h2>
    <p class="quiet small">A banner on home, for everyone${until}.</p>
    <label>Text<textarea maxlength="280" rows="3" value=${text}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea></label>
    <label>Days (0: until you change it)<input type="number" min="0" max="365" value=${days}
      onInput=${(/** @type {any} */ event) => setDays(event.target.value)} /></label>
    <div class="operate-acts">
      <button class="button first" disabled=${work.busy || !text.trim()}>Announce</button>
      ${now && html`<button type="button" class="button second" onClick=${() => work.run("")}>Take it away</button>`}
    </div>
    <${ErrorNotice} error=${work.error} />
  </form>`;
}

/** @param {{now: string, again: () => void}} props */
function SignUp({ now, again }) {
  const work = useWork(async (/** @type {string} */ chosen) => {
    await ask("PUT", "/admin/sign-up", { sign_up: chosen });
    again();
  });
  const values = ["open", "closed"].map((value) => ({ value, label: value }));
  return html`<section class="operate-pane">
    <h2>Sign-up</h2>
    <p class="quiet small">Whether guests may keep their accounts. Guests may always play.</p>
    ${
      now === "off"
        ? html`<p>Closed by the settings of this server.</p>`
        : html`<${Choices} label="Sign-up" hideLabel value=${now} values=${values} choose=${work.run} />`
    }
    <${ErrorNotice} error=${work.error} />
  </section>`;
}

/** @param {{at: number, store: string, again: () => void}} props */
function Backup({ at, store, again }) {
  const [done, setDone] = useState("");
  const work = useWork(async () => {
    const { file, bytes } = await ask("POST", "/admin/backup");
    setDone(`Written to ${file} in the data folder: ${bytes.toLocaleString("en")} bytes, and it is whole.`);
    again();
  });
  const isOld = Date.now() - at > 2 * 86_400_000;
  return html`<section class="operate-pane" data-bad=${store === "SQLite" && isOld}>
    <h2>Backup</h2>
    ${
      store === "SQLite"
        ? html`<p class="quiet small">${at ? `The last one was written ${ago(at)} ago.` : "None is known."}</p>
          <button class="button second" disabled=${work.busy} onClick=${work.run}>Back up now</button>`
        : html`<p class="quiet small">PostgreSQL is copied by its own tools: <code>pg_dump</code>.</p>`
    }
    <p role="status" class="small">${done}</p>
    <${ErrorNotice} error=${work.error} />
  </section>`;
}

// --- lists ----------------------------------------------------------------------------------------------

/** @param {{items: any[][], none: string}} props */
function Lines({ items, none }) {
  if (items.length === 0) return html`<p class="empty">${none}</p>`;
  return html`<ul class="list operate-list">
    ${items.map(
      ([first, ...others]) =>
        html`<li><span class="who">${first}</span>${others.map((each) => html`<span>${each}</span>`)}</li>`,
    )}
  </ul>`;
}

function People() {
  const [find, setFind] = useState("");
  const [asked, setAsked] = useState("");
  /** @type {import("../parts/hooks.js").Asked<FoundPeople>} */
  const { value, error, again } = useRequest(
    () => (asked ? get(`/admin/people?find=${encodeURIComponent(asked)}`) : Promise.resolve({ people: [] })),
    [asked],
  );
  return html`
    <form class="operate-search" role="search" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      setAsked(find.trim());
    }}>
      <label>Handle, name or id<input type="search" maxlength="64" value=${find}
        onInput=${(/** @type {any} */ event) => setFind(event.target.value)} /></label>
      <button class="button first">Find</button>
    </form>
    <${ErrorNotice} error=${error} />
    <ul class="list operate-list">
      ${value?.people.map((each) => html`<${FoundPerson} key=${each.person} each=${each} again=${again} />`)}
    </ul>
    ${asked && value?.people.length === 0 && html`<p class="empty">Nobody is found by this.</p>`}
  `;
}

/** @param {{each: FoundPeople["people"][0], again: () => void}} props */
function FoundPerson({ each, again }) {
  const [sure, setSure] = useState(false);
  const work = useWork(async () => {
    await ask("DELETE", `/admin/people/${each.person}`);
    again();
  });
  const file = useWork(async () => {
    const data = await ask("POST", `/admin/people/${each.person}/export`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
    link.download = `facedown-${each.person}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
  return html`<li>
    <span class="who"><${Name}>${each.name}<//></span>
    <span class="quiet small">${each.role || (each.handle ? "account" : "guest")},
      ${" "}since ${new Date(each.created_at).toLocaleString()},
      ${" "}${each.used_at ? `last here ${new Date(each.used_at).toLocaleString()}` : "signed out"},
      ${" "}${each.seats} seats, ${each.reports} reports · <code>${each.person}</code></span>
    <span class="operate-acts state">
      <button class="link" disabled=${file.busy} onClick=${file.run}>Export</button>
      ${
        sure
          ? html`<button class="link operate-bad" disabled=${work.busy} onClick=${work.run}>
              Erase <${Name}>${each.name}<//> for good
            </button>
            <button class="link" onClick=${() => setSure(false)}>Keep</button>`
          : html`<button class="link" onClick=${() => setSure(true)}>Erase…</button>`
      }
    </span>
    <${ErrorNotice} error=${work.error ?? file.error} />
  </li>`;
}

function TablesPart() {
  /** @type {import("../parts/hooks.js").Asked<AdminTables>} */
  const { value, error, again } = useRequest(() => get("/admin/tables"), []);
  return html`
    <${ErrorNotice} error=${error} again=${again} />
    ${value && html`<p class="quiet">${value.tables.length} tables, ${value.loaded} in memory.</p>`}
    <ul class="list operate-list">
      ${value?.tables.map((each) => html`<${ListedTable} key=${each.table} each=${each} again=${again} />`)}
    </ul>
  `;
}

/** @param {{each: AdminTables["tables"][0], again: () => void}} props */
function ListedTable({ each, again }) {
  const [why, setWhy] = useState(/** @type {string|null} */ (null));
  const work = useWork(async () => {
    await ask("POST", `/admin/tables/${each.table}/close`, { say: why ?? "" });
    again();
  });
  const isOver = each.state === "over" || each.state === "closed";
  return html`<li>
    <span class="who">${each.seats.map((seat) => (seat.name ? seatLabel(each, seat) : "free")).join(", ")}</span>
    <span class="quiet small">${each.game}, ${each.state} · <code>${each.table}</code></span>
    <span class="operate-acts state">
      <${Link} class="link" href=${`/t/${each.table}`}>Look<//>
      ${!isOver && why === null && html`<button class="link" onClick=${() => setWhy("")}>Close…</button>`}
    </span>
    ${
      why !== null &&
      html`<form class="operate-search" onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        work.run();
      }}>
        <label>Reason, shown to everyone at it<input type="text" maxlength="200" value=${why}
          onInput=${(/** @type {any} */ event) => setWhy(event.target.value)} /></label>
        <button class="button second" disabled=${work.busy}>Close the table</button>
      </form>`
    }
    <${ErrorNotice} error=${work.error} />
  </li>`;
}

function Limits() {
  /** @type {import("../parts/hooks.js").Asked<LimitHits>} */
  const { value, error, again } = useRequest(() => get("/admin/limits"), []);
  const items = (value?.hits ?? []).map((each) => [
    each.limit,
    called(each.name, each.who),
    `${each.times} times`,
    ago(each.at),
  ]);
  return html`<${ErrorNotice} error=${error} again=${again} />
    ${value && html`<${Lines} items=${items} none="No limit was hit since this server started." />`}`;
}

function Audit() {
  /** @type {import("../parts/hooks.js").Asked<AuditList>} */
  const { value, error, again } = useRequest(() => get("/admin/audit"), []);
  const items = (value?.entries ?? []).map((each) => [
    each.action.replaceAll("_", " "),
    html`<span class="quiet">${each.detail}</span>`,
    called(each.name, each.person),
    html`by ${called(each.by_name, each.by) || "the command line"}`,
    each.outcome !== "done" && html`<b>${each.outcome ? `refused: ${each.outcome}` : "not known to be done"}</b>`,
    new Date(each.at).toLocaleString(),
  ]);
  return html`<p class="quiet">What operators and moderators did. Nothing here can be changed.</p>
    <${ErrorNotice} error=${error} again=${again} />
    ${value && html`<${Lines} items=${items} none="Nothing yet." />`}`;
}
