// The rules of E-Card that both rivals play: classic(plays=5,placing=together,rounds=60). Knows no library.
'use strict';

const ROUNDS = 60;
const GROUP = 3;
const SLAVE_PAYS = 5;
const BEATS = { E: 'C', C: 'S', S: 'E' };

/** The special card of a seat (0 or 1) in a round, from 1: the sides swap after each group. */
function special(seat, round) {
  const swapped = Math.floor((round - 1) / GROUP) % 2 === 1;
  return (seat === 0) !== swapped ? 'E' : 'S';
}

/** What a seat is paid for a play: 0 where it was drawn or lost. */
function paid(mine, other) {
  if (BEATS[mine] !== other) return 0;
  // The Slave side wins with its Slave only; every other win is the Emperor side's.
  return mine === 'S' ? SLAVE_PAYS : 1;
}

module.exports = { ROUNDS, special, paid };
