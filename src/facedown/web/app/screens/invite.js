// Invitation: what is played, who is at the table already, and one button to join.

import { html, useEffect, useState } from "../html.js";
import { ask, get, guestSession, hadSession, renewSession } from "../net/api.js";
import { Bar } from "../parts/bar.js";
import { Emblem, ErrorNotice, Link, Name } from "../parts/elements.js";
import { useAsked, useTitle, useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { sit } from "../state/seating.js";
import { read, write } from "../storage.js";
import { gameWord, t } from "../words.js";

/** @param {{code: string}} props */
export function Invite({ code }) {
  const path = `/invites/${encodeURIComponent(code)}`;
  const {
    value: invite,
    error,
    again,
  } = useAsked(async () => {
    if (hadSession()) await guestSession();
    return get(path);
  }, [path]);
  const [name, setName] = useState(read("name", ""));
  const [seat, setSeat] = useState(0);
  const free = (invite?.seats ?? []).filter((/** @type {any} */ each) => each.kind === "person" && !each.name);
  const chosen = free.some((/** @type {any} */ each) => each.seat === seat) ? seat : free[0]?.seat;
  const join = useWork(async () => {
    await named(name);
    const sat = await sit(invite.table, chosen, { code });
    go(`/t/${sat.table}`, { instead: true });
  });
  useEffect(() => {
    if (invite?.yours?.length > 0) go(`/t/${invite.table}`, { instead: true });
  }, [invite]);
  useTitle(t("invite.title"));
  return html`
    <${Bar} />
    <main class="page invite">
      <${ErrorNotice} error=${error} again=${again} />
      ${
        invite &&
        html`<div class="invite-card">
          <${Emblem} game=${invite.game} size="fan" />
          <h1>${gameWord(invite.game, "title", invite.title ?? invite.game)}</h1>
          <p class="lead">${gameWord(invite.game, "summary", "")}</p>
          <ul class="list">
            ${invite.seats.map(
              (/** @type {any} */ each) => html`<li>
                <span class="quiet numbers">${each.seat}</span>
                ${
                  each.name
                    ? html`<span class="who"><${Name}>${each.name}<//></span>`
                    : html`<label class="who">
                      <input
                        type="radio"
                        name="seat"
                        checked=${each.seat === chosen}
                        onChange=${() => setSeat(each.seat)}
                      /> ${t("lobby.free")}
                    </label>`
                }
              </li>`,
            )}
          </ul>
          ${
            free.length > 0 &&
            html`
              <label class="invite-name">
                <span>${t("invite.name")}</span>
                <input
                  type="text"
                  maxlength="32"
                  autocomplete="nickname"
                  value=${name}
                  onInput=${(/** @type {any} */ event) => setName(event.target.value)}
                />
              </label>
              <button class="button first big" disabled=${join.busy} onClick=${join.run}>${t("home.sit_down")}</button>
            `
          }
          ${
            free.length === 0 &&
            html`
              <p>${t("invite.full")}</p>
              <${Link} class="button first" href=${`/t/${invite.table}`}>${t("invite.watch")}<//>
            `
          }
          <p><${Link} class="link" href=${`/rules/${invite.game}`}>${t("invite.rules")}<//></p>
          <${ErrorNotice} error=${join.error} />
        </div>`
      }
    </main>
  `;
}

/** Sets the name of a guest who comes by an invitation, once. @param {string} name */
async function named(name) {
  const wanted = name.trim();
  if (!wanted || wanted === read("name", "")) return;
  write("name", wanted);
  const had = hadSession();
  await guestSession();
  if (had) await ask("PATCH", "/session", { name: wanted });
  renewSession();
}
