// Notices page: what waits for an answer and what has happened, the people one knows, and how one is reached.

import { Friends } from "../contacts/friends.js";
import { changeContactSettings, declineChallenge, takeSeat } from "../contacts/people.js";
import { say, useTexts } from "../contacts/words.js";
import { html, useEffect, useState } from "../html.js";
import { get, hadSession } from "../net/api.js";
import { loadNotices, markNoticesRead, notices } from "../net/notices.js";
import { Button, ErrorNotice, Link, Page } from "../parts/elements.js";
import { Choices, namedValues } from "../parts/fields.js";
import { useRequest, useTitle, useWork } from "../parts/hooks.js";
import { ago, sanctionText, sanitized } from "../phrases.js";
import { go } from "../router.js";
import { allGames, titleOf } from "../state/games.js";
import { t } from "../words.js";
import { Notifications } from "./settings_sections.js";

/** @import { ContactSettings, NoticeInfo } from "../net/rest.js" */

export function NoticesScreen() {
  const ready = useTexts();
  useRequest(allGames, []);
  const { error, loading, again } = useRequest(() => loadNotices(true), []);
  useTitle(t("bar.notices"));
  const list = notices.value?.notices ?? [];
  useEffect(() => {
    if (list.length > 0) markNoticesRead().catch(() => {}); // they stay unread
  }, [notices.value]);
  if (!ready) return html`<${Page} class="notices" aria-busy="true" />`;
  return html`<${Page} class="notices" aria-busy=${loading}>
    <h1>${t("bar.notices")}</h1>
    <${ErrorNotice} error=${error} again=${again} />
    <div class="notices-columns">
      ${
        list.length > 0
          ? html`<ul class="list">${list.map((each) => html`<${Notice} key=${each.id} notice=${each} />`)}</ul>`
          : html`<p class="lead">${!loading && say("notices.none")}</p>`
      }
      <div class="notices-people"><${Friends} /></div>
      ${hadSession() && html`<${Reached} />`}
    </div>
  <//>`;
}

/** @param {{notice: NoticeInfo}} props */
function Notice({ notice }) {
  const { kind, name = "", game = "", at, unread = false, sanction = "", until = 0 } = notice;
  const says = sanction && kind === "decided" ? sanctionText({ kind: sanction, until }) : "";
  return html`<li class="notice-line" data-unread=${unread}>
    <span class="notice-dot">${unread && html`<span class="unseen">${say("notices.new")}</span>`}</span>
    <span class="notice-says">
      <span class="who"><bdi>${says || say(`notice.${kind}`, { name: sanitized(name) })}</bdi></span>
      <span class="quiet small">
        ${game && `${titleOf(game)} · `}<time datetime=${new Date(at).toISOString()}>${ago(at)}</time>
      </span>
    </span>
    <${NoticeActs} notice=${notice} />
  </li>`;
}

/** What can be done about a notice. @param {{notice: NoticeInfo}} props */
function NoticeActs({ notice }) {
  const { kind, table = "" } = notice;
  const accept = useWork(async () => go(await takeSeat(notice)));
  const decline = useWork(() => declineChallenge(table));
  const offers = kind === "challenge" || kind === "rematch" || kind === "found";
  return html`<span class="wrap notice-acts">
    ${offers && html`<${Button} work=${accept}>${kind === "challenge" ? say("notice.accept") : t("home.sit_down")}<//>`}
    ${kind === "challenge" && html`<${Button} work=${decline} class="link">${say("notice.decline")}<//>`}
    ${kind === "sent" && html`<${Button} work=${decline} class="link">${say("notice.withdraw")}<//>`}
    ${
      (kind === "turn" || kind === "accepted" || kind === "sent") &&
      html`<${Link} class="button second" href=${`/t/${table}`}>${say("notice.to_table")}<//>`
    }
    ${kind === "over" && html`<${Link} class="link" href=${`/t/${table}`}>${say("notice.see")}<//>`}
    ${(kind === "decided" || kind === "lifted") && html`<${Link} class="link" href="/account">${t("conduct.why")}<//>`}
    ${kind === "code_used" && html`<${Link} class="link" href="/account">${say("notice.check")}<//>`}
    <${ErrorNotice} error=${accept.error ?? decline.error} />
  </span>`;
}

// --- how one is reached ---------------------------------------------------------------------------------

function Reached() {
  const { value, error } = useRequest(async () => (await get("/people/me/friends")).settings, []);
  const [changed, setChanged] = useState(/** @type {ContactSettings|null} */ (null));
  const now = changed ?? value;
  const change = useWork(async (/** @type {Partial<ContactSettings>} */ wanted) => {
    if (now) setChanged({ ...now, ...wanted });
    await changeContactSettings(wanted).then(setChanged, (problem) => {
      setChanged(now);
      throw problem;
    });
  });
  if (!now) return html`<${ErrorNotice} error=${error} />`;
  return html`<section class="reached" aria-labelledby="reached">
    <div class="list-head"><h2 id="reached">${say("reached.title")}</h2></div>
    <${Choices}
      label=${say("reached.here")}
      says=${say("reached.here.say")}
      value=${now.here ? "on" : "off"}
      values=${namedValues(["on", "off"], (each) => say(`reached.here.${each}`))}
      choose=${(/** @type {string} */ here) => change.run({ here: here === "on" })}
    />
    <${Choices}
      label=${say("reached.challenges")}
      value=${now.challenges}
      values=${namedValues(["anyone", "followed", "nobody"], (each) => say(`reached.challenges.${each}`))}
      choose=${(/** @type {ContactSettings["challenges"]} */ challenges) => change.run({ challenges })}
    />
    <${ErrorNotice} error=${change.error} />
    <div class="field">
      <span class="label">${t("settings.notify")}</span>
      <div><p class="small quiet">${t("settings.notify.say")}</p><${Notifications} /></div>
    </div>
  </section>`;
}
