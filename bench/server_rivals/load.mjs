// The load: the same tables and picks for every system, from one process. Knows no protocol; a client module does.
//   node load.mjs CLIENT URL play  --tables 50 --seconds 10 --warm 3 --think 100   acknowledgements within a window
//                                  --game davenport                                another game than E-Card
//   node load.mjs CLIENT URL kill  --tables 50 --ledger FILE   plays until the end of its input; writes what was acked
//   node load.mjs CLIENT URL audit --ledger FILE               asks a server what it still knows of that
//   node load.mjs CLIENT URL idle  --tables 1000               sits down everywhere and waits for the end of its input
// Says what it does as lines of JSON.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GAMES } from './games.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tables: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '10' },
    warm: { type: 'string', default: '3' },
    think: { type: 'string', default: '0' },
    ledger: { type: 'string', default: '' },
    game: { type: 'string', default: 'ecard' },
  },
});
const [name, url, mode] = positionals;
const PATIENCE = 300; // seconds until all have to be seated
for (const voice of ['log', 'info', 'warn', 'error']) console[voice] = () => {}; // libraries talk, too
const client = await import(`./${name}_client.mjs`);
const game = GAMES[options.game];
const tables = Number(options.tables);
const think = Number(options.think);

const say = (event, rest = {}) => process.stdout.write(`${JSON.stringify({ event, ...rest })}\n`);

/** Numbers from 0 to 1 that are the same in every run: mulberry32. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const seen = { acked: 0, refused: 0, begun: 0, ended: 0, latencies: [], measuring: false, why: '' };
const ledger = []; // of `kill`: one entry for every table, with all that was acknowledged there
let stopped = false;

/** The seats of one table, which play one game after the other. */
class Party {
  constructor(number) {
    this.random = seeded(number);
    this.number = number;
  }

  async sit() {
    this.game = game.begin(this.random);
    this.sent = new Array(game.seats).fill(0);
    this.ends = 0;
    this.acked = [];
    this.picks = [];
    this.table = await client.open(url, this.number, game, {
      acked: (seat, decision) => this.onAck(seat, decision),
      revealed: (seat, decision, legal) => this.onReveal(seat, decision, legal),
      over: (seat, decision) => this.onOver(seat, decision),
      refused: (seat, why) => this.onRefusal(seat, why),
    });
    seen.begun += 1;
    if (mode === 'kill') ledger.push({ table: this.table.kept, acked: this.acked });
  }

  play() {
    for (let seat = 0; seat < game.seats; seat += 1) this.place(seat, 1, this.table.legal(seat));
  }

  place(seat, decision, legal) {
    const pick = this.game.pick(seat, decision, legal);
    if (pick === undefined) return; // this seat has nothing to decide
    const send = () => {
      if (stopped) return;
      this.sent[seat] = performance.now();
      this.picks[seat] = pick;
      this.table.pick(seat, decision, pick);
    };
    if (think > 0) setTimeout(send, think * (0.5 + this.random()));
    else send();
  }

  onAck(seat, decision) {
    if (stopped) return;
    if (mode === 'kill') this.acked.push([seat, decision, this.picks[seat]]);
    seen.acked += 1;
    if (seen.measuring) seen.latencies.push(performance.now() - this.sent[seat]);
  }

  onReveal(seat, decision, legal) {
    if (!stopped) this.place(seat, decision + 1, legal);
  }

  onOver(seat, decision) {
    if (stopped) return;
    const { length } = this.game;
    if (length !== null && decision !== length) this.onRefusal(seat, `over after ${decision} of ${length}`);
    this.ends += 1;
    if (this.ends < game.seats) return;
    seen.ended += 1;
    this.table.close();
    this.sit().then(() => this.play(), (error) => this.onRefusal(seat, String(error)));
  }

  onRefusal(seat, why) {
    if (stopped) return;
    seen.refused += 1;
    seen.why ||= `seat ${seat}: ${why}`;
  }
}

async function seated() {
  const parties = Array.from({ length: tables }, (_, number) => new Party(number));
  for (let from = 0; from < parties.length; from += 20) {
    await Promise.all(parties.slice(from, from + 20).map((party) => party.sit()));
  }
  return parties;
}

async function endOfInput() {
  for await (const _ of process.stdin);
}

const after = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

function quantile(sorted, share) {
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] : null;
}

async function measure() {
  const late = setTimeout(() => { throw new Error(`not everybody sits after ${PATIENCE} s`); }, PATIENCE * 1000);
  for (const party of await seated()) party.play();
  clearTimeout(late);
  await after(Number(options.warm));
  const before = { acked: seen.acked, ended: seen.ended, cpu: process.cpuUsage(), at: performance.now() };
  seen.measuring = true;
  say('begin');
  await after(Number(options.seconds));
  for (let more = 0; more < 300 && !seen.latencies.length; more += 1) await after(0.1); // nothing was measured yet
  seen.measuring = false;
  const used = process.cpuUsage(before.cpu);
  const seconds = (performance.now() - before.at) / 1000;
  say('end', { seconds, acked: seen.acked - before.acked });
  stopped = true;
  const sorted = Float64Array.from(seen.latencies).sort();
  say('result', {
    acked: seen.acked - before.acked,
    seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    games_ended: seen.ended - before.ended,
    refused: seen.refused,
    why: seen.why,
    load_cpu: (used.user + used.system) / 1e6 / seconds,
  });
}

/** The server is killed, then the input ends: a table that is between two games would not notice. */
async function untilKilled() {
  for (const party of await seated()) party.play();
  say('begin');
  await endOfInput();
  await after(0.5); // what had been acknowledged before may still be on its way
  stopped = true;
  writeFileSync(options.ledger, JSON.stringify(ledger));
  say('result', { acked: ledger.reduce((sum, { acked }) => sum + acked.length, 0) });
}

async function audit() {
  let acked = 0;
  let lost = 0;
  for (const { table, acked: picks } of JSON.parse(readFileSync(options.ledger, 'utf8'))) {
    const known = await client.known(url, table);
    acked += picks.length;
    lost += picks.filter(([seat, decision, card]) => known(seat, decision) !== card).length;
  }
  say('result', { acked, lost });
}

async function idle() {
  await seated();
  say('begin');
  await endOfInput();
  say('result', { sockets: tables * (game.seats + game.spectators), refused: seen.refused, why: seen.why });
}

function onHangUp() {
  if (stopped) return;
  seen.refused += 1;
  seen.why ||= 'the server hung up';
}

if (mode !== 'kill') client.onGone(onHangUp);
process.on('uncaughtException', (error) => {
  if (!stopped) say('failure', { why: String(error?.stack ?? error) });
  process.exit(1);
});
await { play: measure, kill: untilKilled, audit, idle }[mode]();
process.exit(0);
