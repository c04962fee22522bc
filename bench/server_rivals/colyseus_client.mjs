// The client of a Colyseus room: its own SDK.

import { Client } from '@colyseus/sdk';

let gone = () => {};

/** A room with both seats taken. */
export async function open(url, number, hooks) {
  const client = new Client(url);
  const first = await client.create('ecard');
  const second = await client.joinById(first.roomId);
  const rooms = [first, second];
  const ready = rooms.map((room, seat) => new Promise((done) => {
    const complete = (state) => state.players?.length === 2 && done();
    room.decision = 0;
    complete(room.state);
    room.onStateChange((state) => {
      complete(state);
      if (!room.decision || state.decision <= room.decision) return;
      const { decision } = room;
      const told = () => {
        if (state.over) hooks.over(seat, decision);
        else hooks.revealed(seat, decision);
      };
      room.decision = 0;
      if (room.answered) told();
      else room.told = told; // a patch may overtake the answer to the request that caused it
    });
    room.reconnection.enabled = false;
    room.onLeave(() => room.leaves || gone());
    room.onError(() => room.leaves || gone());
  }));
  await Promise.all(ready);
  return {
    kept: { roomId: first.roomId },
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
      for (const room of rooms) {
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
