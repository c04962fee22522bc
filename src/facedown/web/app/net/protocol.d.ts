// Types of the WebSocket messages and the REST API, as JSON brings them: for the type checker, not for pages.
// Generated from facedown.protocol by scripts/browser_types.py; do not edit.

/** A command carried out, and on disk. `v` is the number of its event. */
export interface Ack {
  t: "ack";
  id: string;
  v: number;
  next?: string | null;
}

/** The list of tables for the operator: no view, no pick, no invitation. */
export interface AdminTables {
  tables: ListedTable[];
  loaded: number;
}

/** The server is about to close the connection; `again`: reconnect after that many milliseconds. */
export interface Bye {
  t: "bye";
  code: string;
  say: string;
  again?: number | null;
}

/** A chat message: a text or a preset phrase. */
export interface ChatMessage {
  seat: number;
  name: string;
  text: string | null;
  preset: string | null;
  /** milliseconds since 1970 */
  at: number;
}

/** The time control: none, seconds or days for each decision, and a bank for the whole game. */
export interface Clock {
  kind?: "correspondence" | "decision" | "none";
  seconds?: number;
  days?: number;
  /** seconds or days, of the same unit */
  bank?: number;
}

/** The reason for closing a table, shown to everybody at it. */
export interface CloseTable {
  say?: string;
}

/** A seat's command; repeated with the same id until it is answered. */
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

/** A seat's command; repeated with the same id until it is answered. */
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

/** The finished game that this one continues, and how many of its decisions were taken over. */
export interface ContinuedGame {
  table: string;
  decisions: number;
}

/** A table that was created. Only machines sit yet. */
export interface CreatedTable {
  table: string;
  invite: string;
  seed_commit: string;
  seats: ListedSeat[];
}

/** An event of kind `k`, "-" where this viewer may not know it. The last six fields are the new state. */
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

/** A page of events, oldest first, as `ev` messages of the WebSocket; `more` where there are others. */
export interface Events {
  v: number;
  events: any[];
  more: boolean;
}

/** A filter for events: later than `after`; with `wait`, seconds to wait for the next one. */
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
 * A finished game of this person; `won` is null where it was drawn, and one that continued a position of another
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

/** A game event as this viewer may know it; `kind` "-" where it may not. */
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

/** The result of a game, and the seats that a machine had taken over. */
export interface GameResult {
  winner: number | null;
  termination: string;
  score: number[];
  replaced: ReplacedSeat[];
}

/**
 * A handover code, which works once, on another device: its link, and that as a QR code (SVG). The picture comes
 * with the code, so that no address but the link itself ever holds it.
 */
export interface Handover {
  code: string;
  /** milliseconds since 1970 */
  expires_at: number;
  link: string;
  qr: string;
}

/** The answer of a healthy server. */
export interface Health {
  status?: "ok";
}

/** The first message of a connection: the table, and the seat's token; none for a spectator. */
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

/** A fresh invitation; earlier ones are void. */
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

/** A seat to take, with the commitment to the entropy of this seat. */
export interface Join {
  seat: number;
  /** 32 bytes in hexadecimal */
  commit: string;
}

/** A seat that was taken, and its token. */
export interface Joined {
  table: string;
  seat: number;
  token: string;
}

/** A filter for the list of tables: public ones, or with `mine` those of the caller. */
export interface ListQuery {
  state?: "closed" | "open" | "opening" | "over" | "playing" | null;
  game?: string;
  mine?: boolean;
}

/** A seat in a list of tables; no name where it is free. */
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

/** A list of tables, newest first; with `mine` last changed first. */
export interface ListedTables {
  tables: ListedTable[];
}

/** A machine to play against, described in one sentence. */
export interface MachineInfo {
  name: string;
  says: string;
}

/** A seat that a machine takes at once. */
export interface MachineSeat {
  kind: "machine";
  machine: string;
}

/** A command refused; nothing has changed. */
export interface Nak {
  t: "nak";
  id: string;
  code: string;
  say: string;
  rule?: string;
  status?: number;
}

/**
 * A position to continue from: after `keep` decisions, on the caller's own seat, or on `seat` for a spectator. On
 * all other seats sits that machine, or the game's usual one.
 */
