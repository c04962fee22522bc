"""The outcome of a game: winner, termination (why it ended), score and payoffs. Never a bare winner.

Owns the two terminations that every game may have; a game adds words of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from facedown.core.seats import Seat

COMPLETED: Final = "completed"
"""All was played, and the score decided, or was equal."""
RESIGNATION: Final = "resignation"
"""All but the winner gave up."""
FORFEITED: Final = "forfeit"
"""A seat did not open its sealed picks, and lost the game by it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won (None: drawn), why it ended, the score by seat, and what each seat gained or lost."""

    winner: Seat | None
    """The seat that won; None for a draw."""
    termination: str
    """One of the game's `terminations`."""
    score: tuple[int, ...]
    """The score by seat."""
    payoffs: tuple[int, ...]
    """What each seat gained or lost."""


def payoffs_to_one(winner: Seat | None, seats: int) -> tuple[int, ...]:
    """Every other seat pays one to the winner; a draw pays nothing.

    >>> payoffs_to_one(2, 3), payoffs_to_one(None, 2)
    ((-1, 2, -1), (0, 0))
    """
    if winner is None:
        return (0,) * seats
    return tuple(seats - 1 if seat == winner else -1 for seat in range(1, seats + 1))
