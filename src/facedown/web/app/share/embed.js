// Entry point of the page that other sites may show in a frame: replays a finished game decision by decision and, on a
// press, verifies it here. Everything comes with the page; it has no session, no storage and asks no server.

import reviewEnglish from "/words/review/en.js";
import english from "/words/share/en.js";
import { html, render, useEffect, useState } from "../html.js";
import { trustedKeys } from "../net/keys.js";
import { verify } from "../net/verify.js";
import { Seal, Sign } from "../parts/marks.js";
import { storyText } from "../parts/story.js";
import { distinctNames, resultHeadline } from "../phrases.js";
import { sentences, turnedAt } from "../review/columns.js";
import { Findings, recordedDraws } from "../review/findings.js";
import { applySettings, motion } from "../settings.js";
import { tableOf, titleOf } from "../state/games.js";
import { addReviewWords, addWords, lang, t, wordsIn, wordsLoaded, wordsOf } from "../words.js";

/** @import { GameTable } from "../contract.js" */
/** @import { Snap } from "../net/protocol.js" */
/** @import { Finding } from "../net/verify.js" */

/** @typedef {{snap: Snap, record: any, reveals: {decision: number, events: any[]}[], keys: any}} Given */

const say = wordsIn("share/");
const EACH = 1700; // ms that a decision is shown while the game plays

/** @param {{given: Given, game: GameTable}} props */
function Embed({ given, game }) {
  const { snap, record, reveals } = given;
  const last = Math.max(0, record.picks.length - 1);
  const [at, setAt] = useState(0);
  const [plays, setPlays] = useState(false);
  const names = distinctNames(record.game, record.seats);
  const narration = {
    you: 0,
    names: (/** @type {number} */ seat) => names[seat - 1] ?? "",
    words: wordsOf(record.game),
  };
  const go = (/** @type {number} */ to) => {
    setPlays(false);
    setAt(Math.min(last, Math.max(0, to)));
  };
  useEffect(() => {
    if (!plays) return undefined;
    if (at >= last) return setPlays(false);
    const timer = setTimeout(() => setAt(at + 1), EACH);
    return () => clearTimeout(timer);
  }, [plays, at]);
  useEffect(() => {
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const pressed = (/** @type {KeyboardEvent} */ { key }) =>
      key in steps && go(steps[/** @type {keyof typeof steps} */ (key)]);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [at]);
  const play = () => {
    if (at >= last) setAt(0);
    setPlays(!plays);
  };
  const ended = { game: record.game, result: record.result, mine: 0, names: narration.names };
  return html`
    <header>
      <p class="small soft">${titleOf(record.game)}</p>
      <h1>${resultHeadline(ended)}</h1>
      <p class="soft">${storyText(snap.table.story, game, { ...narration, view: snap.view })}</p>
    </header>
    <${Decision} at=${at} record=${record} reveals=${reveals} game=${game} narration=${narration} quiet=${plays} />
    <p class="embed-steps">
      <button class="button second" aria-label=${say("embed.before")} disabled=${at === 0} onClick=${() => go(at - 1)}>
        <${Sign} of="back" />
      </button>
      <button class="button first" onClick=${play}>${say(plays ? "embed.pause" : "embed.play")}</button>
      <button
        class="button second"
        aria-label=${say("embed.after")}
        disabled=${at >= last}
        onClick=${() => go(at + 1)}
      >
        <${Sign} of="on" />
      </button>
      <span class="soft numbers">${say("embed.of", { n: at + 1, of: last + 1 })}</span>
    </p>
    <${Check} given=${given} game=${game} />
    <footer class="small">
      <${Seal} />
      <a href=${`/review/${record.id}`} target="_blank" rel="noopener">${say("embed.open")}</a>
    </footer>
  `;
}

/** The cards of a decision as they were turned, and what came of it.
 * @param {{at: number, record: any, reveals: Given["reveals"], game: GameTable, narration: any,
 *   quiet: boolean}} props */
function Decision({ at, record, reveals, game, narration, quiet }) {
  /** @type {any[]} */
  const events = [];
  for (const each of reveals) events[each.decision - 1] = each.events;
  const turned = turnedAt({ events }, record, game, at);
  const resigned = record.picks[at]?.indexOf("resign") ?? -1;
  return html`
    <div class="embed-cards" data-many=${turned.length > 3}>
      ${turned.map(
        ({ seat, pick, won }) => html`<figure key=${`${at} ${seat}`} data-won=${won}>
          <div class="embed-card"><${game.Pick} pick=${pick} size="card" words=${narration.words} /></div>
          <figcaption class="small">
            <bdi>${narration.names(seat)}</bdi><span class="unseen">${game.pickName(pick, narration)}</span>
          </figcaption>
        </figure>`,
      )}
    </div>
    <div class="embed-words" aria-live=${quiet ? "off" : "polite"}>
      ${resigned >= 0 && html`<p>${t("event.resigned", { name: narration.names(resigned + 1) })}</p>`}
      ${sentences(events[at], game, narration).map((each) => html`<p>${each}</p>`)}
    </div>
  `;
}

/** The same check as in the review, by the same code. @param {{given: Given, game: GameTable}} props */
function Check({ given: { record, keys }, game }) {
  const [findings, set] = useState(/** @type {Finding[]|null} */ (null));
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const known = { draws: recordedDraws(record, game), keys: await trustedKeys(keys, "") };
    const found = await verify(record, known).catch(() => [{ check: "links", holds: false, count: 0 }]);
    set(found.filter(({ check }) => check !== "key")); // a frame knows the server's key from nowhere else
  };
  if (findings)
    return html`<section class="verification"><${Findings} findings=${findings} record=${record} /></section>`;
  return html`<p class="embed-check">
    <button class="button second" disabled=${busy} onClick=${run}>
      <${Sign} of="tick" />${say(busy ? "embed.verifying" : "embed.verify")}
    </button>
  </p>`;
}

/** @param {string} text @returns {Given} */
const readGame = (text) => JSON.parse(text);

async function show() {
  const place = /** @type {HTMLElement} */ (document.getElementById("app"));
  const given = readGame(document.getElementById("game")?.textContent ?? "");
  const theme = new URLSearchParams(location.search).get("theme") ?? "";
  applySettings();
  if (["dark", "light"].includes(theme)) document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.motion = motion.value;
  document.documentElement.lang = lang.value;
  await Promise.all([wordsLoaded(), addReviewWords(reviewEnglish), addWords("share/", english)]);
  const game = await tableOf(given.record.game);
  document.title = `${titleOf(given.record.game)} – Facedown`;
  place.replaceChildren();
  place.removeAttribute("aria-busy");
  render(html`<${Embed} given=${given} game=${game} />`, place);
}

show();