export interface NewContinuation {
  keep: number;
  seat?: number | null;
  machine?: string | null;
}

/** The table at which the other device continues; none where it is left out. */
export interface NewHandover {
  table?: string | null;
}

/** The name that a person wants to have. */
export interface NewName {
  /** cut to 32 characters */
  name: string;
}

/** A guest session to create: browsers get a cookie, programs a bearer token. */
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

/** An option of a game's rules. */
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

/** A seat for a person who joins. */
export interface PersonSeat {
  kind: "person";
}

/** A keep-alive. `v` is the newest event: where it is larger than the client's own, events are missing. */
export interface Ping {
  t: "ping";
  v: number;
  /** milliseconds since 1970 */
  now: number;
}

/** A person's statistics in one game; no rating before the first game that counts for one. */
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

/** A person's own profile: name, finished games, statistics. */
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

/** The keys of a browser's push subscription. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** A browser's push subscription, as its `PushSubscription.toJSON()` writes it. */
export interface PushSubscription {
  endpoint: string;
  keys: PushKeys;
}

/**
 * A rating in one game, from `games` between people alone: its `mean` (25 is where all start) and its deviation;
 * `course` is the rating after each of the last hundred games, oldest first.
 */
export interface RatingInfo {
  mean: number;
  deviation: number;
  games: number;
  course: RatingPoint[];
}

/** A rating after one game. */
export interface RatingPoint {
  /** milliseconds since 1970 */
  at: number;
  mean: number;
}

/** The kind of client that takes the session over. */
export interface RedeemHandover {
  kind?: "browser" | "program";
}

/** A seat that a machine took over, from this decision on. */
export interface ReplacedSeat {
  seat: number;
  machine: string;
  decision: number;
}

/** An offer that a machine takes over a seat; it does so when all needed seats have agreed. */
export interface ReplacementOffer {
  machine: string;
  agreed: number[];
  needed: number[];
}

/** A seat to resume; needed where a person has several. */
export interface Resume {
  seat?: number | null;
}

/** A fresh token for a seat; the old one expires when this one is used. */
export interface Resumed {
  seat: number;
  token: string;
}

/** The seat whose picks are reviewed. */
export interface ReviewQuery {
  seat?: number;
}

/** Whether this connection plays its seat, or reads because a newer one plays. */
export interface Role {
  t: "role";
  plays: boolean;
}

/** A rule set: its canonical text, or its problems; and the game's page with its values filled in. */
export interface RulesInfo {
  rules: string;
  problems: string[];
  notes: string[];
  sentences: Record<string, string>;
  page: string;
}

/** A rule set by its text; the game's first preset where it is left out. */
export interface RulesQuery {
  /** such as `preset(option=value)` */
  rules?: string;
}

/** A sealed pick: its seat and its commitment; `flag`: the clock placed it. */
export interface SealInfo {
  seat: number;
  commit: string;
  flag: boolean;
}

/** A seat: who sits there, connected or not, and what it committed to. */
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

/** The series of games of the same people: this game's number, and the wins and ties before it. */
export interface Series {
  number: number;
  wins: number[];
  ties: number;
  previous: string | null;
}

/** A session: who is calling. The token is sent once, and to programs only. */
export interface Session {
  person: string;
  name: string;
  token?: string;
}

/** A snapshot of the table as this viewer may see it now. */
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
 * The solver's answer for a rule set: who is favoured, the value that the sentences explain, and how often a game
 * is drawn. No value where that is not known: then the sentence says why.
 */
export interface SolverAnswer {
  rules: string;
  favoured: Favoured | null;
  value: number | null;
  tie: number | null;
  sentences: string[];
}

/** A keep-alive, in a stream. */
export interface StreamIdle {
  t: "idle";
}

/** The end of a game, in a stream. */
export interface StreamOver {
  t: "over";
  table: string;
}

/** A turn, in a stream: a seat of this person may seal now. */
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

/** A table to create. */
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

/** Take the seat over: this connection plays it again, the one that did becomes a reader. */
export interface Take {
  t: "take";
}

/** The open decision: seats still to pick, seats that may seal now, seals, deadlines and banks. */
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

/** The answer to hello; missed events and a snapshot follow. */
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
