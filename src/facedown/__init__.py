"""Facedown: the games in which everybody places a card face down and all are turned at once.

    import facedown

    match = facedown.new("ecard", rules="decisive", seats=("Ann", "Bo"), seed="oak")
    while not match.outcome:
        for seat in match.may_seal:
            match.seal(seat, match.legal(seat)[0])
    match.record().dump("game.json")

What there is
    games()                      the names of all games
    game(name)                   a game: its title, its rules, its version
    rules(game, rules)           a rule set, from text or from a mapping of options
    bots(game)                   the bots of a game, by name

Playing
    new(game, rules)             a match to play by hand
    play(game, bots)             one game between bots
    play_many(game, bots)        many games between bots: shares, intervals, records
    arena(game, bots)            every bot against every other one: cross table and ratings
    connect(address)             a seat at a table on a server, with `with` or `async with`

Answers
    solve(game, rules)           the exact solution, and that of single positions: `.at(…)`
    review(record, seat)         winning chances, what picks cost, luck and skill
    verify(record)               all that a record claims, checked
    replay(record)               the match of a record
    decisions(records)           every decision of recorded games as a row of a table

Classes
    Match, Record, Outcome       a game in progress, written down, and how it ended
    Game, Rules                  to write a game; with them, what the page for game authors lists
    Bot, Memory                  to write a bot
    FacedownError                every error of this library; its `code` is stable

For authors of bots and games
    ECardView, DavenportView     what a bot of that game sees
    Step, Meta, Waves, View, Chance, public, Number, Preset and the others that the page for game authors
    shows, each in the place where a game needs it; `facedown.testing` has the checks for games and bots

For researchers
    lay_out, solve_sequence_form, best_response, exploitability, Learner, Exact

A game is given by its name, its object or its class; rules as text (`"classic(tie=pair)"`), a mapping or a
rules object; a bot by its name, as `"module:Class"`, as a class, an object or a function that makes one; a
seed as a text or a whole number. Everything works for games and bots of other packages, too.

These names and `facedown.testing` are stable: they change only with a new major version, after a
`DeprecationWarning`. What is imported from deeper inside may change at any time.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from facedown.version import __version__ as __version__

if TYPE_CHECKING:
    from facedown.core.cards import Card as Card
    from facedown.core.chance import Chance as Chance
    from facedown.core.chance import Exact as Exact
    from facedown.core.chance import Stream as Stream
    from facedown.core.errors import FacedownError as FacedownError
    from facedown.core.errors import IllegalPick as IllegalPick
    from facedown.core.errors import UnreadablePick as UnreadablePick
    from facedown.core.errors import Unsupported as Unsupported
    from facedown.core.events import Event as Event
    from facedown.core.events import Seen as Seen
    from facedown.core.events import private as private
    from facedown.core.events import public as public
    from facedown.core.game import RESIGN as RESIGN
    from facedown.core.game import Citations as Citations
    from facedown.core.game import Game as Game
    from facedown.core.game import Joint as Joint
    from facedown.core.game import Meta as Meta
    from facedown.core.game import Pick as Pick
    from facedown.core.game import Step as Step
    from facedown.core.game import Waves as Waves
    from facedown.core.match import Match as Match
    from facedown.core.outcome import COMPLETED as COMPLETED
    from facedown.core.outcome import RESIGNATION as RESIGNATION
    from facedown.core.outcome import Outcome as Outcome
    from facedown.core.outcome import payoffs_to_one as payoffs_to_one
    from facedown.core.parts.bot import Bot as Bot
    from facedown.core.parts.bot import Memory as Memory
    from facedown.core.parts.judge import Appraisal as Appraisal
    from facedown.core.parts.judge import Chances as Chances
    from facedown.core.parts.judge import Foretold as Foretold
    from facedown.core.parts.judge import Judged as Judged
    from facedown.core.parts.judge import ReaderReport as ReaderReport
    from facedown.core.parts.scene import GameScenes as GameScenes
    from facedown.core.parts.solver import Answer as Answer
    from facedown.core.parts.solver import Position as Position
    from facedown.core.parts.text import GameText as GameText
    from facedown.core.record import Record as Record
    from facedown.core.replay import ReplayedTurn as ReplayedTurn
    from facedown.core.rules import Choice as Choice
    from facedown.core.rules import Number as Number
    from facedown.core.rules import Numbers as Numbers
    from facedown.core.rules import Option as Option
    from facedown.core.rules import Preset as Preset
    from facedown.core.rules import Rules as Rules
    from facedown.core.rules import Switch as Switch
    from facedown.core.seats import SPECTATOR as SPECTATOR
    from facedown.core.seats import Seat as Seat
    from facedown.core.seats import Viewer as Viewer
    from facedown.core.text.translation import Domain as Domain
    from facedown.core.text.translation import Message as Message
    from facedown.core.text.translation import Text as Text
    from facedown.core.text.translation import all_of as all_of
    from facedown.core.text.translation import translate as translate
    from facedown.core.views import Encoding as Encoding
    from facedown.core.views import Plain as Plain
    from facedown.core.views import View as View
    from facedown.library.catalogue import bots as bots
    from facedown.library.catalogue import game as game
    from facedown.library.catalogue import games as games
    from facedown.library.catalogue import rules as rules
    from facedown.library.connecting import connect as connect
    from facedown.library.decisions import decisions as decisions
    from facedown.library.many import arena as arena
    from facedown.library.many import play_many as play_many
    from facedown.library.named import DavenportView as DavenportView
    from facedown.library.named import ECardView as ECardView
    from facedown.library.records import replay as replay
    from facedown.library.records import review as review
    from facedown.library.records import verify as verify
    from facedown.library.solving import solve as solve
    from facedown.library.table import new as new
    from facedown.library.table import play as play
    from facedown.solve.best_response import best_response as best_response
    from facedown.solve.best_response import exploitability as exploitability
    from facedown.solve.cfr import Learner as Learner
    from facedown.solve.sequence_form import solve_sequence_form as solve_sequence_form
    from facedown.solve.tree import lay_out as lay_out

_HOMES: Final = {
    "games": "library.catalogue",
    "game": "library.catalogue",
    "rules": "library.catalogue",
    "bots": "library.catalogue",
    "new": "library.table",
    "play": "library.table",
    "play_many": "library.many",
    "arena": "library.many",
    "solve": "library.solving",
    "review": "library.records",
    "verify": "library.records",
    "replay": "library.records",
    "decisions": "library.decisions",
    "connect": "library.connecting",
    "Match": "core.match",
    "Record": "core.record",
    "Game": "core.game",
    "Rules": "core.rules",
    "Bot": "core.parts.bot",
    "Memory": "core.parts.bot",
    "Outcome": "core.outcome",
    "FacedownError": "core.errors",
    # for authors of bots
    "DavenportView": "library.named",
    "ECardView": "library.named",
    # for authors of games
    "RESIGN": "core.game",
    "Citations": "core.game",
    "Joint": "core.game",
    "Meta": "core.game",
    "Pick": "core.game",
    "Step": "core.game",
    "Waves": "core.game",
    "Chance": "core.chance",
    "Stream": "core.chance",
    "Encoding": "core.views",
    "Event": "core.events",
    "Seen": "core.events",
    "private": "core.events",
    "public": "core.events",
    "COMPLETED": "core.outcome",
    "RESIGNATION": "core.outcome",
    "payoffs_to_one": "core.outcome",
    "Choice": "core.rules",
    "Number": "core.rules",
    "Numbers": "core.rules",
    "Option": "core.rules",
    "Preset": "core.rules",
    "Switch": "core.rules",
    "SPECTATOR": "core.seats",
    "Seat": "core.seats",
    "Viewer": "core.seats",
    "Plain": "core.views",
    "View": "core.views",
    "Card": "core.cards",
    "IllegalPick": "core.errors",
    "UnreadablePick": "core.errors",
    "Unsupported": "core.errors",
    "Domain": "core.text.translation",
    "Message": "core.text.translation",
    "Text": "core.text.translation",
    "all_of": "core.text.translation",
    "translate": "core.text.translation",
    "GameText": "core.parts.text",
    "GameScenes": "core.parts.scene",
    "Answer": "core.parts.solver",
    "Position": "core.parts.solver",
    "Appraisal": "core.parts.judge",
    "Chances": "core.parts.judge",
    "Foretold": "core.parts.judge",
    "Judged": "core.parts.judge",
    "ReaderReport": "core.parts.judge",
    "ReplayedTurn": "core.replay",
    # for researchers
    "Exact": "core.chance",
    "lay_out": "solve.tree",
    "solve_sequence_form": "solve.sequence_form",
    "best_response": "solve.best_response",
    "exploitability": "solve.best_response",
    "Learner": "solve.cfr",
}
"""Where each public name is defined; its module is imported when it is first asked for."""

__all__ = [
    "COMPLETED",
    "RESIGN",
    "RESIGNATION",
    "SPECTATOR",
    "Answer",
    "Appraisal",
    "Bot",
    "Card",
    "Chance",
    "Chances",
    "Choice",
    "Citations",
    "DavenportView",
    "Domain",
    "ECardView",
    "Encoding",
    "Event",
    "Exact",
    "FacedownError",
    "Foretold",
    "Game",
    "GameScenes",
    "GameText",
    "IllegalPick",
    "Joint",
    "Judged",
    "Learner",
    "Match",
    "Memory",
    "Message",
    "Meta",
    "Number",
    "Numbers",
    "Option",
    "Outcome",
    "Pick",
    "Plain",
    "Position",
    "Preset",
    "ReaderReport",
    "Record",
    "ReplayedTurn",
    "Rules",
    "Seat",
    "Seen",
    "Step",
    "Stream",
    "Switch",
    "Text",
    "UnreadablePick",
    "Unsupported",
    "View",
    "Viewer",
    "Waves",
    "all_of",
    "arena",
    "best_response",
    "bots",
    "connect",
    "decisions",
    "exploitability",
    "game",
    "games",
    "lay_out",
    "new",
    "payoffs_to_one",
    "play",
    "play_many",
    "private",
    "public",
    "replay",
    "review",
    "rules",
    "solve",
    "solve_sequence_form",
    "translate",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'facedown' has no attribute {name!r}")
    value = getattr(import_module(f"facedown.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"])


class _Face(ModuleType):
    """This package as a module. Some of its folders (`games`, `bots`, `solve`, `review`) have the names of
    public functions: where the import system would put a folder in its function's place, the function stays.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
