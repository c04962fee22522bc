// Types of the WebSocket messages and the REST API, as JSON brings them: for the type checker, not for pages.
// Generated from facedown.protocol by scripts/browser_types.py; do not edit.

/** Done, and on disk. `v` is the event that it made. */
export interface Ack {
  t: "ack";
  id: string;
  v: number;
  next?: string | null;
}

/** Tables as the operator sees them: no view, no pick, no invitation. */
export interface AdminTables {
  tables: ListedTable[];
  loaded: number;
}

/** The server is about to close; `again`: come back after so many milliseconds. */
export interface Bye {
  t: "bye";
  code: string;
  say: string;
  again?: number | null;
}

/** Something that was said at the table. */
export interface ChatMessage {
  seat: number;
  name: string;
  text: string | null;
  preset: string | null;
  /** milliseconds since 1970 */
  at: number;
}

/** How long a decision may take: for ever, some seconds or some days; and a bank for the whole game. */
export interface Clock {
  kind?: "correspondence" | "decision" | "none";
  seconds?: number;
  days?: number;
  /** seconds or days, of the same unit */
  bank?: number;
}

/** Why a table is closed, told to everybody at it. */
export interface CloseTable {
  say?: string;
}

/** Something that a seat wants to do; repeated with the same id until it is answered. */
export interface Cmd {
  t: "cmd";
  /** unique for this seat, such as a ULID */
  id: string;
  do: "agree" | "leave" | "open" | "pick" | "rematch" | "replace" | "resign" | "say";
  decision?: number | null;
  pick?: string | null;
  commit?: string | null;
  nonce?: string | null;
  entropy?: string | null;
  text?: string | null;
  preset?: "good_luck" | "hello" | "one_moment" | "sorry" | "thanks" | "well_played" | null;
  seat?: number | null;
  machine?: string | null;
}

/** Something that a seat wants to do; repeated with the same id until it is answered. */
export interface Command {
  /** unique for this seat, such as a ULID */
  id: string;
  do: "agree" | "leave" | "open" | "pick" | "rematch" | "replace" | "resign" | "say";
  decision?: number | null;
  pick?: string | null;
  commit?: string | null;
  nonce?: string | null;
  entropy?: string | null;
  text?: string | null;
  preset?: "good_luck" | "hello" | "one_moment" | "sorry" | "thanks" | "well_played" | null;
  seat?: number | null;
  machine?: string | null;
}

/** A command carried out, and on disk; `next` is the table of the rematch. */
export interface CommandDone {
  id: string;
  v: number;
  next?: string;
}

/** The finished game from which this one goes on, and how many of its decisions were taken over. */
export interface ContinuedGame {
  table: string;
  decisions: number;
}

/** A new table. Nobody sits yet but machines. */
export interface CreatedTable {
  table: string;
  invite: string;
  seed_commit: string;
  seats: ListedSeat[];
}

/** Something happened; `k` "-" where this viewer may not know it. The last six say what is new. */
export interface Ev {
  t: "ev";
  v: number;
  k: string;
  /** milliseconds since 1970 */
  at?: number;
  seat?: number;
  unopened?: number[];
  name?: string;
  machine?: string;
  by?: number;
  commit?: string;
  entropy?: string;
  decision?: number;
  flag?: boolean;
  opens?: OpenedPick[];
  events?: GameEvent[];
  text?: string;
  preset?: string;
  result?: GameResult;
  seed?: string;
  next?: string;
  ms?: number;
  say?: string;
  state?: "closed" | "open" | "opening" | "over" | "playing";
  seats?: SeatInfo[];
  turn?: TurnInfo | null;
  view?: any;
  change?: ViewDelta;
  legal?: string[];
}

/** What happened, oldest first, as `ev` messages of the socket; `more` where this was not all. */
export interface Events {
  v: number;
  events: any[];
  more: boolean;
}

/** Events later than `after`; `wait` seconds for the next one where there is none yet. */
export interface EventsQuery {
  after?: number;
  wait?: number;
}

