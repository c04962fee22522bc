// E-Card and Davenport on boardgame.io, in memory, as its guide lays games out: secret state under `players` and
// `secret`, which PlayerView.STRIP_SECRETS takes away; all act at once by activePlayers; moves run on the server only.
// With `--files DIR` it keeps its matches there, by its own storage FlatFile.
'use strict';

const { Server, Origins, FlatFile } = require('boardgame.io/dist/cjs/server.js');
const { ActivePlayers, INVALID_MOVE, PlayerView } = require('boardgame.io/dist/cjs/core.js');
const davenport = require('./davenport.cjs');
const { ROUNDS, special, paid } = require('./rules.cjs');

const ALL_AT_ONCE = {
  disableUndo: true, // a sealed pick stays; the default would also keep every state that ever was
  turn: { activePlayers: ActivePlayers.ALL },
  playerView: PlayerView.STRIP_SECRETS,
};

/** The one move of both games: a hidden pick; the last one reveals all. */
const pickBy = (holds, revealAll) => ({
  move: ({ G, playerID, random }, card) => {
    const own = G.players[playerID];
    if (own.pick !== null || !holds(own, card)) return INVALID_MOVE;
    own.pick = card;
    G.sealed[playerID] = true;
    if (G.sealed.every(Boolean)) revealAll(G, random);
  },
  client: false, // the guide: moves that need secrets do not run on the client
  redact: true, // the guide: the log must not show the card
  ignoreStaleStateID: true, // the guide: for moves made at the same time
});

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
  ...ALL_AT_ONCE,
  setup: () => ({
    decision: 1,
    round: 1,
    sealed: [false, false],
    shown: null,
    scores: [0, 0],
    players: { 0: dealt(0, 1), 1: dealt(1, 1) },
  }),
  moves: {
    pick: pickBy((own, card) => own.hand[card] > 0, reveal),
  },
  endIf: ({ G }) => (G.round > ROUNDS ? { scores: G.scores } : undefined),
};

function turned(G, random) {
  const seats = Object.values(G.players);
  const picks = seats.map(({ pick }) => pick);
  const hands = seats.map(({ hand }) => hand);
  const seen = davenport.reveal(picks, hands, G.secret, (cards) => random.Shuffle(cards));
  for (const own of seats) own.pick = null;
  G.rounds.push(seen);
  G.held = hands.map(({ length }) => length);
  G.sealed = hands.map(() => false);
  G.decision += 1;
}

const Davenport = {
  name: 'davenport',
  minPlayers: davenport.SEATS,
  maxPlayers: davenport.SEATS,
  ...ALL_AT_ONCE,
  setup: ({ random }) => {
    const { hands, stock, discards } = davenport.deal((cards) => random.Shuffle(cards));
    return {
      decision: 1,
      sealed: hands.map(() => false),
      rounds: [],
      held: hands.map(({ length }) => length),
      players: Object.fromEntries(hands.map((hand, seat) => [seat, { hand, pick: null }])),
      secret: { stock, discards },
    };
  },
  moves: {
    pick: pickBy((own, card) => davenport.isLegal(own.hand, card), turned),
  },
  endIf: ({ G }) => (G.held.includes(0) ? { out: G.held } : undefined),
};

const [, , inFiles, dir] = process.argv;
const db = inFiles === '--files' ? new FlatFile({ dir }) : undefined;
const server = Server({ games: [ECard, Davenport], origins: [Origins.LOCALHOST], db });
server.run(0).then(({ appServer }) => console.log(`listening ${appServer.address().port}`));
