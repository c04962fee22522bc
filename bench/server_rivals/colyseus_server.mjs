// E-Card on Colyseus, in memory, as its guide lays rooms out: a Schema for what is public, a field with .view() for
// the secret pick, a StateView for each client, messages in, the answer to a request as the acknowledgement.
// `--patch-at-once` sends the state at every reveal; without it, it goes out at Colyseus' own 20 patches a second.

import { createServer } from 'node:http';
import { Room, Server } from '@colyseus/core';
import { schema, StateView, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import rules from './rules.cjs';

const AT_ONCE = process.argv.includes('--patch-at-once');

const Player = schema({
  sealed: t.boolean().default(false),
  pick: t.string().default('').view(), // only for the client whose view it was added to
  shown: t.string().default(''),
  citizens: t.uint8().default(4),
  special: t.string().default(''),
  score: t.uint16().default(0),
}, 'Player');

const Table = schema({
  decision: t.uint16().default(1),
  round: t.uint8().default(1),
  over: t.boolean().default(false),
  players: t.array(Player),
}, 'Table');

class ECardRoom extends Room {
  maxClients = 2;
  patchRate = AT_ONCE ? null : 50;
  state = new Table();

  messages = {
    pick(client, { card }, ctx) {
      const player = this.state.players[client.userData.seat];
      if (this.state.players.length < 2 || this.state.over || player.sealed) return ctx.reject('not now');
      if (card === 'C' ? player.citizens === 0 : card !== player.special) return ctx.reject('not in hand');
      player.pick = card;
      player.sealed = true;
      const decision = this.state.decision;
      if (this.state.players.every((each) => each.sealed)) this.reveal();
      return { decision };
    },
  };

  onJoin(client) {
    const seat = this.state.players.length;
    const player = new Player();
    player.special = rules.special(seat, 1);
    this.state.players.push(player);
    client.userData = { seat };
    client.view = new StateView();
    client.view.add(player);
    if (AT_ONCE) this.broadcastPatch();
  }

  reveal() {
    const { state } = this;
    const [one, two] = state.players;
    const drawn = one.pick === two.pick;
    one.score += rules.paid(one.pick, two.pick);
    two.score += rules.paid(two.pick, one.pick);
    if (!drawn) state.round += 1;
    state.players.forEach((player, seat) => {
      player.shown = player.pick;
      player.citizens = drawn ? player.citizens - 1 : 4;
      player.special = rules.special(seat, state.round);
      player.pick = '';
      player.sealed = false;
    });
    state.decision += 1;
    state.over = state.round > rules.ROUNDS;
    if (AT_ONCE) this.broadcastPatch();
  }
}

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false });
server.define('ecard', ECardRoom);
await server.listen(0);
console.log(`listening ${http.address().port}`);