/** Who gains by perfect play: a seat, or a role of the game where the deal says which seat has it. */
export interface Favoured {
  seat?: number | null;
  role?: string | null;
}

/**
 * A finished game of this person; `won` is null where it was drawn, and one that went on from a position of another
 * game is `continued`: it counts in no statistics.
 */
export interface FinishedGame {
  table: string;
  game: string;
  rules: string;
  /** milliseconds since 1970 */
  ended_at: number;
  seat: number;
  names: string[];
  score: number[];
  won: boolean | null;
  termination: string;
  continued: boolean;
}

/** An event of the game as this viewer may know it; `kind` "-" where it may not. */
export interface GameEvent {
  kind: string;
  facts?: Record<string, any>;
  rules?: string[];
}

/** A game, with everything that a screen needs to offer it. */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  least_seats: number;
  most_seats: number;
  version: number;
  options: OptionInfo[];
  presets: PresetInfo[];
  machines: MachineInfo[];
  usual_machine: string;
}

/** How it ended, and which seats a machine had taken over. */
export interface GameResult {
  winner: number | null;
  termination: string;
  score: number[];
  replaced: ReplacedSeat[];
}

/**
 * A code that works once, on another device: the link that holds it, and that as a QR code (SVG). The picture comes
 * with the code, so that no address but the link itself ever holds it.
 */
export interface Handover {
  code: string;
  /** milliseconds since 1970 */
  expires_at: number;
  link: string;
  qr: string;
}

/** Well. */
export interface Health {
  status?: "ok";
}

/** The first frame: which table, and as whom. Without a token one watches. */
export interface Hello {
  t: "hello";
  table: string;
  token?: string | null;
  v?: number | null;
  play?: boolean;
}

/** Which seats are connected now, and for which a machine may be offered. */
export interface Here {
  t: "here";
  seats: number[];
  replaceable: number[];
}

/** A fresh invitation; earlier ones open nothing any more. */
export interface InviteCode {
  invite: string;
}

/** The table that an invitation is for. */
export interface InvitedTable {
  table: string;
  game: string;
  title: string;
  rules: string;
  state: "closed" | "open" | "opening" | "over" | "playing";
  seats: ListedSeat[];
  clock: Clock;
  watch: "anyone" | "nobody";
  hotseat: boolean;
  seed_commit: string;
  series: Series;
  yours: number[];
  /** milliseconds since 1970 */
  created_at: number;
}

/** Sit down, with the commitment of one's own random bytes. */
export interface Join {
  seat: number;
  /** 32 bytes in hexadecimal */
  commit: string;
}

/** A seat of one's own, and the token that proves it. */
export interface Joined {
  table: string;
  seat: number;
  token: string;
}

/** Which tables: public ones, or one's own with `mine`. */
export interface ListQuery {
  state?: "closed" | "open" | "opening" | "over" | "playing" | null;
  game?: string;
  mine?: boolean;
}

/** Who sits where, in a list; no name where the seat is free. */
export interface ListedSeat {
  seat: number;
  name: string;
  kind: "machine" | "person";
}

/** A table in a list. */
export interface ListedTable {
  table: string;
  game: string;
  rules: string;
  state: "closed" | "open" | "opening" | "over" | "playing";
  seats: ListedSeat[];
  clock: Clock;
  /** milliseconds since 1970 */
  created_at: number;
  yours: number[];
  your_turn: boolean;
  v: number;
}

/** Tables, newest first; one's own: last changed first. */
export interface ListedTables {
  tables: ListedTable[];
}

/** An opponent, and one honest sentence about it. */
export interface MachineInfo {
  name: string;
  says: string;
}

/** A seat that a machine takes at once. */
export interface MachineSeat {
  kind: "machine";
  machine: string;
}

/** Refused; nothing has changed. */
export interface Nak {
  t: "nak";
  id: string;
  code: string;
  say: string;
  rule?: string;
  status?: number;
}

