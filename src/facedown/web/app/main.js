// Entry point: applies the settings, follows the address and shows its screen. Screens are loaded when needed.

import { search } from "./anyone/search.js";
import { effect, html, render, useEffect, useState } from "./html.js";
import { checkAccount, codeUses, sanctions, signedOut } from "./net/account.js";
import { Bar, EmptyTable, Page } from "./parts/elements.js";
import { useLater } from "./parts/hooks.js";
import { GettingReady } from "./parts/offline.js";
import { linkTo, listenToHistory, route } from "./router.js";
import { Home, Tables } from "./screens/home.js";
import { applySettings } from "./settings.js";
import { listenForGesture } from "./sound.js";
import { allGames } from "./state/games.js";
import { keepShell, listenForInstallOffer, prepareToPlay, updateKept } from "./state/keeping.js";
import { forgetOldSeats } from "./state/saved_seats.js";
import { lang, t, wordsLoaded } from "./words.js";

/** @type {Record<string, () => Promise<any>>} */
const LATER = {
  table: async () => (await import("./screens/table.js")).TableScreen,
  invite: async () => (await import("./screens/invite.js")).Invite,
  rules: async () => (await import("./screens/rules.js")).Rules,
  review: async () => {
    const { ReviewScreen, loadReviewWords } = await import("./screens/review.js");
    await loadReviewWords();
    return ReviewScreen;
  },
  explore: async () => (await import("./screens/explore.js")).Explore,
  train: async () => (await import("./screens/train.js")).Train,
  house: async () => (await import("./screens/house.js")).House,
  today: async () => (await import("./today/page.js")).Today,
  people: async () => (await import("./screens/people.js")).People,
  me: async () => (await import("./screens/profile.js")).Me,
  readable: async () => (await import("./people/readable.js")).Readable,
  past_games: async () => (await import("./screens/past_games.js")).PastGames,
  person: async () => (await import("./screens/profile.js")).Person,
  tournaments: async () => (await import("./tournaments/list.js")).Tournaments,
  tournament: async () => (await import("./tournaments/page.js")).TournamentScreen,
  notices: async () => (await import("./screens/notices.js")).NoticesScreen,
  settings: async () => (await import("./screens/settings.js")).SettingsScreen,
  about: async () => (await import("./screens/about.js")).About,
  tables: async () => Tables,
  account: async () => (await import("./screens/account.js")).AccountScreen,
  programs: async () => (await import("./account/programs.js")).Programs,
  sign_in: async () => (await import("./screens/sign_in.js")).SignIn,
  operate: async () => (await import("./operate/cases.js")).Cases,
  handover: async () => (await import("./screens/handover.js")).Handover,
};

/** Screens that stay mounted while the address changes what they show: focus and scroll position survive. */
const STEADY = ["explore", "train"];

const QUIET = 1000;
const PATIENCE = 2000;

/** @param {{screen: string, params: Record<string, string>}} props */
function Screen({ screen, params }) {
  const [loaded, set] = useState({ screen: "", Part: /** @type {any} */ (null) });
  useEffect(() => {
    let wanted = screen in LATER;
    if (wanted) LATER[screen]().then((Part) => wanted && set({ screen, Part }));
    return () => {
      wanted = false; // the user moved on before it was loaded: it must not replace the new screen
    };
  }, [screen]);
  if (screen === "home" || screen === "new") return html`<${Home} making=${screen === "new"} params=${params} />`;
  if (!(screen in LATER)) return html`<${Lost} />`;
  if (loaded.screen !== screen) return screen === "table" ? html`<${EmptyTable} />` : html`<${Loading} />`;
  return html`<${loaded.Part} key=${STEADY.includes(screen) ? params.game : JSON.stringify(params)} ...${params} />`;
}

const Loading = () => html`<${Bar} /><main aria-busy="true"></main>`;

function Lost() {
  return html`<${Page}>
    <h1>${t("lost.title")}</h1><p class="lead">${t("lost.say")}</p>
    <p class="gap-before"><a class="button second" href=${linkTo("/")}>${t("bar.home")}</a></p>
  <//>`;
}

/** Skip link: the first Tab stop, past the bar into the screen. */
function SkipLink() {
  /** @param {Event} event */
  const skip = (event) => {
    event.preventDefault();
    const main = document.querySelector("main");
    main?.setAttribute("tabindex", "-1");
    main?.focus();
  };
  return html`<a class="skip button first" href="#app" onClick=${skip}>${t("bar.skip")}</a>`;
}

/** Notices about the account, on every page but a table; looked for again on each page.
 * @param {{screen: string}} props */
function OfAccount({ screen }) {
  const isKnown = codeUses.value.length > 0 || sanctions.value.length > 0 || signedOut.value !== null;
  const due = screen !== "table" && isKnown;
  useEffect(() => void checkAccount(), [screen]);
  const Notices = useLater(async () => (await import("./account/notices.js")).AccountNotices, due);
  return due && Notices && html`<${Notices} />`;
}

/** What shows on every screen while people are being looked for; loaded with the first search. */
function Looking() {
  const Part = useLater(async () => (await import("./screens/found.js")).Anyone, search.value !== null);
  return Part && html`<${Part} />`;
}

function App() {
  const { screen, params } = route.value;
  return html`<${SkipLink} /><${OfAccount} screen=${screen} /><${Looking} />
    <${Screen} screen=${screen} params=${params} /><${GettingReady} />`;
}

/** Registers the service worker, which fetches the rest: only after the page has everything it needs itself. */
async function registerServiceWorker() {
  await quiet();
  prepareToPlay().catch(() => {}); // the first request reports it
  await keepShell();
  await updateKept();
}

/** Resolves once the page is loaded and nothing has been fetched for a while. */
async function quiet() {
  const count = () => performance.getEntriesByType("resource").length;
  for (let before = -1; document.readyState !== "complete" || count() > before; ) {
    before = count();
    await new Promise((next) => setTimeout(next, QUIET));
  }
}

applySettings();
listenToHistory();
listenForGesture();
listenForInstallOffer();
forgetOldSeats();
effect(() => {
  document.documentElement.lang = lang.value;
});
ready().then(show);

/** Resolves once the first screen can be drawn whole, so that nothing on it jumps, or after a time limit its texts. */
function ready() {
  const texts = wordsLoaded();
  const games = route.value.screen === "home" ? allGames() : null;
  return Promise.allSettled([texts, Promise.race([games, new Promise((next) => setTimeout(next, PATIENCE))])]);
}

function show() {
  const place = /** @type {HTMLElement} */ (document.getElementById("app"));
  place.replaceChildren();
  render(html`<${App} />`, place);
  registerServiceWorker().catch(() => {}); // without it, the page does not open offline
}
