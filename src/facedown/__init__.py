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
    verify(record)               everything that a record claims, checked
    replay(record)               the match of a record
    records(path)                the records of a file or a folder, one after the other
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
rules object; a bot by its name, as `"module:Class"`, as a class, an object, a function that makes one or
one that picks; a seed as a text or a whole number. All works for games and bots of other packages, too.

These names and `facedown.testing` are stable: they change only with a new major version, after a
`DeprecationWarning`. What is imported from deeper inside may change at any time.
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
__all__ = sorted(_HOMES.keys() - {"__version__"})


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'facedown' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
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
