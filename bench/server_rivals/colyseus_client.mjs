// The client of a Colyseus room: its own SDK.

import { Client } from '@colyseus/sdk';
import davenport from './davenport.cjs';

let gone = () => {};

/** A room with all seats taken, and its spectators. */
export async function open(url, number, game, hooks) {
  const client = new Client(url);
  const first = await client.create(game.name);
  const rooms = [first];
  while (rooms.length < game.seats) rooms.push(await client.joinById(first.roomId));
  const watching = [];
  while (watching.length < game.spectators) watching.push(await client.joinById(first.roomId, { watch: true }));
  const legalOf = (state, seat) => (game.name === 'davenport' ? davenport.legal([...state.players[seat].hand]) : []);
  const isComplete = (state, seat) =>
    state.players?.length === game.seats && (game.name !== 'davenport' || state.players[seat].hand?.length === 5);
  const ready = rooms.map((room, seat) => new Promise((done) => {
    const complete = (state) => isComplete(state, seat) && done();
    room.decision = 0;
    complete(room.state);
    room.onStateChange((state) => {
      complete(state);
      if (!room.decision || state.decision <= room.decision) return;
      const { decision } = room;
      const told = () => {
        if (state.over) hooks.over(seat, decision);
        else hooks.revealed(seat, decision, legalOf(state, seat));
      };
      room.decision = 0;
      if (room.answered) told();
      else room.told = told; // a patch may overtake the answer to the request that caused it
    });
    room.reconnection.enabled = false;
    room.onLeave(() => room.leaves || gone());
    room.onError(() => room.leaves || gone());
  }));
  for (const room of watching) room.reconnection.enabled = false;
  await Promise.all(ready);
  return {
    kept: { roomId: first.roomId },
    legal: (seat) => legalOf(rooms[seat].state, seat),
    pick(seat, decision, card) {
      const room = rooms[seat];
      room.decision = decision;
      room.answered = false;
      room.request('pick', { card }).then(
        () => {
          room.answered = true;
          hooks.acked(seat, decision);
          room.told?.();
          room.told = undefined;
        },
        (error) => hooks.refused(seat, String(error?.message ?? error)),
      );
    },
    close() {
      for (const room of [...rooms, ...watching]) {
        room.leaves = true;
        room.leave();
      }
    },
  };
}

export function onGone(done) {
  gone = done;
}

/** What the server knows of a room after it was started again: not even that there was one. */
export async function known(url, { roomId }) {
  const joined = await new Client(url).joinById(roomId).catch(() => null);
  if (joined === null) return () => undefined;
  throw new Error(`a room has survived: ${roomId}`);
}
