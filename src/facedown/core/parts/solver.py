"""The solver of a game: what its `solve` module offers to `facedown solve` and to verdicts.

A game's folder may hold a module `solve` with what `Solver` says; where it has none, small games of two seats
are laid out and solved. Knows no game: what a position is made of, the game declares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Protocol, TypeAlias

from facedown.core.errors import UnreadablePosition
from facedown.core.rules import Option, Rules, Value, not_given, read_values, too_long
from facedown.core.text.translation import ENGLISH

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"
"""A value that a program can read."""

Position: TypeAlias = Mapping[str, Value]
"""A state of a game, as values of the options that its solver declares; what was left out is not in it.
Whether it can occur, the game says."""

_MOST_TEXT: Final = 200


class Answer(Protocol):
    """The exact answer about a rule set or one position of it."""

    def as_json(self) -> dict[str, JsonValue]:
        """For programs; always with `value`, `exploitability` and `favoured`.

        `favoured` is who gains by perfect play: {"seat": 2}; {"role": "…"}, a word of the game's own, where
        the seat is not settled yet (drawn at the deal, say); or None where neither side is favoured.
        """
        ...

    def words(self, language: str = ENGLISH) -> list[str]:
        """For people, line by line: indented lines are tables and stay as they are, others are wrapped."""
        ...

    def __str__(self) -> str:
        return "\n".join(self.words())


class Positions(Protocol):
    """What positions of a game are made of."""

    positions: tuple[Option, ...]
    """The parts of a position, in the order in which it is written; empty: solved as a whole only."""
    optional: tuple[str, ...]
    """The names of those that may be left out."""


class Solver(Positions, Protocol):
    """What a game's `solve` module offers."""

    def answer(self, rules: Rules, position: Position | None) -> Answer:
        """Solve the rule set (None), or one position of it.

        Raises where the position cannot occur, or the rule set is too large.
        """
        ...


Listener: TypeAlias = "Callable[[int, int], None]"
"""Receives a solver's progress: how many positions are done, of how many."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def report(done: int, whole: int) -> None:
    """Report a solver's progress to the listener, if any. It may visit the same positions several times."""
    listener = _listener.get()
    if listener is not None:
        listener(done, whole)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Solvers report to this listener inside the `with` block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def read_position(solver: Positions, text: str, rules: Rules | None = None) -> Position:
    """A position from text such as `round=5,score=6:5`; raises `UnreadablePosition` with all problems.

    A solver may have a function `impossible(rules, values)`: what cannot be of the values that were read.
    """
    if len(text) > _MOST_TEXT:
        raise UnreadablePosition((too_long(text),), text=text[:_MOST_TEXT])
    values, problems = read_values(solver.positions, text)
    problems += [
        not_given(option)
        for option in solver.positions
        if option.name not in values and option.name not in solver.optional
    ]
    if problems:
        impossible = getattr(solver, "impossible", None)
        if rules is not None and impossible is not None:
            problems = [*impossible(rules, values), *problems]
        raise UnreadablePosition(tuple(problems), text=text)
    return {name: value for name, value in values.items() if value is not None}
