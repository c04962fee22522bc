"""What a reader counts of a seat: a game's folder may hold a module `readable` that implements `Readable`.

Each pick with a choice answers one question of the game with yes or no: was it the special card, was it an
exchange. It belongs to situations that everyone at the table can see. A habit is a situation in which the
answer comes more or less often than it should.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple, Protocol

from facedown.core.parts.trainer import Exercise
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat
from facedown.core.text.translation import Text


class ReadPick(NamedTuple):
    """A pick with a choice, as a reader counts it."""

    did: bool
    """The answer to the game's question."""
    usual: float | None
    """How likely a yes is in exact play; None if the game is not solved."""
    where: tuple[str, ...]
    """The situations that the pick belongs to, by id."""


class SeatGame(NamedTuple):
    """A replayed game and the seat that is read."""

    turns: Sequence[ReplayedTurn]
    seat: Seat


class HabitCost(NamedTuple):
    """What a reader who knows a habit, and nothing else, wins against it, a draw counting half."""

    value: float
    low: float
    high: float
    """From `low` to `high`: at the ends of the habit's interval, or the 95 % interval of a measurement."""
    usual: float
    """What the reader wins against a player without the habit."""
    measured: bool
    """Whether games were played to measure it; otherwise it was computed exactly."""

    @property
    def is_clear(self) -> bool:
        """Whether chance hardly explains what the reader gains."""
        return not self.measured or self.low > self.usual


class Readable(Protocol):
    """What a game's `readable` module offers."""

    def read_picks(self, turns: Sequence[ReplayedTurn], seat: Seat) -> Iterator[ReadPick]:
        """The seat's picks that can be read, in order."""
        ...

    def habit_words(self, where: str, more: bool) -> Text:
        """A habit as a sentence: a situation, and whether yes comes too often or too rarely in it.

        Raises `UnreadablePick` for a situation that does not exist.
        """
        ...

    def habit_cost(
        self, where: str, picks: Sequence[ReadPick], games: Sequence[SeatGame]
    ) -> HabitCost | None:
        """What the habit that these picks show costs; None where it cannot be computed."""
        ...

    def drill(self, state: Any, seat: Seat, where: str, exercise: Exercise) -> Exercise | None:
        """The trainer's question about a position as a question of a drill; None outside the situation."""
        ...


_NORMAL: Final = 1.96
"""Standard deviations around the mean that hold 95 % of a normal distribution."""


def wilson(came: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    >>> [round(end, 2) for end in wilson(6, 6)], [round(end, 2) for end in wilson(0, 12)]
    ([0.61, 1.0], [0.0, 0.24])
    """
    share, spread = came / of, _NORMAL**2 / of
    middle = (share + spread / 2) / (1 + spread)
    wide = _NORMAL * sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return max(0.0, middle - wide), min(1.0, middle + wide)
