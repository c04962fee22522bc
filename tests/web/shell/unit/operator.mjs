// An operator under test: makes the links of a table, honest or not, signs them, and speaks as its server.

const { Chain } = await import("/app/net/chain.js");
const { entropyCommitment, hex, pickCommitment, tableKey, tableNonce, unhex, seedCommitment } = await import(
  "/app/net/commitments.js"
);
const { headAfter, headDigest, KINDS, NO_HEAD, readLink, recordDigest } = await import("/app/net/links.js");

const T0 = 1_700_000_000_000;
const SEED = "5e".repeat(32);
const NONCE = unhex("11".repeat(32));
const signing = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
export const KEY = hex(new Uint8Array(await crypto.subtle.exportKey("raw", signing.publicKey)));
export const numberOf = (seat) => `a${seat}`.repeat(32);

const sign = async (digest) => new Uint8Array(await crypto.subtle.sign("Ed25519", signing.privateKey, digest));

/** What WebCrypto is still at. */
const running = new Set();
for (const name of ["importKey", "verify"]) {
  const work = crypto.subtle[name].bind(crypto.subtle);
  crypto.subtle[name] = (...given) => {
    const done = work(...given);
    running.add(done);
    done.catch(() => {}).finally(() => running.delete(done));
    return done;
  };
}

/** Lets promises settle, also those of WebCrypto. */
export async function settle() {
  for (let round = 0; round < 5; round++) {
    await Promise.allSettled(running);
    await new Promise((done) => setTimeout(done));
  }
}

export class Operator {
  constructor(
    table,
    { machines = [null, null], seal = "server", clock = "none", ready = 0, key = KEY, continues = null } = {},
  ) {
    Object.assign(this, { table, seal, links: [], heads: [], at: T0, v: 5, picks: [], opens: [], nonces: [] });
    const setup = {
      ...{ origin: "https://play.example", game: "none", version: 1, rules: "plain", seats: machines, flag: "random" },
      clock: { kind: clock, seconds: 10, days: 3, bank: 5, grace: 2, ready },
      ...{ substitute: "careful", seal, opening: 60_000 },
      ...{ software: "facedown 1.0.0", continues },
    };
    this.add("made", table, key, setup, hex(seedCommitment(table, unhex(SEED))));
  }

  /** The state after the links, if they are allowed. */
  get chain() {
    const chain = new Chain();
    for (const link of this.links) chain.add(readLink(link));
    return chain;
  }

  add(kind, ...fields) {
    this.at += 100;
    const link = [kind, this.at, ...fields];
    this.heads.push(headAfter(this.heads.at(-1) ?? NO_HEAD, this.links.length, readLink(link)));
    this.links.push(link);
    return this;
  }

  sit(...seats) {
    for (const seat of seats) this.add("sat", seat, this.promise(seat));
    return this;
  }

  promise(seat, number = numberOf(seat)) {
    return hex(entropyCommitment(this.table, seat, unhex(number)));
  }

  deal(...due) {
    const { people } = this.chain;
    this.sit(...people).add("full");
    for (const seat of people) this.add("opened", seat, numberOf(seat));
    return this.add("dealt", due);
  }

  commit(seat, pick = "C", nonce = NONCE) {
    const { decision, decisionHead } = this.chain;
    return hex(pickCommitment(this.table, decision, seat, unhex(decisionHead), pick, nonce));
  }

  placed(seat, pick = "C") {
    return this.add("sealed", this.chain.decision, seat, "person", this.commit(seat, pick));
  }

  get key() {
    const { full, opened } = this.chain;
    return tableKey(
      unhex(SEED),
      this.table,
      unhex(full),
      [...opened].sort().map(([, number]) => unhex(number)),
    );
  }

  /** The nonce of a machine's pick. */
  nonceOf(by, seat) {
    return tableNonce(this.key, by, this.chain.decision, seat);
  }

  async sig(number = this.links.length - 1) {
    const bytes = await sign(headDigest(this.table, number, this.heads[number]));
    return Buffer.from(bytes).toString("base64url");
  }

  // --- frames ---

  welcome() {
    return { t: "welcome", table: this.table, seat: 1, v: this.v, plays: true, now: this.at, ping: 20_000 };
  }

  async missed(after = -1) {
    return { t: "links", first: after + 1, links: this.links.slice(after + 1), sig: await this.sig() };
  }

  snap(changes = {}, view = { decision: this.chain.decision }) {
    const { key, seedCommit, setup, dealt, ended } = this.chain;
    const { game, rules, seal, flag, opening, clock } = setup;
    const turn = dealt && !ended ? this.turnInfo : null;
    const state = ended || (dealt ? "playing" : "open");
    const table = { id: this.table, state, seats: [], said: [], key, seed_commit: seedCommit, turn };
    const whole = { ...table, game, rules, seal, flag, opening, clock, ...changes };
    return { t: "snap", v: this.v, now: this.at, table: whole, view: dealt ? view : null, legal: ["C"], placed: null };
  }

  get turnInfo() {
    const { decision, due, maySeal, sealed, clocks } = this.chain;
    const seals = [...sealed].map(([seat, each]) => ({ seat, ...each }));
    const times = [...clocks.starts.keys()].map((seat) => [seat, clocks.deadline(seat)]);
    const deadlines = clocks.runs ? Object.fromEntries(times) : {};
    return { decision, waiting: due, may_seal: maySeal, sealed: seals, deadlines };
  }

  /** The last link as an event; `more` are other fields of it. */
  async event(more = {}) {
    const [kind, at, ...fields] = this.links.at(-1);
    const named = Object.fromEntries(Object.keys(KINDS[kind]).map((name, place) => [name, fields[place]]));
    return { t: "ev", v: ++this.v, k: kind, at, n: this.links.length - 1, ...named, sig: await this.sig(), ...more };
  }

  /** Adds a link, and says so. */
  async claim(kind, ...fields) {
    return this.add(kind, ...fields).event();
  }

  // --- the record ---

  /** Plays a decision to its end: `made` are the picks by seat; a machine promises first. */
  turn(made, ...due) {
    const { decision, machines } = this.chain;
    this.picks[decision - 1] = made;
    const seats = [1, 2].filter((seat) => made[seat - 1] !== null);
    const nonces = Object.fromEntries(
      seats.map((seat) => [seat, machines[seat - 1] ? this.nonceOf("machine", seat) : NONCE]),
    );
    const seals = Object.fromEntries(seats.map((seat) => [seat, this.commit(seat, made[seat - 1], nonces[seat])]));
    for (const seat of seats)
      if (machines[seat - 1]) this.add("promised", decision, seat, machines[seat - 1], seals[seat]);
    for (const seat of seats) {
      this.add("sealed", decision, seat, machines[seat - 1] ? "machine" : "person", seals[seat]);
      this.nonces.push(machines[seat - 1] ? null : hex(NONCE));
    }
    return this.add("revealed", decision, [], due);
  }

  async record(changes = (record) => record) {
    const result = { winner: 1, termination: "completed", score: [1, 0] };
    this.add("over", { replaced: [], ...result }, SEED);
    const fair = { links: this.links, nonces: this.nonces, sig: await this.sig(), pools: [] };
    const about = { id: this.table, game: "none", version: 1, rules: "plain", seats: ["a", "b"] };
    const record = { ...about, seed: SEED, chance: [], picks: this.picks, result, fair };
    const signature = hex(await sign(recordDigest(record)));
    return changes(structuredClone({ ...record, signed: { key: KEY, signature } }));
  }
}
