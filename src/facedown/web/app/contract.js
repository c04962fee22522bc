// The contract between the shell and a game's table: types only, no behaviour. A game's `web/table.js` exports
// a GameTable by default; the shell names no game and knows no rule, a game knows no socket and no address.

// Style: games use the custom properties of `styles/base.css`, which change with the theme: --ground (the room),
// --table (raised), --line, --text, --soft (quiet text on the lit table), --ash (quiet text on the ground), --button,
// --button-text, --lamp, --veil, --edge (margin), --bar (height of the bar), --display and --plain (faces),
// --card-scale (0.85, 1 or 1.15); and those that never change: --ink, --bone, --red, --gold, --sage, --iron.
// `:root[data-motion="less"]` asks for little motion. Class names of a game start with its own two letters. Classes to
// share: `button first|second|big`, `link`, `display`, `quiet`, `small`, `numbers`, `unseen`, `panel` (raised from
// the ground), `wrap` (a row that wraps), `one-line`; and those of `table/parts.css`. The label of a seat carries
// `data-anchor` with its number: the shell shows that seat's chat bubbles there, above it if there is room and the
// label has `data-speech="above"`.

/** @import { TableInfo, TurnInfo } from "./net/protocol.js" */

/** @typedef {string} Pick  A pick in the game's notation, as `legal` lists it. */

/** An event of the game; only `{kind: "-"}` if this viewer may not know it.
 * @typedef {Required<import("./net/protocol.js").GameEvent>} GameEvent */

/** A reveal: what was turned, what came of it, and how this viewer saw the table before.
 * `opens` leaves out picks that the game keeps face down from this viewer.
 * @typedef {{decision: number, opens: import("./net/protocol.js").OpenedPick[], events: GameEvent[],
 *   before: any, placed: Pick|null, clocked: number[]}} Reveal  `clocked`: seats whose picks the clock placed */

/** Everything that a table may show. Plain values; a new object after every change.
 * @typedef {object} Sight
 * @property {TableInfo} table
 * @property {number} seat          whose view it is; 0 = spectator
 * @property {any} view             the game's own view as JSON, after the last reveal; null before the deal
 * @property {Pick[]} legal         what this seat may pick in the open decision; empty when it has nothing to decide
 * @property {Pick|null} placed     this seat's own sealed pick of the open decision (at once, before it is confirmed)
 * @property {boolean} sending      the placed pick is still on its way
 * @property {TurnInfo|null} turn
 * @property {boolean} mayPick      this seat may seal now: listed in turn.may_seal, nothing placed, nothing revealing
 * @property {Record<string, string|number>} options   the rules' options (a switch is "on" or "off"); empty until known
 * @property {(seat: number) => string} names   the name to show; "You" is up to the game (seat === sight.seat)
 * @property {(seat: number) => string} [face]  the address of the portrait of a seat's machine; "" for none
 * @property {Reveal|null} lastReveal
 * @property {boolean} revealing    lastReveal is being shown: later events wait until act.revealed() is called; after
 *                                  act.settled() only another reveal, and what comes after it, waits
 * @property {boolean} shared       several people look at this screen together (pass and play): the public view,
 *                                  seat 0, that goes on by hand
 * @property {boolean} connected
 * @property {() => number} now     the server's clock, in ms */

/** What a table may do.
 * @typedef {object} Act
 * @property {(pick: Pick) => Promise<void>} pick   seals; rejects with {code, say, rule?} if the table refuses
 * @property {() => void} resign                    asks first
 * @property {(text: string) => Promise<void>} say  rejects with {code, say} if the table refuses
 * @property {(ruleIds: string[], sentence: string, events?: GameEvent[]) => void} why   opens the why dialog, with
 *                                                  the game's own `answer` to the events of the reveal
 * @property {() => Promise<Reveal[]>} reveals       all reveals so far, oldest first, also from before this page was
 *                                                  opened; `before` and `placed` are null in them
 * @property {() => void} settled                   the reveal's result stays until the player acts: others may go on
 * @property {() => void} revealed                  the reveal has been shown, or skipped, or read
 * @property {(name: SoundName, weight?: number) => void} sound  0 to 1: how much is at stake */

