"""The trainer of a game: what it asks about a position, and how it marks the answer.

A game's folder may hold a module `study` that implements `Trainer`. If it has none, but its `bots` name a
`TRAINER` or a `REVIEWER`, the exercise asks for the pick and plays it out beside that machine's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.text.translation import ENGLISH, Text


class OfferedPick(NamedTuple):
    """A pick that can be the answer, or that the answer is about."""

    pick: Pick
    name: Text


class DrillNumbers(NamedTuple):
    """What a drill counts: the picks that are the habit's own, and how often they come in exact play."""

    does: tuple[Pick, ...]
    exact: float | None
    """None if the game is not solved."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One question about a position, with everything the seat may know about it."""

    rules: str
    place: Text
    """Where that is in the game, in words."""
    say: tuple[Text, ...]
    """What the seat knows, line by line."""
    question: Text
    kind: Literal["share", "pick"]
    """Asked for: how often the only pick offered should come, in percent; or one of the picks offered."""
    picks: tuple[OfferedPick, ...]
    hand: tuple[Pick, ...] = ()
    """The cards of the seat, to be drawn."""
    drill: DrillNumbers | None = None
    """For a question of a drill."""


class MarkedPick(NamedTuple):
    """One pick with what it is worth, as the mark tells it."""

    pick: Pick
    name: Text
    value: float
    """The chance to win, a draw counting half."""
    cost: float
    """Compared with the best, or with the machine's own pick; below 0 where an estimate finds it better."""
    error: float
    """The standard error of the cost; 0 where it is exact."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class TrainingMark:
    """The mark of an answer: points out of 100, whether it is right, and why."""

    points: int
    right: bool
    say: tuple[Text, ...]
    answer: str
    """The answer, as it was read."""
    best: str
    """The right one: a share in percent, or a pick."""
    picks: tuple[MarkedPick, ...] = ()
    at: str = ""
    """The position's text, for the explorer; empty where there is none."""


class Trainer(Protocol):
    """What a game's `study` module offers to trainers."""

    def ask(self, state: Any, seat: Seat, language: str = ENGLISH) -> Exercise | None:
        """The question about a position to a seat; None where there is nothing worth asking.

        Messages are worded later; `language` is for texts that are none, such as a drawn table.
        """
        ...

    def mark(self, state: Any, seat: Seat, answer: str) -> TrainingMark:
        """The mark of an answer to `ask`; raises where the answer cannot be read."""
        ...
