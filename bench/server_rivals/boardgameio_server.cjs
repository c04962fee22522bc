// E-Card on boardgame.io, in memory, as its guide lays games out: secret state under `players`, which
// PlayerView.STRIP_SECRETS takes away from others; both act at once by activePlayers; moves run on the server only.
'use strict';

const { Server, Origins } = require('boardgame.io/dist/cjs/server.js');
const { ActivePlayers, INVALID_MOVE, PlayerView } = require('boardgame.io/dist/cjs/core.js');
const { ROUNDS, special, paid } = require('./rules.cjs');

const dealt = (seat, round) => ({ hand: { C: 4, [special(seat, round)]: 1 }, pick: null });

function reveal(G) {
  const picks = [G.players[0].pick, G.players[1].pick];
  G.shown = picks;
  G.scores[0] += paid(picks[0], picks[1]);
  G.scores[1] += paid(picks[1], picks[0]);
  if (picks[0] !== picks[1]) {
    G.round += 1;
    G.players = { 0: dealt(0, G.round), 1: dealt(1, G.round) };
  } else {
    for (const seat of [0, 1]) {
      G.players[seat].hand.C -= 1;
      G.players[seat].pick = null;
    }
  }
  G.sealed = [false, false];
  G.decision += 1;
}

const ECard = {
  name: 'ecard',
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true, // a sealed pick stays; the default would also keep every state that ever was
  setup: () => ({
    decision: 1,
    round: 1,
    sealed: [false, false],
    shown: null,
    scores: [0, 0],
    players: { 0: dealt(0, 1), 1: dealt(1, 1) },
  }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    pick: {
      move: ({ G, playerID }, card) => {
        const own = G.players[playerID];
        if (own.pick !== null || !(own.hand[card] > 0)) return INVALID_MOVE;
        own.pick = card;
        G.sealed[playerID] = true;
        if (G.sealed[0] && G.sealed[1]) reveal(G);
      },
      client: false, // the guide: moves that need secrets do not run on the client
      redact: true, // the guide: the log must not show the card
      ignoreStaleStateID: true, // the guide: for moves made at the same time
    },
  },
  endIf: ({ G }) => (G.round > ROUNDS ? { scores: G.scores } : undefined),
  playerView: PlayerView.STRIP_SECRETS,
};

const server = Server({ games: [ECard], origins: [Origins.LOCALHOST] });
server.run(0).then(({ appServer }) => console.log(`listening ${appServer.address().port}`));
