// Lobby of a table that has not started: the invitation of the host as link and QR code, who sits, which seats are free
// or reserved, what the host may do about it, and pictures of the game for those who wait.

import { search } from "../anyone/search.js";
import { html, onSubmit, useState } from "../html.js";
import { ownName, setOwnName } from "../net/api.js";
import { Button, ErrorNotice, Link, Name } from "../parts/elements.js";
import { OwnName, TextField } from "../parts/fields.js";
import { useGame, useRequest, useWork } from "../parts/hooks.js";
import { Lessons, WhichWins } from "../parts/lessons.js";
import { ShareLink } from "../parts/sharing.js";
import { clockText, machineName, rulesName } from "../phrases.js";
import { findGame } from "../state/games.js";
import { isFirstGame } from "../state/guide.js";
import { opponents } from "../state/opponents.js";
import { reach } from "../state/reach.js";
import { sit } from "../state/seating.js";
import { gameWord, t, wordsOf } from "../words.js";

/** @import { Sight } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */
/** @import { SeatInfo, TableInfo } from "../net/protocol.js" */

/** @param {{sight: Sight, screenSeats: ScreenSeats}} props */
export function Lobby({ sight, screenSeats }) {
  const { table } = sight;
  const free = table.seats.filter((each) => each.kind === "person" && !each.taken);
  const expected = free.map((each) => each.kept_for).filter(Boolean);
  const rematch = expected.length > 0 && expected.length === free.length;
  const take = useWork(async (/** @type {number} */ wanted) => {
    const { token } = await sit(table.id, wanted);
    screenSeats.sit([{ seat: wanted, token }]);
  });
  const seated = screenSeats.sessions.value[0]?.seat > 0;
  const mayTake = !seated && (table.public || table.host_is_you);
  const open = free.filter((each) => !each.kept_for);
  const mayAdd = seated && !table.public && table.state === "open" && open.length > 0 && table.seats.length > 2;
  const here = t(table.yours.length > 1 ? "lobby.here" : "you");
  const seatState = (/** @type {SeatInfo} */ { seat, kind, kept_for }) => {
    if (screenSeats.sessionOf(seat)) return here;
    if (kept_for) return t("lobby.kept");
    return kind === "machine" ? t("lobby.machine") : "";
  };
  const act = useWork((/** @type {{do: string, [name: string]: any}} */ what) => screenSeats.active().do(what));
  const hosts = table.host_is_you && table.state === "open" && !table.hotseat;
  const invitation = table.invite && free.length > 0 && { table, code: table.invite };
  const inviting = invitation && table.host_is_you && !rematch;
  return html`<section class="lobby">
    ${inviting && html`<${Invitation} ...${invitation} />`}
    <div class="lobby-seats">
      <h2>${heading(table, free, expected)}</h2>
      <ol class="list">
        ${table.seats.map(
          (each) => html`<li>
            <span class="quiet numbers">${each.seat}</span>
            ${
              each.taken
                ? html`<span class="who"><${Name}>${sight.names(each.seat)}<//></span>`
                : html`<span class="quiet">
                  ${each.kept_for ? html`<${Name}>${each.kept_for}<//>` : t("lobby.free")}
                </span>`
            }
            <span class="state quiet">${seatState(each)}</span>
            ${!each.taken && mayTake && html`<${Button} work=${take} of=${each.seat}>${t("home.sit_down")}<//>`}
            ${hosts && html`<${HostActs} table=${table} of=${each} act=${act} />`}
          </li>`,
        )}
      </ol>
      <${ErrorNotice} error=${take.error} />
      <${ErrorNotice} error=${act.error} />
      ${seated && !inviting && open.length > 0 && html`<p class="soft">${t("lobby.wait")}</p>`}
      ${mayAdd && html`<${AlsoHere} key=${open[0].seat} screenSeats=${screenSeats} seat=${open[0].seat} />`}
      ${hosts && html`<${HostStart} table=${table} act=${act} />`}
      <details class="options lobby-rules" open=${!inviting}>
        <summary><span>${t("lobby.rules")}</span> <span class="quiet">${rulesAndClock(table)}</span></summary>
        <p class="small">${conditions(table)}</p>
        ${hosts && free.length === table.seats.length - 1 && html`<${ChangeRules} table=${table} />`}
        <p class="quiet small">${t("lobby.committed")} <code>${table.seed_commit.slice(0, 16)}…</code></p>
      </details>
    </div>
    ${
      invitation &&
      !inviting &&
      html`<details class="options invitation-folded">
        <summary>${t("lobby.invite_others")}</summary><${InviteLink} ...${invitation} />
      </details>`
    }
    ${seated && table.state === "open" && html`<${WhileWaiting} name=${table.game} />`}
  </section>`;
}

/** @param {TableInfo} table */
const rulesAndClock = (table) => [rulesName(table), clockText(table.clock)].join(" · ");

/** The way to other rules, while no other player has come. @param {{table: TableInfo}} props */
const ChangeRules = ({ table: { game, id } }) =>
  html`<p><${Link} class="button second" href=${`/new?game=${game}&replaces=${id}`}>${t("lobby.change")}<//></p>`;

/** Questions to try, and the game in pictures: open for a player who has not finished one yet.
 * @param {{name: string}} props */
function WhileWaiting({ name }) {
  const game = useGame(name);
  if (!game?.lessons) return null;
  return html`<details class="options while-waiting" open=${isFirstGame(name)}>
    <summary>${t("lobby.meanwhile")}</summary>
    <${WhichWins} game=${game} words=${wordsOf(name)} />
    <div class="lesson-strip" role="group" aria-label=${t("rules.how")} tabindex="0">
      <${Lessons} game=${game} words=${wordsOf(name)} />
    </div>
  </details>`;
}

/** @param {TableInfo} table @param {SeatInfo[]} free @param {(string|undefined)[]} expected */
function heading(table, free, expected) {
  if (table.state === "opening") return t("lobby.opening");
  if (expected.length > 0 && expected.length === free.length)
    return t("lobby.waiting_for", { names: expected.join(t("list.comma")) });
  return t("lobby.waiting", { count: free.length });
}

/** What the host may do with one seat. @param {{table: TableInfo, of: SeatInfo,
 *   act: {run: (what: any) => void, busy: boolean}}} props */
function HostActs({ table, of: each, act }) {
  const fill = async () => {
    const info = await findGame(table.game);
    const there = table.seats.map(({ machine }) => machine);
    const machine = info && (opponents(info).find(({ name }) => !there.includes(name))?.name ?? info.usual_machine);
    act.run({ do: "fill", seat: each.seat, machine });
  };
  if (!each.taken && !each.kept_for)
    return html`<${Button} work=${act} class="link small" onClick=${fill}>${t("lobby.fill")}<//>`;
  if (each.kind === "machine" || table.yours.includes(each.seat)) return null;
  return html`<${Button} work=${act} class="link small" onClick=${() => act.run({ do: "free", seat: each.seat })}>
    ${t("lobby.release")}
  <//>`;
}

/** Starting without the free seats at the end, and closing the table.
 * @param {{table: TableInfo, act: {run: (what: any) => void, busy: boolean}}} props */
function HostStart({ table, act }) {
  const { value: info } = useRequest(() => findGame(table.game), [table.game]);
  const last = Math.max(0, ...table.seats.filter((each) => each.taken).map((each) => each.seat));
  const gap = table.seats.slice(0, last).some((each) => !each.taken);
  const enough = info && last >= info.least_seats && last < table.seats.length && !gap;
  return html`<p class="row">
    ${
      enough &&
      html`<${Button} work=${act} class="button first" of=${{ do: "start" }}>${t("lobby.start", { n: last })}<//>`
    }
    <${Button} work=${act} class="link" of=${{ do: "close" }}>${t("lobby.close")}<//>
  </p>`;
}

/** It was closed before the game began, by the host or because someone did not come: then the search goes on.
 * @param {{id: string}} props */
export function ClosedTable({ id }) {
  const { sat = false, ticket } = search.value ?? {};
  if (sat && ticket?.table === id) return html`<section class="page"><h2>${t("anyone.still")}</h2></section>`;
  return html`<section class="page">
    <h2>${t("lobby.closed")}</h2>
    <p class="gap-before"><${Link} class="button first" href="/">${t("bar.home")}<//></p>
  </section>`;
}

/** Adds a player on this device: by name, on the next free seat.
 * @param {{screenSeats: ScreenSeats, seat: number}} props */
function AlsoHere({ screenSeats, seat }) {
  const [name, setName] = useState("");
  const add = useWork(() => screenSeats.add(seat, name));
  const submit = () => name.trim() && add.run();
  return html`<form class="wrap also-here" onSubmit=${onSubmit(submit)}>
    <${TextField}
      label=${t("lobby.also_here")}
      value=${name}
      change=${setName}
      maxlength="32"
      autocomplete="off"
      placeholder=${t("lobby.also_name")}
    />
    <button class="button second" disabled=${add.busy || !name.trim()}>${t("lobby.also_add")}</button>
    <${ErrorNotice} error=${add.error} />
  </form>`;
}

/** What else was agreed for this table, in one line. @param {TableInfo} table */
function conditions({ game, watch, public: open, seats, substitute = "", seal }) {
  const machine = machineName(wordsOf(game), substitute);
  const several = seats.filter((each) => each.kind === "person").length > 1;
  return [
    t(`lobby.watch.${watch}`),
    t(open ? "lobby.sit.open" : "lobby.sit.invited"),
    ...(several ? [t("lobby.substitute", { machine })] : []),
    ...(seal === "blind" ? [t("lobby.blind")] : []),
  ].join(" · ");
}

/** The challenge of the host: one's own name, which the others will read, and the link for them.
 * @param {{table: TableInfo, code: string}} props */
function Invitation({ table, code }) {
  const [name, setName] = useState(ownName());
  const save = useWork(() => setOwnName(name));
  return html`<div class="invitation">
    <h2>${t("home.challenge")}</h2>
    <form onSubmit=${onSubmit(save.run)} onFocusOut=${save.run}><${OwnName} name=${name} change=${setName} /></form>
    <${ErrorNotice} error=${save.error} />
    <${InviteLink} table=${table} code=${code} />
  </div>`;
}

/** @param {{table: TableInfo, code: string}} props */
function InviteLink({ table, code }) {
  const game = gameWord(table.game, "title", table.title);
  return html`
    <${ShareLink} address=${`${location.origin}/i/${code}`} text=${t("share.invite", { game })} />
    <div class="qr-frame">
      <img
        class="qr"
        src=${`/api/v1/invites/${encodeURIComponent(code)}/qr.svg${reach.value?.address ? "?network" : ""}`}
        alt=${t("lobby.qr")}
        width="224"
        height="224"
      />
    </div>
  `;
}
