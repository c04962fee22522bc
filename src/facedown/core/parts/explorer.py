"""The explorer of a solved game: one position with its value, its mixes, what picks cost, and where it leads.

A game's folder may hold a module `study` that implements `Explorer`. Everything shown is in the
`Exploration`: code that shows it knows no game, and follows the position texts that it names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from facedown.core.errors import UnreadablePosition
from facedown.core.game import Pick
from facedown.core.parts.solver import Position, Positions
from facedown.core.rules import Option, Rules, not_given, read_values, too_long
from facedown.core.text.translation import Text

_MOST_TEXT: Final = 200


class Way(NamedTuple):
    """A way to another position: what it is called, and the text of the position; empty where it ends."""

    label: Text
    at: str
    value: float | None = None
    """What is there for the side that the exploration names first; None if unknown."""


class PositionField(NamedTuple):
    """One part of a position, and every value that it can have here, each with a position that can occur."""

    name: str
    label: Text
    value: Text
    """As one of the ways is labelled."""
    ways: tuple[Way, ...]


class PickWorth(NamedTuple):
    """One pick of a side: how often perfect play picks it, and what it is worth."""

    pick: Pick
    name: Text
    share: float
    """How likely it is in equilibrium."""
    written: Text
    """The same as it is written: a fraction where that is short."""
    value: float
    """What it is worth to the side against perfect play."""
    cost: float
    """By how much that is less than the best pick."""
    known: float
    """What it is worth if the other side knows that it comes."""


class SideReport(NamedTuple):
    """One side of a position."""

    who: Text
    value: float
    """Its chance to win, a draw counting half."""
    picks: tuple[PickWorth, ...]
    """Empty where it has nothing to decide."""


class MixTable(NamedTuple):
    """The mixes of this and the following decisions."""

    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Text, tuple[Text, ...]], ...]


class HabitPart(NamedTuple):
    """A part of a stated habit: one of a few choices, or chances in percent."""

    name: str
    label: Text
    choices: tuple[tuple[str, Text], ...] = ()
    """The values and what they are called; empty where it is a row of percentages."""
    value: str = ""
    """The value now, as text; chances are separated by colons."""
    slots: tuple[Text, ...] = ()
    """What each percentage is for."""


class HabitAnswer(NamedTuple):
    """The best answer to a stated habit."""

    say: tuple[Text, ...]
    """In sentences: the habit, what the best answer brings, what to play."""
    who: Text
    """Whose answer it is."""
    value: float
    usual: float
    """What perfect play would bring."""
    picks: tuple[PickWorth, ...]
    """What each pick is worth against the habit; `share` is 1 for the best ones alike."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """One position of a solved game, with everything known about it."""

    rules: str
    at: str
    """The position, as text."""
    place: Text
    """Where that is in the game, in words."""
    say: tuple[Text, ...]
    """What is worth knowing about it, in sentences."""
    fields: tuple[PositionField, ...]
    draw: float
    """How often the game is drawn from here."""
    sides: tuple[SideReport, ...]
    table: MixTable
    ways: tuple[Way, ...]
    """What may come next."""
    habit: str
    """The stated habit, as text; empty where none was stated."""
    habit_parts: tuple[HabitPart, ...]
    answer: HabitAnswer | None = None


class Explorer(Positions, Protocol):
    """What a game's `study` module offers to explorers."""

    habits: tuple[Option, ...]
    """What a habit is made of."""

    def explore(self, rules: Rules, position: Position | None, habit: Position | None) -> Exploration:
        """One position, or (None) the start of the game; with the best answer to a stated habit.

        Raises where the position cannot occur, or the rule set is too large.
        """
        ...


def read_habit(explorer: Explorer, text: str) -> Position:
    """A habit from text such as `side=slave,chances=40`; raises `UnreadablePosition` with all problems."""
    if len(text) > _MOST_TEXT:
        raise UnreadablePosition((too_long(text),), text=text[:_MOST_TEXT])
    values, problems = read_values(explorer.habits, text)
    problems += [not_given(option) for option in explorer.habits if option.name not in values]
    if problems:
        raise UnreadablePosition(tuple(problems), text=text)
    return {name: value for name, value in values.items() if value is not None}
