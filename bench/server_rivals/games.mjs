// The games of the load: how many sit and watch, and how a seat picks. Knows no server and no protocol.

import rules from './rules.cjs';

/** The picks of a whole game of E-Card, [seat 0, seat 1] for each decision: everybody draws from a shuffled hand. */
function script(random) {
  const picks = [];
  for (let round = 1; round <= rules.ROUNDS; round += 1) {
    const special = [1 + Math.floor(random() * 5), 1 + Math.floor(random() * 5)];
    for (let play = 1; play <= Math.min(...special); play += 1) {
      picks.push([0, 1].map((seat) => (special[seat] === play ? rules.special(seat, round) : 'C')));
    }
  }
  return picks;
}

export const GAMES = {
  ecard: {
    name: 'ecard',
    rules: 'classic(plays=5,placing=together,rounds=60)',
    clock: { kind: 'none' },
    seats: 2,
    spectators: 0,
    /** A game whose picks, and so whose length, are known before it begins. */
    begin(random) {
      const picks = script(random);
      return { length: picks.length, pick: (seat, decision) => picks[decision - 1]?.[seat] };
    },
  },
  davenport: {
    name: 'davenport',
    rules: 'davenport',
    clock: { kind: 'decision', seconds: 60 },
    seats: 4,
    spectators: 2,
    /** Every seat draws from what it may pick: its cards, and the exchange of each of them. */
    begin(random) {
      return { length: null, pick: (_seat, _decision, legal) => legal[Math.floor(random() * legal.length)] };
    },
  },
};