/** The sounds of the table, some with a vibration where the device has one (`seal`: with a weight, for one's own).
 * `draw` is level, `tie` is several highest, `last` someone's last card, `upset` the lowest beats the highest; `plus5`,
 * `comeback` and `decided` rise for the winner (weight over 0.5) and fall for the loser. `plus5` begins with 120 ms of
 * stillness, strikes at 240 and 330 ms, and counts from 700 ms.
 * @typedef {"place"|"seal"|"lift"|"turn"|"win"|"lose"|"draw"|"tie"|"plus5"|"clock"|"knock"|"deal"|"pulse"|"last"|
 *   "upset"|"comeback"|"decided"} SoundName */

/** What a narration needs to know: who reads it.
 * @typedef {object} NarrationContext
 * @property {number} you                           the viewer's seat; 0 = spectator
 * @property {(seat: number) => string} names
 * @property {Words} words
 * @property {any} [view]                           the game's view, if one is known
 * @property {boolean} [aloud]                      it is read aloud: words instead of signs */

/** A sentence of the game's own words in the language shown; `{name}` in it is replaced by params.name, and
 * params.count chooses among plural forms.
 * @typedef {(key: string, params?: Record<string, string|number>) => string} Words */

/** The messages of a catalogue by key: a text, or its plural forms. The server makes them from the game's `.po` files
 * at `/words/games/NAME/LANGUAGE.js`; see docs/translating.md.
 * @typedef {Record<string, string|string[]>} Texts */

/** @typedef {{sight: Sight, act: Act, words: Words, motion: "full"|"less"}} TableProps */

/** @template P @typedef {(props: P) => any} Component */

/** A hint of the guided first game: shown while `when` holds, until it is read. Its sentence is the word `guide.ID`,
 * with `params`. @typedef {{id: string, when: (sight: Sight) => boolean,
 *   params?: (sight: Sight) => Record<string, string|number>}} Hint */

/** One picture of *How to play*: cards as picks or "face down", and ">" (beats), "=" (level), "+" (draws) or "swap"
 * between them; its sentence is the word `lesson.ID`. @typedef {{id: string, picture: string[]}} Lesson */

