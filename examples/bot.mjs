// A bot in plain Node, without packages: FACEDOWN_TOKEN=fdn_… node bot.mjs http://127.0.0.1:8765
//
// It follows the stream of its events, accepts every challenge, and picks at random. After a lost connection it
// goes on from the last line that it has read. With a number as second argument it ends after that many games.

import { createHash, randomBytes, randomInt } from "node:crypto";

const [address, games = Infinity] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${process.env.FACEDOWN_TOKEN}`, "Content-Type": "application/json" };
const entropies = new Map(); // by table: our part of the deal's randomness

async function ask(method, path, body) {
  const answer = await fetch(`${address}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

const number = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** SHA-256 over the parts, each behind its length. */
function commitment(...parts) {
  const hash = createHash("sha256");
  for (const part of parts.map((each) => Buffer.from(each))) hash.update(number(part.length)).update(part);
  return hash.digest("hex");
}

const command = (table, body) => ask("POST", `/tables/${table}/commands`, { id: randomBytes(16).toString("hex"), ...body });

async function accept({ table, seat, name }) {
  const entropy = randomBytes(32);
  entropies.set(table, entropy);
  const commit = commitment("facedown/2/entropy", table, number(seat), entropy);
  await ask("POST", `/tables/${table}/join`, { seat, commit });
  console.log(`accepted ${name}`);
}

async function play({ table, seat }) {
  const { legal, table: info } = await ask("GET", `/tables/${table}`);
  const { turn } = info;
  if (!turn?.may_seal.includes(seat)) return;
  const pick = legal[randomInt(legal.length)];
  const nonce = randomBytes(32);
  const parts = [table, number(turn.decision), number(seat), Buffer.from(turn.head, "hex"), pick, nonce];
  const commit = commitment("facedown/2/pick", ...parts);
  await command(table, { do: "pick", decision: turn.decision, pick, commit, nonce: nonce.toString("hex") });
}

let played = 0;
const answers = {
  state: async (event) => {
    for (const each of [...event.challenges, ...event.games, ...event.turns]) await follow(each);
  },
  challenge: accept,
  game: async ({ table, state }) => {
    const entropy = entropies.get(table);
    if (state === "opening" && entropy) await command(table, { do: "open", entropy: entropy.toString("hex") });
  },
  turn: play,
  over: async ({ table }) => {
    console.log(`over: ${table}`);
    if (++played >= games) process.exit(0);
  },
};

const follow = (event) => answers[event.t]?.(event)?.catch?.((error) => console.error(error.message));

let since;
for (let pause = 1; ; pause = Math.min(2 * pause, 60)) {
  const query = since === undefined ? "" : `?since=${since}`;
  try {
    const stream = await fetch(`${address}/api/v1/stream${query}`, { headers });
    if (!stream.ok) throw new Error(`${stream.status} ${await stream.text()}`);
    let rest = "";
    for await (const bytes of stream.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + bytes).split("\n");
      rest = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const event = JSON.parse(line);
        since = event.v;
        pause = 1;
        if (event.t === "end" && event.why !== "shutdown") throw new Error(`ended: ${event.why}`);
        await follow(event);
      }
    }
  } catch (error) {
    console.error(error.message);
    if (/^(401|403|ended)/.test(error.message)) process.exit(1);
  }
  await new Promise((done) => setTimeout(done, pause * 1000));
}
