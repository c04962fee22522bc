// The client of boardgame.io's server: its lobby over HTTP, its messages over socket.io, without the client's own store.

import { io } from 'socket.io-client';
import davenport from './davenport.cjs';

const sockets = new Map(); // a party keeps its sockets and goes from match to match, as updateMatchID does
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

async function connected(url, game, key) {
  if (sockets.has(key)) return sockets.get(key);
  const socket = io(`${url}/${game}`, { transports: ['websocket'], forceNew: true, reconnection: false });
  sockets.set(key, socket);
  await new Promise((done, failed) => {
    socket.once('connect', done);
    socket.once('connect_error', failed);
  });
  socket.on('disconnect', () => gone());
  return socket;
}

/** A match with all seats taken and synchronised, and its spectators. */
export async function open(url, number, game, hooks) {
  const lobby = `${url}/games/${game.name}`;
  const { matchID } = await post(`${lobby}/create`, { numPlayers: game.seats });
  const seats = [];
  for (let seat = 0; seat < game.seats; seat += 1) { // of two joins at once, its storage in files keeps one
    const joined = await post(`${lobby}/${matchID}/join`, { playerID: String(seat), playerName: `P${seat}` });
    seats.push({ playerID: String(seat), credentials: joined.playerCredentials, state: 0, decision: 0, acked: true });
  }
  const legalOf = (G, seat) => (game.name === 'davenport' ? davenport.legal(G.players[seat].hand) : []);
  await Promise.all(Array.from({ length: game.spectators }, async (_, watching) => {
    const socket = await connected(url, game.name, `${number}/w${watching}`);
    const synced = new Promise((done) => socket.once('sync', done));
    socket.emit('sync', matchID, null, undefined, game.seats);
    await synced;
  }));
  await Promise.all(seats.map(async (own, seat) => {
    own.socket = await connected(url, game.name, `${number}/${seat}`);
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
      if (state.ctx.gameover === undefined) hooks.revealed(seat, decision, legalOf(G, seat));
      else hooks.over(seat, decision);
    });
    const synced = new Promise((done) => own.socket.once('sync', (_, info) => done(info.state)));
    own.socket.emit('sync', matchID, own.playerID, own.credentials, game.seats);
    const state = await synced;
    own.state = state._stateID;
    own.decision = state.G.decision;
    own.legal = legalOf(state.G, seat);
  }));
  return {
    kept: { matchID, game: game.name },
    legal: (seat) => seats[seat].legal,
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
export async function known(url, { matchID, game }) {
  const answer = await fetch(`${url}/games/${game}/${matchID}`);
  if (answer.status === 404) return () => undefined;
  throw new Error(`a match has survived: ${matchID}`);
}