/**
 * From where one goes on: after so many decisions; on one's own seat, or on this one, where one watched. On all
 * other seats sits that machine, or the game's usual one.
 */
export interface NewContinuation {
  keep: number;
  seat?: number | null;
  machine?: string | null;
}

/** At which table the other device goes on; at none where nothing is said. */
export interface NewHandover {
  table?: string | null;
}

/** What somebody wants to be called. */
export interface NewName {
  /** cut to 32 characters */
  name: string;
}

/** A guest: browsers get a cookie, programs a bearer token. */
export interface NewSession {
  name?: string | null;
  kind?: "browser" | "program";
}

/** A revealed pick with the nonce of its seal. */
export interface OpenedPick {
  seat: number;
  pick: string;
  nonce: string;
}

/** One thing that a table may choose. */
export interface OptionInfo {
  name: string;
  label: string;
  help: string;
  rule: string;
  kind: "choice" | "number" | "switch";
  values?: string[];
  low?: number;
  high?: number;
}

/** A seat for somebody who joins. */
export interface PersonSeat {
  kind: "person";
}

/** Still there? `v` is the newest event: a larger one than one's own is a gap. */
export interface Ping {
  t: "ping";
  v: number;
  /** milliseconds since 1970 */
  now: number;
}

/** How this person has done in one game; no rating before the first game that counts for one. */
export interface PlayerStatistics {
  game: string;
  played: number;
  won: number;
  lost: number;
  tied: number;
  rating?: RatingInfo | null;
}

/** The answer to a ping. */
export interface Pong {
  t: "pong";
}

/** A named rule set: all its values, and its canonical text. */
export interface PresetInfo {
  name: string;
  meaning: string;
  values: Record<string, string | number>;
  rules: string;
}

/** A problem document (RFC 9457); `code` is stable, `detail` is one sentence for a person. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request: string;
  problems?: string[];
  rule?: string;
}

/** The person's own page. */
export interface Profile {
  person: string;
  name: string;
  games: FinishedGame[];
  statistics: PlayerStatistics[];
}

/** The server's public key for web push (VAPID), as browsers want it. */
export interface PushKey {
  key: string;
}

/** A browser's keys. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** Where a browser wants to be told, as its `PushSubscription.toJSON()` says it. */
export interface PushSubscription {
  endpoint: string;
  keys: PushKeys;
}

/**
 * What is thought of somebody's strength in a game, from `games` between people alone: a `mean` (25 is where all
 * start) and how far that may be off; `course` tells the last hundred games, oldest first.
 */
export interface RatingInfo {
  mean: number;
  deviation: number;
  games: number;
  course: RatingPoint[];
}

/** What somebody's rating was after a game. */
export interface RatingPoint {
  /** milliseconds since 1970 */
  at: number;
  mean: number;
}

/** Which kind of client goes on with the session. */
export interface RedeemHandover {
  kind?: "browser" | "program";
}

/** A machine took over a seat, from this decision on. */
export interface ReplacedSeat {
  seat: number;
  machine: string;
  decision: number;
}

/** Somebody offered that a machine takes over a seat; done when all have agreed. */
export interface ReplacementOffer {
  machine: string;
  agreed: number[];
  needed: number[];
}

/** Which seat to go on with, where one has several. */
export interface Resume {
  seat?: number | null;
}

/** A fresh token for a seat; the old one dies when this one is used. */
export interface Resumed {
  seat: number;
  token: string;
}

/** Whose picks are judged. */
export interface ReviewQuery {
  seat?: number;
}

/** Whether this connection plays its seat, or reads because a newer one plays. */
export interface Role {
  t: "role";
  plays: boolean;
}

/** A rule set read: its canonical text, or the problems; and the game's page with its values filled in. */
export interface RulesInfo {
  rules: string;
  problems: string[];
  notes: string[];
  sentences: Record<string, string>;
  page: string;
}

/** Which rule set; the game's first preset where nothing is said. */
export interface RulesQuery {
  /** such as `preset(option=value)` */
  rules?: string;
}

