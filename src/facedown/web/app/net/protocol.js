// Types of the wire protocol and the REST API, as JSON brings them: types only, no behaviour, never loaded by a page.
// Everything here mirrors the server; nothing else in the client describes what the server sends.

/** A frame of the WebSocket, either way.
 * @typedef {{t: string, [name: string]: any}} Frame */

/** What happened in a game; `{kind: "-"}` where this viewer may not know it.
 * @typedef {{kind: string, facts: Record<string, any>, rules: string[]}} GameEvent */

/** A seat as everybody at the table sees it.
 * @typedef {{seat: number, kind: "person"|"machine", name: string, machine: string|null, taken: boolean,
 *   commit: string|null, opened: string|null, left: boolean, here: boolean, replaceable: boolean,
 *   replaced_at: number|null, offer: {machine: string, agreed: number[], needed: number[]}|null}} SeatInfo */

/** The open decision: who may seal, who has sealed, the clocks.
 * @typedef {{decision: number, waiting: number[][], may_seal: number[],
 *   sealed: {seat: number, commit: string, flag: boolean}[], deadlines: Record<string, number>,
 *   banks: Record<string, number>, since: number}} TurnInfo */

/** How a game ended.
 * @typedef {{winner: number|null, termination: string, score: number[],
 *   replaced: {seat: number, machine: string, decision: number}[]}} GameResult */

/** A chat message: a text, or the name of a ready-made phrase.
 * @typedef {{seat: number, name: string, text?: string, preset?: string, at?: number}} ChatMessage */

/** A table as a viewer sees it.
 * @typedef {{id: string, game: string, version: number, rules: string, title: string,
 *   state: "open"|"opening"|"playing"|"over"|"closed", hotseat: boolean, public: boolean, watch: string,
 *   clock: {kind: string, seconds?: number, days?: number, bank?: number}, flag: string, host_is_you: boolean,
 *   yours: number[], invite: string|null, seed_commit: string, seed: string|null, seats: SeatInfo[],
 *   turn: TurnInfo|null, series: {number: number, wins: number[], ties: number, previous: string|null},
 *   next: string|null, result: GameResult|null, said: ChatMessage[], created_at: number, ended_at: number|null,
 *   continues?: {table: string, decisions: number}|null}} TableInfo */

/** An option of the rules.
 * @typedef {{name: string, label: string, help: string, rule: string, kind: "choice"|"number"|"switch",
 *   values?: string[], low?: number, high?: number}} RulesOption */

/** A game that the server offers.
 * @typedef {{name: string, title: string, summary: string, least_seats: number, most_seats: number, version: number,
 *   options: RulesOption[], presets: {name: string, meaning: string, values: Record<string, any>, rules: string}[],
 *   machines: {name: string, says: string}[], usual_machine: string}} GameInfo */

/** Who is to sit on a seat of a new table.
 * @typedef {{kind: "person"}|{kind: "machine", machine: string}} SeatOrder */

/** A table to be opened.
 * @typedef {{game: string, rules: string, seats: SeatOrder[], clock: object, flag: string, public: boolean,
 *   watch: string, hotseat: boolean}} TableOrder */

/** A table that was opened.
 * @typedef {{table: string, invite: string|null, seed_commit: string}} OpenedTable */

/** A table in a list.
 * @typedef {{table: string, game: string, rules: string, state: string, created_at: number, yours: number[],
 *   your_turn: boolean, seats: {seat: number, name: string, kind: string, taken?: boolean}[],
 *   waiting_for?: string[], since?: number}} ListedTable */

/** A finished game in a player's history.
 * @typedef {{table: string, game: string, rules: string, ended_at: number, seat: number, names: string[],
 *   score: number[], won: boolean|null, termination: string, continued: boolean}} FinishedGame */

/** A player's rating in one game, and its course.
 * @typedef {{mean: number, deviation: number, games: number, course: {at: number, mean: number}[]}} PlayerRating */

/** Whom a rule set favours: a seat, or a role of the game where the deal says which seat has it.
 * @typedef {{seat?: number, role?: string}} Favoured */

/** The exact solver's answer for a rule set.
 * @typedef {{rules: string, favoured: Favoured|null, value: number|null, tie: number|null, sentences: string[]}}
 *   SolverAnswer */

/** The record of a game, as far as verification reads it.
 * @typedef {{id: string, seed?: string, picks: (string|number|null)[][], chance: string[],
 *   continues?: {id: string, decisions: number, draws: number},
 *   fair?: {seed_commit: string, entropy: {seat: number, commit: string, opened: string|null}[],
 *   seals: {seat: number, commit: string, nonce: string, flag?: boolean}[][]}}} GameRecord */

export {};
