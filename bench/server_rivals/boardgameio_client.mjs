// The client of boardgame.io's server: its lobby over HTTP, its messages over socket.io, without the client's own store.

import { io } from 'socket.io-client';

const sockets = new Map(); // a pair keeps its sockets and goes from match to match, as updateMatchID does
let gone = () => {};

async function post(url, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function connected(url, number, seat) {
  const key = `${number}/${seat}`;
  if (sockets.has(key)) return sockets.get(key);
  const socket = io(`${url}/ecard`, { transports: ['websocket'], forceNew: true, reconnection: false });
  sockets.set(key, socket);
  await new Promise((done, failed) => {
    socket.once('connect', done);
    socket.once('connect_error', failed);
  });
  socket.on('disconnect', () => gone());
  return socket;
}

/** A match with both seats taken and synchronised. */
export async function open(url, number, hooks) {
  const { matchID } = await post(`${url}/games/ecard/create`, { numPlayers: 2 });
  const seats = await Promise.all([0, 1].map(async (seat) => {
    const joined = await post(`${url}/games/ecard/${matchID}/join`, { playerID: String(seat), playerName: `P${seat}` });
    return { playerID: String(seat), credentials: joined.playerCredentials, state: 0, decision: 0, acked: true };
  }));
  await Promise.all(seats.map(async (own, seat) => {
    own.socket = await connected(url, number, seat);
    own.socket.off('update');
    own.socket.on('update', (match, state) => {
      if (match !== matchID) return;
      own.state = state._stateID;
      const { G } = state;
      const revealed = G.decision > own.decision;
      if (!own.acked && (revealed || G.sealed[seat])) {
        own.acked = true;
        hooks.acked(seat, own.decision);
      }
      if (!revealed) return;
      const { decision } = own;
      own.decision = G.decision;
      if (state.ctx.gameover === undefined) hooks.revealed(seat, decision);
      else hooks.over(seat, decision);
    });
    const synced = new Promise((done) => own.socket.once('sync', (_, info) => done(info.state)));
    own.socket.emit('sync', matchID, own.playerID, own.credentials, 2);
    const state = await synced;
    own.state = state._stateID;
    own.decision = state.G.decision;
  }));
  return {
    kept: { matchID },
    pick(seat, decision, card) {
      const { socket, state, playerID, credentials } = seats[seat];
      seats[seat].acked = false;
      seats[seat].decision = decision;
      const payload = { type: 'pick', args: [card], playerID, credentials };
      socket.emit('update', { type: 'MAKE_MOVE', payload }, state, matchID, playerID);
    },
    close() {},
  };
}

export function onGone(done) {
  gone = done;
}

/** What the server knows of a match after it was started again: without a store, not even the match. */
export async function known(url, { matchID }) {
  const answer = await fetch(`${url}/games/ecard/${matchID}`);
  if (answer.status === 404) return () => undefined;
  throw new Error(`a match has survived: ${matchID}`);
}
