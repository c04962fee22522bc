"""A position in which two seats choose between two picks at once: what a mixture of them is worth.

A game's module `study` may offer `mind(state, seat)`; then a position of it can be the mind of the day.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from facedown.core.parts.trainer import OfferedPick
from facedown.core.seats import Seat


class Mind(NamedTuple):
    """Such a position, as one seat sees it. A mixture is how likely the first of the two picks is."""

    picks: tuple[OfferedPick, OfferedPick]
    values: tuple[tuple[float, float], tuple[float, float]]
    """The seat's chance to win the game, a draw counting half: by its own pick, then by the other's."""
    exact: float
    """The mixture of the exact solution."""
    exact_other: float
    """The other seat's."""
    house: Mapping[str, float]
    """What the characters of the house would do on this seat, by name."""

    def value(self, own: float, other: float) -> float:
        """The chance to win with this mixture against that one.

        >>> mind = Mind((OfferedPick("E", ""), OfferedPick("C", "")), ((0.0, 1.0), (1.0, 0.0)), 0.5, 0.5, {})
        >>> mind.value(0.5, 0.9), mind.value(0.0, 0.9)
        (0.5, 0.9)
        """
        (both, first), (second, neither) = self.values
        with_first = other * both + (1 - other) * first
        without = other * second + (1 - other) * neither
        return own * with_first + (1 - own) * without


class Minds(Protocol):
    """What a game's `study` module offers for the mind of the day."""

    def mind(self, state: Any, seat: Seat) -> Mind:
        """The position of a question that the trainer asks."""
        ...