/** What `games/NAME/web/table.js` exports by default.
 *
 * Well-known word keys that the shell looks up (all optional):
 * `title`, `summary`, `preset.NAME.name`, `changed.OPTION=VALUE` (a preset of this {name} with that change alone),
 * `option.NAME.value.VALUE`, `machine.NAME.name`,
 * `origin` (where the game comes from, for the About page), `rule.ID` (the rule sentence for why? and the
 * rules page), `section.HEADING` (a heading of the rules page), `keys` (what the keys do, one "key: meaning" a line),
 * `decisions` (how many a game had, with {count}), `ending.NAME`, `favoured.ROLE` (a side that the solver may name),
 * `score` (a score of two, with {own} and {other};
 * a blank if it is not shown).
 *
 * @typedef {object} GameTable
 * @property {Texts} [words]                        the English ones; our own games need none here
 * @property {(view: any) => number} [rounds]       how many rounds were played, for the house
 * @property {(reveal: Reveal, sight: Sight) => Record<number, "hit"|"pleased">} [moods]  by seat, whom a decisive
 *                                                  reveal hits or pleases; characters of the house show it
 * @property {string} styles                        address of the style sheet
 * @property {Component<TableProps>} Table          the stage between the shell's header and footer; handles arrows,
 *                                                  1–7, Enter, x and w itself (not while a dialog is open)
 * @property {Component<{size: "fan"|"glyph", words: Words}>} Summary  the game's emblem: a fan of cards (fills the
 *                                                  width of its box, 560 × 260 on home) or a small mark of 1em
 * @property {Component<{pick: Pick, size: "card"|"glyph", words?: Words}>} Pick  one pick drawn: a card that fills its
 *                                                  box, or 1em
 * @property {(event: GameEvent, ctx: NarrationContext) => string|null} narrate  one event as a sentence; null = none
 * @property {(events: GameEvent[], ctx: NarrationContext) => {picture: string[], say: string}|null} [answer]  why a
 *                                                  reveal came out as it did: a picture as in a Lesson, and a sentence
 *                                                  ("" if the one that asked says enough); null if there is no answer
 * @property {(pick: Pick, ctx: NarrationContext) => string} pickName  "Emperor", "exchange 7♥"
 * @property {Pick} [poster]                        the pick that a first visit sees turned
 * @property {string[]} [lengths]                    presets from short to long, which *Play now* then offers; the words
 *                                                  `length.PRESET` name them
 * @property {string[]} [sides]                      by seat, the word key of its first side: *Play now* then offers the
 *                                                  choice
 * @property {number} [seats]                        how many sit down at *Play now*, machines included; else the fewest
 * @property {Hint[]} [hints]                        of the guided first game, in order
 * @property {{option: string, value: string}} [even]  the option that makes the chances even; with it go the words
 *                                                  `even.why` (why they are not without it) and `even.do` (a button)
 * @property {Lesson[]} [lessons]                    *How to play*, in order
 * @property {(view: any, rules: string) => number[][]|null} [due]  who has to pick, in placing order, from what is
 *                                                  public and without the view's `waiting`; null if it is not known.
 *                                                  Without it, a blind table asks before it opens a pick
 * @property {(view: any, ctx: NarrationContext) => string} [place]            the progress of the game: "Round 5 of 12"
 * @property {(sight: Sight, ctx: NarrationContext) => string} [choice]        what there is to choose from and what
 *                                                  it depends on, as it is read aloud: "You hold the Emperor …"
 * @property {(view: any, ctx: NarrationContext) => string} [standing]         the score: "3–8"; for lists
 * @property {(view: any, ctx: NarrationContext, step: number) => Outline} [outline]  the end of a game, from its
 *                                                  last view and the step that decided (0 for none); without it, the
 *                                                  table stays and the result is below it
 * @property {(outline: Outline) => {hold: number, lift: number, turn: number, settle: number}} [pace]  how long the
 *                                                  stages of the reveal that decided take at the table, in ms
 * @property {Component<{}>} [Seal]                  what lies behind the deciding cards if they are `loud`
 * @property {(view: any, ctx: NarrationContext) => string} [howEnded]         how a game ended, in a sentence; else the
 *                                                  word `termination.NAME`
 * @property {{id: string, title: string, rules: string[], Component: Component<{words: Words, motion: "full"|"less",
 *   sound: Act["sound"]}>}[]} rulesExamples         playable examples; `title` is a word key, `rules` the ids they show
 * @property {{draws?: (record: any) => {count: number, place: number}[]|null,
 *   turned?: (events: GameEvent[]) => Turned[]}} [review] `draws`: the draws of the deal, each as the number of options
 *   in canonical order and the place of the one drawn, for games whose records do not list the
 *   options; `turned`: what lay on the table in a decision, from its events */

/** The end of a game in pictures. All of it follows from the last view.
 * @typedef {object} Outline
 * @property {{seat: number, pick: Pick, won: boolean|null}[]} cards  the two that decided, the reader's own last;
 *                             none if nothing was turned
 * @property {boolean} loud    whether the game draws its `Seal` behind them
 * @property {number} step     the step that decided, from 1; 0 for none
 * @property {{seat: number, values: number[]}[]} lines  what a seat had before the first step and after each one; the
 *                             reader's own last. A line may end before the others
 * @property {{pick: Pick, won: boolean, text: string}[][]} [cells]  of each step, in the order of the lines
 * @property {string} [nobody]  said in a cell that no seat won
 * @property {number[]} [parts]  after which steps a new part of the game begins
 * @property {boolean} [names]  the lines end in names, not in numbers
 * @property {string} summary  the course in a sentence
 * @property {(step: number) => string} stepName */

/** A seat's card as it lay on the table; `given` is the pick that it came for, if that was another card.
 * @typedef {{seat: number, pick: Pick, won: boolean, given?: Pick}} Turned */

export {};
