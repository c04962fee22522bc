// The load: the same tables and picks for every system, from one process. Knows no protocol; a client module does.
//   node load.mjs CLIENT URL play  --tables 50 --seconds 10 --warm 3 --think 100   acknowledgements within a window
//   node load.mjs CLIENT URL kill  --tables 50 --ledger FILE   plays until the server is gone; writes what was acked
//   node load.mjs CLIENT URL audit --ledger FILE               asks a server what it still knows of that
//   node load.mjs CLIENT URL idle  --tables 1000               sits down everywhere and waits for the end of its input
// Says what it does as lines of JSON.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import rules from './rules.cjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tables: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '10' },
    warm: { type: 'string', default: '3' },
    think: { type: 'string', default: '0' },
    ledger: { type: 'string', default: '' },
  },
});
const [name, url, mode] = positionals;
for (const voice of ['log', 'info', 'warn', 'error']) console[voice] = () => {}; // libraries talk, too
const client = await import(`./${name}_client.mjs`);
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

/** The picks of a whole game, [seat 0, seat 1] for each decision: everybody draws from a shuffled hand. */
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

const seen = { acked: 0, refused: 0, begun: 0, ended: 0, latencies: [], measuring: false, why: '' };
const ledger = []; // of `kill`: one entry for every table, with all that was acknowledged there
let stopped = false;

/** Two seats that play one game after the other. */
class Pair {
  constructor(number) {
    this.random = seeded(number);
    this.number = number;
  }

  async sit() {
    this.picks = script(this.random);
    this.sent = [0, 0];
    this.ends = 0;
    this.acked = [];
    this.table = await client.open(url, this.number, {
      acked: (seat, decision) => this.onAck(seat, decision),
      revealed: (seat, decision) => this.onReveal(seat, decision),
      over: (seat, decision) => this.onOver(seat, decision),
      refused: (seat, why) => this.onRefusal(seat, why),
    });
    seen.begun += 1;
    if (mode === 'kill') ledger.push({ table: this.table.kept, acked: this.acked });
  }

  play() {
    this.place(0, 1);
    this.place(1, 1);
  }

  place(seat, decision) {
    const send = () => {
      if (stopped) return;
      this.sent[seat] = performance.now();
      this.table.pick(seat, decision, this.picks[decision - 1][seat]);
    };
    if (think > 0) setTimeout(send, think * (0.5 + this.random()));
    else send();
  }

  onAck(seat, decision) {
    if (stopped) return;
    if (mode === 'kill') this.acked.push([seat, decision, this.picks[decision - 1][seat]]);
    seen.acked += 1;
    if (seen.measuring) seen.latencies.push(performance.now() - this.sent[seat]);
  }

  onReveal(seat, decision) {
    if (!stopped && decision < this.picks.length) this.place(seat, decision + 1);
  }

  onOver(seat, decision) {
    if (stopped) return;
    if (decision !== this.picks.length) this.onRefusal(seat, `over after ${decision} of ${this.picks.length}`);
    this.ends += 1;
    if (this.ends < 2) return;
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
  const pairs = Array.from({ length: tables }, (_, number) => new Pair(number));
  for (let from = 0; from < pairs.length; from += 20) {
    await Promise.all(pairs.slice(from, from + 20).map((pair) => pair.sit()));
  }
  return pairs;
}

const after = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

function quantile(sorted, share) {
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] : null;
}

async function measure() {
  for (const pair of await seated()) pair.play();
  await after(Number(options.warm));
  const before = { acked: seen.acked, ended: seen.ended, cpu: process.cpuUsage(), at: performance.now() };
  seen.measuring = true;
  say('begin');
  await after(Number(options.seconds));
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

async function untilKilled() {
  const gone = new Promise((done) => client.onGone(done));
  for (const pair of await seated()) pair.play();
  say('begin');
  await gone;
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
  for await (const _ of process.stdin);
  say('result', { sockets: tables * 2, refused: seen.refused, why: seen.why });
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
