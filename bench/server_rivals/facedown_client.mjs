// The client of our own server, from its protocol: sessions and tables over HTTP, a socket for each seat.

import { createHash, randomBytes } from 'node:crypto';

const { WebSocket } = await import('ws').catch(() => globalThis); // the package if it is installed, else Node's own
const people = new Map(); // who sits where: a person keeps the session from table to table
let gone = () => {};

function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** SHA-256 over the parts, each behind its length; in hex. */
function sealed(tag, ...parts) {
  const hash = createHash('sha256');
  for (const part of [tag, ...parts]) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(u32(bytes.length)).update(bytes);
  }
  return hash.digest('hex');
}

async function call(url, path, body, headers = {}) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function person(url, number, seat) {
  const key = `${number}/${seat}`;
  if (!people.has(key)) {
    const { token } = await call(url, '/session', { name: `P${key}`, kind: 'program' });
    people.set(key, { authorization: `Bearer ${token}` });
  }
  return people.get(key);
}

/** A table with all seats taken and dealt, and its spectators. */
export async function open(url, number, game, hooks) {
  const guests = await Promise.all(Array.from({ length: game.seats }, (_, seat) => person(url, number, seat)));
  const asked = {
    game: game.name,
    rules: game.rules,
    seats: guests.map(() => ({ kind: 'person' })),
    clock: game.clock,
    flag: 'random',
    public: false,
    watch: 'anyone',
    hotseat: false,
  };
  const key = { 'idempotency-key': randomBytes(12).toString('hex') };
  const made = await call(url, '/tables', asked, { ...guests[0], ...key });
  const seats = await Promise.all(guests.map(async (guest, index) => {
    const entropy = randomBytes(32);
    const commit = sealed('facedown/2/entropy', made.table, u32(index + 1), entropy);
    const order = { seat: index + 1, commit, invite: made.invite };
    const { token } = await call(url, `/tables/${made.table}/join`, order, guest);
    return { token, entropy, last: 0, legal: [] };
  }));
  const watching = Array.from({ length: game.spectators }, () => ({ token: null }));
  await Promise.all([
    ...seats.map((own, index) => seated(url, made.table, own, index, hooks)),
    ...watching.map((own) => watched(url, made.table, own)),
  ]);
  return {
    kept: { table: made.table, seats: seats.map(({ token }, index) => ({ token, ...guests[index] })) },
    legal: (seat) => seats[seat].legal,
    pick(seat, decision, card) {
      const nonce = randomBytes(32);
      seats[seat].socket.send(JSON.stringify({
        t: 'cmd',
        id: `p${decision}`,
        do: 'pick',
        decision,
        pick: card,
        commit: sealed('facedown/2/pick', made.table, u32(decision), u32(seat + 1), seats[seat].head, card, nonce),
        nonce: nonce.toString('hex'),
      }));
    },
    close() {
      for (const own of [...seats, ...watching]) {
        own.leaves = true;
        own.socket.close();
      }
    },
  };
}

/** Connects a seat or a spectator; `on` has what is done with each kind of message. */
function connected(url, table, own, on, failed) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/v1/${table}`, ['facedown.v1'], { perMessageDeflate: false });
  own.socket = socket;
  own.send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => own.send({ t: 'hello', table, token: own.token, v: null, play: true });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.t === 'ping') own.send({ t: 'pong' });
    on[message.t]?.(message);
  };
  socket.onerror = (error) => (failed(error), gone());
  socket.onclose = () => own.leaves || gone();
}

/** Connects a seat, opens its entropy, and comes back when the game is on. */
function seated(url, table, own, seat, hooks) {
  return new Promise((done, failed) => {
    const openEntropy = () => {
      if (own.opened) return;
      own.opened = true;
      own.send({ t: 'cmd', id: 'open', do: 'open', entropy: own.entropy.toString('hex') });
    };
    const at = (state, legal, turn) => {
      own.legal = legal ?? own.legal;
      if (turn?.head) own.head = Buffer.from(turn.head, 'hex'); // of the link that opened the decision
      if (state === 'opening') openEntropy();
      else if (state === 'playing') done();
    };
    const on = {
      snap: ({ table: info, legal }) => at(info.state, legal, info.turn),
      ack: ({ id }) => id[0] === 'p' && hooks.acked(seat, Number(id.slice(1))),
      nak: ({ id, code, say }) => hooks.refused(seat, `${id} ${code} ${say}`),
      bye: ({ code, say }) => hooks.refused(seat, `bye ${code} ${say}`),
      ev: (event) => {
        if (event.turn?.head) own.head = Buffer.from(event.turn.head, 'hex');
        if (event.state) at(event.state, event.legal, event.turn);
        if (event.k === 'revealed') {
          own.last = event.decision;
          if (event.legal) hooks.revealed(seat, event.decision, event.legal); // else the end follows at once
        } else if (event.k === 'over') {
          hooks.over(seat, own.last);
        }
      },
    };
    connected(url, table, own, on, failed);
  });
}

/** Connects a spectator, who reads everything. */
function watched(url, table, own) {
  return new Promise((done, failed) => {
    connected(url, table, own, { snap: () => done() }, failed);
  });
}

export function onGone(done) {
  gone = done;
}

/** What the server knows of a table after it was started again, asked by each seat for its own picks. */
export async function known(url, { table, seats }) {
  const told = await Promise.all(seats.map(async ({ token, authorization }) => {
    const headers = { authorization, 'facedown-seat': token };
    const ask = (path) => call(url, `/tables/${table}${path}`, undefined, headers).catch(() => null);
    const [record, snap] = [await ask('/record'), await ask('')];
    if (record === null || snap === null) return { picks: [] };
    return { picks: record.picks, open: snap.table.turn?.decision, placed: snap.placed };
  }));
  return (seat, decision) => {
    const { picks, open: now, placed } = told[seat];
    return picks[decision - 1]?.[seat] ?? (now === decision ? placed : undefined);
  };
}