/** A pick that lies face down: whose, and its commitment; `flag`: the clock placed it. */
export interface SealInfo {
  seat: number;
  commit: string;
  flag: boolean;
}

/** Who sits where. */
export interface SeatInfo {
  seat: number;
  kind: "machine" | "person";
  name: string;
  machine: string | null;
  taken: boolean;
  commit: string | null;
  opened: string | null;
  left: boolean;
  here: boolean;
  replaceable: boolean;
  replaced_at: number | null;
  offer: ReplacementOffer | null;
}

/** The games of these people one after the other: the how-manieth this is, and who won how many before. */
export interface Series {
  number: number;
  wins: number[];
  ties: number;
  previous: string | null;
}

/** Who is calling. The token is told once, and to programs only. */
export interface Session {
  person: string;
  name: string;
  token?: string;
}

/** The whole table as this viewer may see it now. */
export interface Snap {
  t: "snap";
  v: number;
  /** milliseconds since 1970 */
  now: number;
  table: TableInfo;
  view: any;
  legal: string[];
  placed: string | null;
}

/**
 * The verdict on a rule set: who is favoured by perfect play (null: neither), the value as the sentences explain
 * it, and how often a game is drawn. Without a value, the sentence says why there is none.
 */
export interface SolverAnswer {
  rules: string;
  favoured: Favoured | null;
  value: number | null;
  tie: number | null;
  sentences: string[];
}

/** Still here. */
export interface StreamIdle {
  t: "idle";
}

/** A game of this person has ended. */
export interface StreamOver {
  t: "over";
  table: string;
}

/** A seat of this person may seal now. */
export interface StreamTurn {
  t: "turn";
  table: string;
  seat: number;
  decision: number;
  deadline: number | null;
}

/** Everything about a table but the game itself. */
export interface TableInfo {
  id: string;
  game: string;
  version: number;
  rules: string;
  title: string;
  state: "closed" | "open" | "opening" | "over" | "playing";
  hotseat: boolean;
  public: boolean;
  watch: "anyone" | "nobody";
  clock: Clock;
  flag: string;
  host_is_you: boolean;
  yours: number[];
  invite: string | null;
  seed_commit: string;
  seed: string | null;
  seats: SeatInfo[];
  turn: TurnInfo | null;
  series: Series;
  next: string | null;
  result: GameResult | null;
  said: ChatMessage[];
  /** milliseconds since 1970 */
  created_at: number;
  ended_at: number | null;
  continues?: ContinuedGame | null;
}

/** A table as somebody wants it. */
export interface TableOrder {
  game: string;
  seats: (PersonSeat | MachineSeat)[];
  /** such as `preset(option=value)` */
  rules?: string;
  clock?: Clock;
  /** what picks when time is up: `random` or a machine */
  flag?: string;
  public?: boolean;
  watch?: "anyone" | "nobody";
  hotseat?: boolean;
}

/** This connection plays the seat again; the one that did becomes a reader. */
export interface Take {
  t: "take";
}

/** The open decision: who has to pick, who may seal now, who has, and until when. */
export interface TurnInfo {
  decision: number;
  waiting: number[][];
  may_seal: number[];
  sealed: SealInfo[];
  deadlines: Record<string, number>;
  banks: Record<string, number>;
  /** milliseconds since 1970 */
  since: number;
}

/** Delta between two views: `put` replaces fields, `more` appends to lists. */
export interface ViewDelta {
  put?: Record<string, any>;
  more?: Record<string, any>;
}

/** The answer to hello; missed events and a snap follow. */
export interface Welcome {
  t: "welcome";
  table: string;
  seat: number;
  v: number;
  plays: boolean;
  /** milliseconds since 1970 */
  now: number;
  ping: number;
}

export type ClientMessage = Hello | Cmd | Take | Pong;

export type ServerMessage = Welcome | Snap | Ack | Nak | Ev | Role | Here | Ping | Bye;

export type SeatOrder = PersonSeat | MachineSeat;
