"""Facedown: the games in which everybody places a card face down and all are turned at once.

    import facedown

    match = facedown.new("ecard", rules="decisive", seats=("Ann", "Bo"), seed="oak")
    while not match.outcome:
        for seat in match.may_seal:
            match.seal(seat, match.legal(seat)[0])
    facedown.save(match, "game.json")

What there is
    games()                      the names of all games
    game(name)                   a game: its title, its rules, its version
    rules(game, rules)           a rule set, from text or from a mapping of options
    ECardRules, DavenportRules   the rule sets of both games: a field for each option
    bots(game)                   the bots of a game, by name

Playing
    new(game, rules)             a match to play by hand
    play(game, bots)             one game between bots
    Match, Outcome               a game in progress, which prints as its table, and how it ended
    play_many(game, bots)        many games between bots: shares, intervals, records
    GameSeries, GameStatistics, Estimate  what that returns, and what is in it
    arena(game, bots)            every bot against every other one: cross table and ratings
    ArenaResult, Rating          what that returns, and what is in it
    connect(address)             a seat at a table on a server, with `with` or `async with`
    Connector, BlockingTable, ServerTable, Turn  what that returns; the table inside `with` and `async with`

Answers
    solve(game, rules)           the exact solution, and that of single positions: `.at(…)`
    SolvedGame, Answer           what that returns, and what every solver answers
    ECardAnswer, ECardPosition   what E-Card's solver answers
    explore(game, rules)         one solved position: values, mixes, and the best answers to habits and people
    Exploration, SideReport, PickWorth, MixTable, PositionField, Way  what that returns, and what is in it
    HabitAnswer, HabitPart       the best answer to a habit
    review(record, seat)         winning chances, what picks cost, luck and skill
    SeatReview, Guess, Share, Predictability, Expected  what that returns, and what is in it
    readable(records, who)       what gives a player away over many games, and what it costs
    Readability, ReadableWeek    what that returns, and its weeks
    FoundHabit, HabitCost, HabitWeek  a habit, what a reader makes of it, and its weeks
    verify(record)               everything that a record claims, checked
    Finding                      one thing that was checked

Records
    Record                       a game, written down: `read` and `write` are its text
    save(record, path), load(path)  a record, or that of a match, in a file
    records(path)                the records of a file or a folder, one after the other
    replay(record)               the match of a record
    decisions(records)           every decision of recorded games as a row of a table
    Origin, Signed, Proof        what game it continues, who signed it, what proves a server's deal and seals

Errors
    FacedownError                every error of this library; its `code` is stable
    IllegalPick, UnreadablePick, Unsupported  three of them

For authors of bots
    Bot, Memory, Expectation     to write a bot
    Stream                       its randomness
    ECardView, ECardRound, Meeting  what a bot of E-Card sees
    DavenportView, DavenportRound, Gone, OwnChoice, Card  what a bot of Davenport sees

For authors of games
    Game, Meta, Citations        a game, what it is, and the rules it cites
    Rules, Preset, Option, Choice, Number, Numbers, Switch  its rule sets
    Step, Waves, Joint, Pick, RESIGN, Seat, Viewer, SPECTATOR  a decision, and who takes part in it
    Chance, Exact                what is left to chance: drawn, or every way
    Event, Seen, Redacted, public, private  what happened, and who sees it
    View, Encoding, Plain        what a viewer sees, and the same as numbers
    COMPLETED, RESIGNATION, payoffs_to_one  how a game ends
    GameText, GameScenes, Domain, Message, Text, translate, all_of  its words and its table in the terminal
    Judged, Chances, Appraisal, JudgedRound, Timing, ReaderReport, Foretold  the judge of a review
    Exposure, Pattern, BeingRead  what a judge says about being read
    Position, ReplayedTurn       what a solver and a judge are asked about

For researchers
    lay_out                      the whole tree of a small game
    Tree, Situation, Decide, Draw, End  that tree
    solve_sequence_form, best_response, exploitability, Learner  solving it
    restricted_response          what to play against a model that may be wrong

A game is given by its name, its object or its class; rules as text (`"classic(tie=pair)"`), a mapping or a
rules object; a bot by its name, as `"module:Class"`, as a class, an object, a function that makes one or
one that picks; a seed as a text or a whole number. All works for games and bots of other packages, too.

These names are stable, and so are those of `facedown.testing`, which has the checks for games and bots: they
change only with a new major version, after a `DeprecationWarning`. What is imported from deeper inside may
change at any time.
"""

from __future__ import annotations

import os.path
import sys
from importlib import import_module
from types import ModuleType
from typing import Any


def _read_homes() -> dict[str, str]:
    """The module of each public name, from the stub that type checkers read.

    A line of it is `from MODULE import NAME as NAME`; a module is imported when a name of it is first used.
    """
    stub: bytes = __spec__.loader.get_data(os.path.join(__path__[0], "__init__.pyi"))  # also from a zip file
    imports = [line.split() for line in stub.decode().splitlines() if line.startswith("from ")]
    return {words[3]: words[1] for words in imports}


_HOMES = _read_homes()
_CLIENT = ("facedown.client.", "facedown.library.online")  # they need an extra, and `import *` does not
__all__ = sorted(name for name, home in _HOMES.items() if name[0] != "_" and not home.startswith(_CLIENT))


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'facedown' has no attribute {name!r}")
    try:
        value = getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        if not _HOMES[name].startswith(_CLIENT):
            raise
        raise AttributeError(f"facedown.{name} needs the extra `client`: {error}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__all__", "__doc__", "__file__", "__name__", "__path__"])


class _Package(ModuleType):
    """This package as a module in which public functions win over subpackages of the same name.

    Importing `facedown.games` would otherwise replace the function `games` (also `bots`, `solve`, `review`).
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
