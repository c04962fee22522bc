// What characters make of a decisive reveal: whose face changes, who speaks, and when nobody does.

import "./resolve.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { signal } = await import("/app/html.js");
const { loadedTables } = await import("/app/state/games.js");
const { react } = await import("/app/frame/talk.js");

const LINES = [{ name: "pip", talk: { hit: "Ow!", pleased: "Ha!", won: "Quick!", lost: "Again?" } }];

/** A screen after a reveal that hits seat 2. */
function screen({ id, chat, machine = "pip", events = [] }) {
  const seats = [
    { seat: 1, kind: "person" },
    { seat: 2, kind: "machine", machine },
  ];
  const lastReveal = { decision: 7, events };
  const sight = { table: { id, game: "duel", seats, chat }, seat: 1, lastReveal, names: () => "Pip" };
  return { sight: signal(sight), moods: signal({ decision: 0, of: {} }), spoken: signal(null) };
}

loadedTables.value = { ...loadedTables.value, duel: { moods: () => ({ 1: "pleased", 2: "hit" }) } };

async function reacted(options) {
  const before = globalThis.fetch;
  globalThis.fetch = async () =>
    new Response(JSON.stringify(LINES), { headers: { "content-type": "application/json" } });
  try {
    const here = screen(options);
    await react(here);
    return here;
  } finally {
    globalThis.fetch = before;
  }
}

test("a character that was hit shows it and says so, once a game", async () => {
  const first = await reacted({ id: "T1" });
  assert.deepEqual(first.moods.value, { decision: 7, of: { 1: "pleased", 2: "hit" } });
  assert.deepEqual(first.spoken.value, { v: -7, seat: 2, name: "Pip", text: "Ow!" });
  assert.equal((await reacted({ id: "T1" })).spoken.value, null);
  assert.equal((await reacted({ id: "T2" })).spoken.value?.text, "Ow!");
});

test("it keeps quiet where the chat is off, at the end, and if it is no character", async () => {
  assert.equal((await reacted({ id: "T3", chat: false })).spoken.value, null);
  assert.equal((await reacted({ id: "T4", events: [{ kind: "end" }] })).spoken.value, null);
  assert.equal((await reacted({ id: "T5", machine: "plain" })).spoken.value, null);
});
