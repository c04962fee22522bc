// E-Card and Davenport on Colyseus, in memory, as its guide lays rooms out: a Schema for what is public, fields with
// .view() for the secret pick and hand, a StateView for each client, messages in, the answer to a request as the acknowledgement.
// `--patch-at-once` sends the state at every reveal; without it, it goes out at Colyseus' own 20 patches a second.

import { createServer } from 'node:http';
import { Room, Server } from '@colyseus/core';
import { schema, StateView, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import davenport from './davenport.cjs';
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

const Hand = schema({
  sealed: t.boolean().default(false),
  pick: t.string().default('').view(),
  hand: t.array('string').view(),
  held: t.uint8().default(0),
}, 'Hand');

const Round = schema({
  shown: t.array('string'),
  exchanged: t.array('boolean'),
  winners: t.array('boolean'),
}, 'Round');

const DavenportTable = schema({
  decision: t.uint16().default(1),
  over: t.boolean().default(false),
  players: t.array(Hand),
  rounds: t.array(Round),
}, 'DavenportTable');

const DECISION_MS = 60_000;

function shuffled(cards) {
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

class DavenportRoom extends Room {
  maxClients = davenport.SEATS + 2;
  patchRate = AT_ONCE ? null : 50;
  state = new DavenportTable();
  supply = davenport.deal(shuffled); // stays here: a state would be sent

  messages = {
    pick(client, { card }, ctx) {
      const player = this.state.players[client.userData.seat];
      if (this.state.players.length < davenport.SEATS || this.state.over || player.sealed) return ctx.reject('not now');
      if (!davenport.isLegal(this.supply.hands[client.userData.seat], card)) return ctx.reject('not in hand');
      player.pick = card;
      player.sealed = true;
      const decision = this.state.decision;
      if (this.state.players.every((each) => each.sealed)) this.reveal();
      return { decision };
    },
  };

  onJoin(client, options) {
    client.view = new StateView();
    if (options?.watch) {
      client.userData = { seat: -1 };
      return;
    }
    const seat = this.state.players.length;
    const player = new Hand();
    player.hand.push(...this.supply.hands[seat]);
    player.held = this.supply.hands[seat].length;
    this.state.players.push(player);
    client.userData = { seat };
    client.view.add(player);
    if (this.state.players.length === davenport.SEATS) this.waitForPicks();
    if (AT_ONCE) this.broadcastPatch();
  }

  waitForPicks() {
    this.waiting?.clear();
    this.waiting = this.clock.setTimeout(() => this.disconnect(), DECISION_MS);
  }

  reveal() {
    const { state, supply } = this;
    const seen = davenport.reveal(state.players.map(({ pick }) => pick), supply.hands, supply, shuffled);
    const round = new Round();
    for (const name of ['shown', 'exchanged', 'winners']) round[name].push(...seen[name]);
    state.rounds.push(round);
    state.players.forEach((player, seat) => {
      player.hand.splice(0, player.hand.length, ...supply.hands[seat]);
      player.held = supply.hands[seat].length;
      player.pick = '';
      player.sealed = false;
    });
    state.decision += 1;
    state.over = supply.hands.some((hand) => hand.length === 0);
    if (!state.over) this.waitForPicks();
    if (AT_ONCE) this.broadcastPatch();
  }
}

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false });
server.define('ecard', ECardRoom);
server.define('davenport', DavenportRoom);
await server.listen(0);
console.log(`listening ${http.address().port}`);
