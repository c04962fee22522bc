"""How a game ended: who won what, and why it was over. Never a bare winner."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from facedown.core.seats import Seat


class Termination(StrEnum):
    """Why a game ended. The words are stable: they stand in records."""

    COMPLETED = "completed"
    """All rounds were played, and the score decided, or was equal."""
    EXTRA = "extra"
    """The score was equal, and what the rules play on decided."""
    OUT = "out"
    """A seat got rid of all its cards."""
    PLAYOFF = "playoff"
    """Several seats finished together and played it off."""
    RUIN = "ruin"
    """A seat had nothing left to pay with."""
    RESIGNATION = "resignation"
    """All but the winner gave up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won (None: drawn), why it ended, the score by seat, and what each seat gained or lost."""

    winner: Seat | None
    termination: Termination
    score: tuple[int, ...]
    payoffs: tuple[int, ...]


def payoffs_to_one(winner: Seat | None, seats: int) -> tuple[int, ...]:
    """Every other seat pays one to the winner; a draw pays nothing.

    >>> payoffs_to_one(2, 3), payoffs_to_one(None, 2)
    ((-1, 2, -1), (0, 0))
    """
    if winner is None:
        return (0,) * seats
    return tuple(seats - 1 if seat == winner else -1 for seat in range(1, seats + 1))
