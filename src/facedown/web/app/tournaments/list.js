// The list of tournaments: those that run, that will start and that are over; and a form for a new one.

import { html, onSubmit, onValue, useState } from "../html.js";
import { ask, get, guestSession } from "../net/api.js";
import { place } from "../net/place.js";
import { ErrorNotice, Link, Name, Page } from "../parts/elements.js";
import { namedValues, Select, TextField } from "../parts/fields.js";
import { useRequest, useTitle, useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { allGames, games, titleOf } from "../state/games.js";
import { lang, t } from "../words.js";
import { say, useTexts } from "./words.js";

/** @import { TournamentHead, TournamentInfo, TournamentList } from "../net/rest.js" */

const SECONDS = 30;
const ONE_PAIR = { least_seats: 2, most_seats: 2 };

export function Tournaments() {
  const ready = useTexts();
  useTitle(ready ? say("title") : "");
  return html`<${Page} class="tournaments" aria-busy=${!ready}>
    ${ready && html`<h1>${say("title")}</h1>`}
    ${ready && (place.value === "device" ? html`<p class="lead">${say("alone")}</p>` : html`<${All} />`)}
  <//>`;
}

function All() {
  useRequest(allGames, []);
  const { value, error, again } = useRequest(() => get("/tournaments"), []);
  const { running, open, over } = /** @type {TournamentList} */ (value ?? { running: [], open: [], over: [] });
  return html`<${ErrorNotice} error=${error} again=${again} />
    ${value && running.length + open.length + over.length === 0 && html`<p class="lead">${say("none")}</p>`}
    <${Some} title=${say("running")} all=${running} />
    <${Some} title=${say("next")} all=${open} />
    <${Some} title=${say("over")} all=${over} />
    <${NewForm} />`;
}

/** @param {{title: string, all: readonly TournamentHead[]}} props */
const Some = ({ title, all }) =>
  all.length > 0 &&
  html`<section>
    <h2>${title}</h2>
    <ul class="tournament-list">
      ${all.map(
        (each) => html`<li key=${each.tournament}>
          <${Link} class="plain" href=${`/tournaments/${each.tournament}`}>
            <b><${Name}>${each.title || say(`kind.${each.kind}`)}<//></b>
            <span class="small soft">${about(each)}</span>
          <//>
        </li>`,
      )}
    </ul>
  </section>`;

/** What is played, in a line. @param {TournamentHead} head */
export function about(head) {
  const parts = [titleOf(head.game), say(`kind.${head.kind}`), say("players", { count: head.entrants ?? 0 })];
  if (head.tables) parts.push(say("tables", { count: head.tables }));
  if (head.state === "open") parts.push(say("starts", { when: moment(head.starts_at) }));
  else if (head.rounds) parts.push(say("round", { round: head.round ?? 0, rounds: head.rounds }));
  if (head.kept && head.state !== "over") parts.push(say("kept"));
  if (head.state === "cancelled") parts.push(say("called_off"));
  return parts.join(" · ");
}

/** @param {number} at */
const moment = (at) =>
  new Intl.DateTimeFormat(lang.value, { weekday: "short", hour: "numeric", minute: "2-digit" }).format(at);

function NewForm() {
  const [wanted, set] = useState({ title: "", kind: "arena", game: "", starts_in: 30, seats: 2, kept: false });
  const game = wanted.game || games.value?.[0]?.name || "";
  const { least_seats: least, most_seats: most } = games.value?.find(({ name }) => name === game) ?? ONE_PAIR;
  const seats = Math.min(Math.max(wanted.seats, least), most);
  const making = useWork(async () => {
    await guestSession();
    const clock = { kind: "decision", seconds: SECONDS };
    const order = { ...wanted, game, clock, seats: wanted.kind === "rounds" ? seats : 2 };
    const made = /** @type {TournamentInfo} */ (await ask("POST", "/tournaments", order));
    go(`/tournaments/${made.head.tournament}`);
  });
  const put = (/** @type {string} */ name) => (/** @type {string} */ value) => set({ ...wanted, [name]: value });
  const kinds = namedValues(["arena", "rounds"], (kind) => say(`kind.${kind}`));
  const offered = namedValues(
    (games.value ?? []).map(({ name }) => name),
    titleOf,
  );
  return html`<details class="options tournament-new">
    <summary>${say("new")}</summary>
    <form onSubmit=${onSubmit(making.run)}>
      <${TextField} label=${say("new.title")} value=${wanted.title} change=${put("title")} required maxlength="60" />
      <label>
        <span>${say("new.kind")}</span><${Select} value=${wanted.kind} values=${kinds} change=${put("kind")} />
      </label>
      <label><span>${say("new.game")}</span><${Select} value=${game} values=${offered} change=${put("game")} /></label>
      ${
        wanted.kind === "rounds" &&
        most > least &&
        html`<label><span>${t("new.seats")}</span>
          <input
            type="number"
            min=${least}
            max=${most}
            value=${seats}
            onInput=${onValue((value) => set({ ...wanted, seats: Number(value) }))}
          />
        </label>`
      }
      <label><span>${say("new.minutes")}</span>
        <input
          type="number"
          min="0"
          max="43200"
          value=${wanted.starts_in}
          onInput=${onValue((value) => set({ ...wanted, starts_in: Number(value) }))}
        />
      </label>
      <label class="tournament-weaker">
        <input type="checkbox" checked=${wanted.kept} onChange=${() => set({ ...wanted, kept: !wanted.kept })} />
        <span><b>${say("kept")}</b><br />${say("kept.say")}</span>
      </label>
      <button class="button first" disabled=${making.busy}>${say("new.make")}</button>
    </form>
    ${
      making.error?.code === "not_yours"
        ? html`<p role="alert">${say("new.keep")} <${Link} class="link" href="/account">${t("keep.this")}<//></p>`
        : html`<${ErrorNotice} error=${making.error} />`
    }
  </details>`;
}
