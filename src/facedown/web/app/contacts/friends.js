// People one knows: friends and others whom one follows, recent opponents with the score, and buttons to follow and to
// challenge.

import { html, useEffect, useState } from "../html.js";
import { Button, ErrorNotice, Link, Name, Signet } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { sanitized } from "../phrases.js";
import { ChallengeDialog } from "./challenge.js";
import { follow, friends, loadFriends, unfollow } from "./people.js";
import { say, useTexts } from "./words.js";

/** @import { FollowedPerson, Opponent } from "../net/rest.js" */
/** @import { Whom } from "./people.js" */

/** Followed people and recent opponents; nothing while there are none. */
export function Friends() {
  useEffect(() => void loadFriends().catch(() => {}), []);
  const { followed = [], opponents = [] } = friends.value ?? {};
  const others = opponents.filter((each) => each.follow === 0);
  return html`
    <${People} title=${say("friends.title")} people=${followed} />
    <${People} title=${say("friends.opponents")} people=${others} />
  `;
}

/** @param {{title: string, people: (FollowedPerson|Opponent)[]}} props */
function People({ title, people }) {
  if (people.length === 0) return null;
  return html`<section>
    <div class="list-head"><h2>${title}</h2></div>
    <ul class="list">${people.map((each) => html`<${Person} key=${keyOf(each)} person=${each} />`)}</ul>
  </section>`;
}

/** @param {FollowedPerson|Opponent} person */
const keyOf = (person) => ("id" in person ? person.id : `${person.table}-${person.seat}`);

/** @param {{person: FollowedPerson|Opponent}} props */
function Person({ person }) {
  const { name, handle, won, lost, games } = person;
  const shown = html`<${Name}>${name}<//>`;
  return html`<li class="person">
    <${Signet} name=${name} />
    <span class="person-name">
      <span class="who">
        ${handle ? html`<${Link} class="plain" href=${`/people/${handle}`}>${shown}<//>` : shown}
        ${"here" in person && person.here && html`<span class="here">${say("friends.here")}</span>`}
      </span>
      ${
        games > 0 &&
        html`<span class="quiet small numbers">
          <bdi>${say("friends.score", { won, lost, name: sanitized(name) })}</bdi>
        </span>`
      }
    </span>
    <${PersonActs}
      name=${name}
      whom=${"id" in person ? { follow: person.id } : { table: person.table, seat: person.seat }}
    />
  </li>`;
}

/** What can be done on the page of a person. @param {{handle: string}} props */
export function PageActs({ handle }) {
  const ready = useTexts();
  useEffect(() => void loadFriends().catch(() => {}), []);
  if (!ready) return null;
  const followed = friends.value?.followed.find((each) => each.handle === handle);
  return html`
    ${followed?.here && html`<span class="here">${say("friends.here")}</span>`}
    <${PersonActs} name=${handle} whom=${followed ? { follow: followed.id } : { handle }} />
  `;
}

/** Follow or unfollow, and challenge. @param {{name: string, whom: Whom}} props */
function PersonActs({ name, whom }) {
  const [asking, setAsking] = useState(false);
  const follows = "follow" in whom;
  const change = useWork(() => (follows ? unfollow(whom.follow) : follow(whom)));
  const named = { name: sanitized(name) };
  return html`<span class="wrap person-acts">
    <${Button}
      work=${change}
      class="link"
      aria-label=${say(follows ? "friends.unfollow_of" : "friends.follow_of", named)}
    >
      ${say(follows ? "friends.unfollow" : "friends.follow")}
    <//>
    <button class="button second" aria-label=${say("challenge.title", named)} onClick=${() => setAsking(true)}>
      ${say("friends.challenge")}
    </button>
    <${ErrorNotice} error=${change.error} />
    ${asking && html`<${ChallengeDialog} name=${name} whom=${whom} close=${() => setAsking(false)} />`}
  </span>`;
}
