// A person's page: one's own, with everything, at /me; and what others show of theirs, by handle.

import { PageActs } from "../contacts/friends.js";
import { html } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { place } from "../net/place.js";
import { ErrorNotice, Link, Page } from "../parts/elements.js";
import { useRequest, useTitle } from "../parts/hooks.js";
import { Head, LastGames, Ratings, Trained } from "../people/page.js";
import { ReadableBlock } from "../people/readable.js";
import { Results, Rivals, Trophies } from "../people/results.js";
import { ShownParts } from "../people/shown.js";
import { say, useTexts } from "../people/words.js";
import { allGames } from "../state/games.js";
import { t } from "../words.js";

/** @import { Profile, ProfilePage } from "../net/rest.js" */

const LAST = 8;

/** @param {{busy?: boolean, error?: any, again?: () => void, children?: any}} props */
const Frame = ({ busy = false, error, again, children }) => html`<${Page} class="profile" aria-busy=${busy}>
  <${ErrorNotice} error=${error} again=${again} />
  ${children}
<//>`;

/** One's own page. */
export function Me() {
  const ready = useTexts();
  useRequest(allGames, []);
  const { value, error, again, loading } = useRequest(async () => {
    if (!hadSession()) return null;
    await guestSession();
    return /** @type {Promise<Profile>} */ (get("/people/me"));
  }, []);
  useTitle(ready ? say("me.title") : "");
  const me = /** @type {Profile|null} */ (value);
  if (!ready || loading) return html`<${Frame} busy=${true} />`;
  const played = me?.statistics.reduce((sum, each) => sum + each.played, 0) ?? 0;
  return html`<${Frame} error=${error} again=${again}>
    ${!me && !error && html`<h1>${say("me.title")}</h1><p class="lead">${say("me.nothing")}</p>`}
    ${
      me &&
      html`
        <${Head} name=${me.page?.handle ?? me.name} since=${me.since} games=${played}>
          ${
            me.page && html`<${Link} class="button second" href=${`/people/${me.page.handle}`}>${say("me.preview")}<//>`
          }
        <//>
        ${played === 0 && html`<p class="lead">${say("me.nothing")}</p>`}
        <div class="profile-columns">
          <div>
            <${Ratings} ratings=${me.ladders} own=${true} />
            <${LastGames} games=${me.games.slice(0, LAST)} all=${html`<${AllGames} count=${played} />`} />
          </div>
          <div>
            <${Results} results=${me.results} />
            <${Trophies} trophies=${me.trophies ?? []} />
            <${Rivals} rivals=${me.rivals} own=${true} />
            ${played > 0 && html`<${ReadableBlock} />`}
            <${Trained} />
            ${place.value === "server" && html`<${ShownParts} page=${me.page} />`}
          </div>
        </div>
      `
    }
  <//>`;
}

/** @param {{count: number}} props */
const AllGames = ({ count }) =>
  count > LAST && html`<${Link} class="link small" href="/me/games">${say("games.all", { count })}<//>`;

/** Someone's page, as others see it. @param {{handle: string}} props */
export function Person({ handle }) {
  const ready = useTexts();
  useRequest(allGames, []);
  const { value, error, again, loading } = useRequest(
    () => /** @type {Promise<ProfilePage>} */ (get(`/people/${encodeURIComponent(handle)}`)),
    [handle],
  );
  const page = /** @type {ProfilePage|null} */ (value);
  useTitle(page?.handle ?? t("bar.people"));
  if (!ready || loading) return html`<${Frame} busy=${true} />`;
  if (error?.code === "not_there")
    return html`<${Frame}>
      <h1>${say("page.none")}</h1><p class="lead">${say("page.none.say")}</p>
      <p class="gap-before"><${Link} class="button second" href="/people">${t("bar.people")}<//></p>
    <//>`;
  return html`<${Frame} error=${error} again=${again}>
    ${
      page &&
      html`
        <${Head} name=${page.handle} since=${page.since}>
          ${!page.you && place.value === "server" && html`<${PageActs} handle=${page.handle} />`}
        <//>
        ${
          page.you &&
          html`<p class="panel profile-preview small soft">
            ${say("page.yours")} <${Link} class="link" href="/me">${say("page.back")}<//>
          </p>`
        }
        <div class="profile-columns">
          <div>
            ${page.ratings && html`<${Ratings} ratings=${page.ratings} own=${false} />`}
            ${page.games && html`<${LastGames} games=${page.games} />`}
          </div>
          <div>
            ${page.results && html`<${Results} results=${page.results} />`}
            <${Trophies} trophies=${page.trophies ?? []} />
            ${page.rivals && html`<${Rivals} rivals=${page.rivals} own=${false} />`}
          </div>
        </div>
      `
    }
  <//>`;
}
