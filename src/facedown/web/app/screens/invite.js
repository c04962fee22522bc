// Invitation: what is played, who is at the table already, and one button to join.

import { html, useEffect, useState } from "../html.js";
import { get, guestSession, hadSession, ownName, setOwnName } from "../net/api.js";
import { Button, Emblem, ErrorNotice, Link, Name, Page } from "../parts/elements.js";
import { OwnName } from "../parts/fields.js";
import { useRequest, useTitle, useWork } from "../parts/hooks.js";
import { clockText, rulesName, sanitized } from "../phrases.js";
import { go } from "../router.js";
import { sit } from "../state/seating.js";
import { gameWord, t } from "../words.js";

/** @param {{code: string}} props */
export function Invite({ code }) {
  const path = `/invites/${encodeURIComponent(code)}`;
  const {
    value: invite,
    error,
    again,
  } = useRequest(async () => {
    if (hadSession()) await guestSession();
    return get(path);
  }, [path]);
  const [name, setName] = useState(ownName());
  const [seat, setSeat] = useState(0);
  const closed = invite?.state === "closed";
  const free = (closed ? [] : (invite?.seats ?? [])).filter(
    (/** @type {any} */ each) => each.kind === "person" && !each.name,
  );
  const chosen = free.some((/** @type {any} */ each) => each.seat === seat) ? seat : free[0]?.seat;
  const join = useWork(async () => {
    await setOwnName(name);
    const sat = await sit(invite.table, chosen, { code });
    go(`/t/${sat.table}`, { instead: true });
  });
  useEffect(() => {
    if (invite?.yours?.length > 0) go(`/t/${invite.table}`, { instead: true });
  }, [invite]);
  useTitle(t("invite.title"));
  const game = invite ? gameWord(invite.game, "title", invite.title ?? invite.game) : "";
  return html`<${Page} class="invite">
    ${error && html`<h1>${t("invite.title")}</h1>`}
    <${ErrorNotice} error=${error} again=${again} />
    ${
      invite &&
      html`<div class="invite-card">
        <${Emblem} game=${invite.game} size="fan" />
        <h1>
          ${invite.host ? html`<bdi>${t("invite.from", { name: sanitized(invite.host), game })}</bdi>` : game}
        </h1>
        <p class="lead">${gameWord(invite.game, "summary", "")}</p>
        ${
          free.length > 0 &&
          html`
            <${OwnName} name=${name} change=${setName} />
            <${Button} work=${join} class="button first big">${t("home.sit_down")}<//>
          `
        }
        ${closed && html`<p>${t("lobby.closed")}</p>`}
        ${
          free.length === 0 &&
          !closed &&
          html`
            <p>${t("invite.full")}</p>
            <${Link} class="button first" href=${`/t/${invite.table}`}>${t("invite.watch")}<//>
          `
        }
        <${ErrorNotice} error=${join.error} />
        <p class="soft">
          ${[
            rulesName(invite),
            clockText(invite.clock),
            t(`lobby.watch.${invite.watch}`),
            ...(invite.seal === "blind" ? [t("lobby.blind")] : []),
          ].join(" · ")}
        </p>
        <ul class="list">
          ${invite.seats.map(
            (/** @type {any} */ each) => html`<li>
              <span class="quiet numbers">${each.seat}</span>
              ${
                each.name || free.length === 1
                  ? html`<span class="who">${each.name ? html`<${Name}>${each.name}<//>` : t("lobby.free")}</span>`
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
        <p><${Link} class="link" href=${`/rules/${invite.game}`}>${t("invite.rules")}<//></p>
      </div>`
    }
  <//>`;
}
