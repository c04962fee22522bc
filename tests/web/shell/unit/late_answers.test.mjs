// Answers that come late: what has changed in the meantime stays as it is.

import "./resolve.mjs";
import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { afterEach, beforeEach, test } from "node:test";

const listeners = new Map();
globalThis.addEventListener ??= (kind, then) => listeners.set(kind, then);
globalThis.location ??= { origin: "http://x", pathname: "/", search: "", hash: "", href: "http://x/" };
globalThis.history ??= { state: null, pushState: (_, __, to) => visited.push(to), replaceState() {} };
globalThis.document ??= {
  visibilityState: "visible",
  createElement: () => ({}),
  head: { append: (link) => link.onload() },
};
globalThis.scrollTo ??= () => {};

const { dropSession, renewSession } = await import("/app/net/api.js");
const { loadNotices, notices } = await import("/app/net/notices.js");
const { friends, loadFriends } = await import("/app/contacts/people.js");
const { arrived } = await import("/app/tournaments/follow.js");
const { playAnyone, search, sitDown, stopLooking } = await import("/app/anyone/search.js");

/** What the page went to. */
const visited = [];
/** The requests that wait for an answer, and those that were sent. */
let waiting = [];
let asked = [];
const { fetch, setTimeout: later } = globalThis;

beforeEach(() => {
  globalThis.setTimeout = (then, ms) => (ms > 1000 ? later(then, ms).unref() : later(then, ms)); // a search rests
  waiting = [];
  asked = [];
  visited.length = 0;
  globalThis.fetch = (address, { method }) => {
    const path = address.replace("/api/v1", "");
    asked.push(`${method} ${path}`);
    return new Promise((answer) => waiting.push({ path, method, answer }));
  };
});

afterEach(() => {
  Object.assign(globalThis, { fetch, setTimeout: later });
});

/** Lets everything run that waits for no answer. */
const settled = () => new Promise((done) => setTimeout(done, 5));

/** Answers the oldest request of a path. */
async function answer(method, path, body, status = 200) {
  await settled();
  const at = waiting.findIndex((each) => each.method === method && each.path.split("?")[0] === path);
  assert.notEqual(at, -1, `no ${method} ${path} among ${asked.join(", ")}`);
  const [request] = waiting.splice(at, 1);
  request.answer(new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }));
  await settled();
}

test("notices and friends of another session are not shown", async () => {
  renewSession();
  const loading = loadNotices(true);
  await answer("GET", "/session", { person: "ann", name: "Ann" });
  await answer("GET", "/notices", { notices: [{ id: "1" }], unread: true });
  await loading;
  assert.equal(notices.value?.unread, true);
  const late = [loadNotices(true), loadFriends()];
  await settled();
  dropSession();
  assert.equal(notices.value, null);
  await answer("GET", "/notices", { notices: [{ id: "1" }], unread: true });
  await answer("GET", "/people/me/friends", { followed: [{ id: 1 }], opponents: [] });
  await Promise.all(late);
  assert.deepEqual([notices.value, friends.value], [null, null]);
});

test("one's own entry in a tournament stays, though an answer from before it comes after it", () => {
  const head = (v) => ({ tournament: "T", v });
  const entered = { head: head(7), rows: [], own: 3, organises: false };
  assert.equal(arrived(entered, { head: head(6), rows: [], own: 0, organises: false }).own, 3);
  assert.equal(arrived(null, { head: head(6), rows: [], own: 0, organises: false }).own, 0);
});

const GAME = { name: "trio", presets: [{ name: "short", rules: "short" }], usual_preset: "short", options: [] };
const FOUND = { state: "found", since: 1, table: "PEOPLE", seat: 1, until: 1, people: [] };
const TABLE = "data:text/javascript,export default { words: {}, styles: '/app/styles/base.css' }";

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "/games/trio/table.js" ? { url: TABLE, shortCircuit: true } : next(specifier, context),
});

test("who sits down with people is not taken to the machine of the time before", async () => {
  renewSession();
  const playing = playAnyone(GAME);
  await answer("GET", "/session", { person: "ann", name: "Ann" });
  await answer("PUT", "/pairing/ticket", { state: "waiting", since: 1, waiting: 1 });
  await answer("GET", "/games", [{ ...GAME, machines: [], usual_machine: "pip", least_seats: 2, most_seats: 2 }]);
  await answer("PUT", "/pairing/ticket", FOUND);
  const sitting = sitDown();
  await answer("POST", "/tables/PEOPLE/join", { table: "PEOPLE", seat: 1, token: "t" });
  await sitting;
  assert.deepEqual(visited, ["/t/PEOPLE"]);
  await answer("POST", "/tables", { table: "MACHINE" });
  await answer("POST", "/tables/MACHINE/join", { table: "MACHINE", seat: 1, token: "t" });
  await playing;
  assert.deepEqual(visited, ["/t/PEOPLE"]);
  search.value = null;
});

test("a search that was stopped while it was asked for is withdrawn after its answer", async () => {
  renewSession();
  const playing = playAnyone(GAME).catch(() => {});
  await answer("GET", "/session", { person: "ann", name: "Ann" });
  await settled();
  const stopping = stopLooking();
  await answer("DELETE", "/pairing/ticket", null);
  await stopping;
  await answer("PUT", "/pairing/ticket", { state: "waiting", since: 1, waiting: 1 });
  assert.equal(asked.filter((each) => each === "DELETE /pairing/ticket").length, 2);
  await answer("DELETE", "/pairing/ticket", null);
  void playing;
});
