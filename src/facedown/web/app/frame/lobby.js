// Lobby of a table that has not started: who sits, which seats are free, and the invitation as link and QR code.

import { html, useState } from "../html.js";
import { ErrorNotice, Name } from "../parts/elements.js";
import { hasTouch, useShare, useWork } from "../parts/hooks.js";
import { clockText, rulesName } from "../phrases.js";
import { sit } from "../state/seating.js";
import { t } from "../words.js";

/** @import { Sight } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */
/** @import { SeatInfo, TableInfo } from "../net/protocol.js" */

/** @param {{sight: Sight, screenSeats: ScreenSeats}} props */
export function Lobby({ sight, screenSeats }) {
  const { table } = sight;
  const free = table.seats.filter((each) => each.kind === "person" && !each.taken);
  const take = useWork(async (/** @type {number} */ wanted) => {
    const { token } = await sit(table.id, wanted);
    screenSeats.sit([{ seat: wanted, token }]);
  });
  const seated = screenSeats.sessions.value[0]?.seat > 0;
  const mayTake = !seated && (table.public || table.host_is_you);
  const mayAdd = seated && !table.public && table.state === "open" && free.length > 0;
  const here = t(table.yours.length > 1 ? "lobby.here" : "you");
  const seatState = (/** @type {SeatInfo} */ { seat, kind }) =>
    screenSeats.sessionOf(seat) ? here : kind === "machine" ? t("lobby.machine") : "";
  return html`<section class="lobby">
    <div class="lobby-seats">
      <h2>${table.state === "opening" ? t("lobby.opening") : t("lobby.waiting", { n: free.length })}</h2>
      <ol class="list">
        ${table.seats.map(
          (each) => html`<li>
            <span class="quiet numbers">${each.seat}</span>
            ${
              each.taken
                ? html`<span class="who"><${Name}>${each.name}<//></span>`
                : html`<span class="quiet">
                  ${t("lobby.free")}
                </span>`
            }
            <span class="state quiet">
              ${seatState(each)}
            </span>
            ${
              !each.taken &&
              mayTake &&
              html`<button class="button second" disabled=${take.busy} onClick=${() => take.run(each.seat)}>
                ${t("home.sit_down")}
              </button>`
            }
          </li>`,
        )}
      </ol>
      <${ErrorNotice} error=${take.error} />
      ${mayAdd && html`<${AlsoHere} key=${free[0].seat} screenSeats=${screenSeats} seat=${free[0].seat} />`}
      <p class="small">${conditions(table)}</p>
      <p class="quiet small">${t("lobby.committed")} <code>${table.seed_commit.slice(0, 16)}…</code></p>
    </div>
    ${table.invite && free.length > 0 && html`<${Invitation} code=${table.invite} />`}
  </section>`;
}

/** Somebody else plays on this device, too: by name, on the next free seat.
 * @param {{screenSeats: ScreenSeats, seat: number}} props */
function AlsoHere({ screenSeats, seat }) {
  const [name, setName] = useState("");
  const add = useWork(() => screenSeats.add(seat, name));
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (name.trim()) add.run();
  };
  return html`<form class="also-here" onSubmit=${submit}>
    <label>
      <span>${t("lobby.also_here")}</span>
      <input
        type="text"
        maxlength="32"
        autocomplete="off"
        placeholder=${t("lobby.also_name")}
        value=${name}
        onInput=${(/** @type {any} */ event) => setName(event.target.value)}
      />
    </label>
    <button class="button second" disabled=${add.busy || !name.trim()}>${t("lobby.also_add")}</button>
    <${ErrorNotice} error=${add.error} />
  </form>`;
}

/** What was agreed for this table, in one line. @param {TableInfo} table */
function conditions({ game, rules, clock, watch, public: open }) {
  return [
    rulesName({ game, rules }),
    clockText(clock),
    t(`lobby.watch.${watch}`),
    t(open ? "lobby.sit.open" : "lobby.sit.invited"),
  ].join(" · ");
}

/** The link for the others. @param {{code: string}} props */
function Invitation({ code }) {
  const address = `${location.origin}/i/${code}`;
  const { copied, share } = useShare(address, hasTouch);
  return html`<div class="invitation">
    <h3>${t("lobby.invite")}</h3>
    <div class="qr-frame">
      <img
        class="qr"
        src=${`/api/v1/invites/${encodeURIComponent(code)}/qr.svg`}
        alt=${t("lobby.qr")}
        width="224"
        height="224"
      />
    </div>
    <p class="address"><code>${address}</code></p>
    <button class="button first" onClick=${share}>${t(copied ? "lobby.copied" : "lobby.share")}</button>
  </div>`;
}
