"""Statistics of many games: counts, shares and means.

Whole numbers only, so that the order of adding changes nothing.
Shares and means come with their 95 % intervals: differences within them mean nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final, NamedTuple

from facedown.core.outcome import Outcome

_WITHIN: Final = 1.959963984540054
"""Standard errors to either side that hold 95 % of a normal distribution."""


class Estimate(NamedTuple):
    """A share or a mean, and the interval in which the true one lies 95 times of 100."""

    value: float
    low: float
    high: float


def share(count: int, games: int) -> Estimate:
    """How often something happened, with Wilson's interval.

    >>> [round(each, 3) for each in share(5, 10)]
    [0.5, 0.237, 0.763]
    """
    seen = count / games
    weight = _WITHIN * _WITHIN / games
    middle = (seen + weight / 2) / (1 + weight)
    reach = _WITHIN * sqrt(seen * (1 - seen) / games + weight / (4 * games)) / (1 + weight)
    low = 0.0 if count == 0 else middle - reach
    high = 1.0 if count == games else middle + reach
    return Estimate(seen, low, high)


def mean(total: int, squares: int, games: int) -> Estimate:
    """The mean of counted values, from their sum and the sum of their squares.

    >>> mean(total=6, squares=14, games=3).value
    2.0
    """
    value = total / games
    spare = games * squares - total * total
    error = sqrt(spare / (games * games * (games - 1))) if games > 1 else 0.0
    return Estimate(value, value - _WITHIN * error, value + _WITHIN * error)


@dataclass(slots=True)
class GameStatistics:
    """Finished games, counted. Two of the same kind of game can be added."""

    wins: list[int]
    """By seat."""
    totals: list[int]
    """The sum of each seat's scores."""
    squares: list[int]
    """The sum of the squares of each seat's scores."""
    games: int = 0
    draws: int = 0
    terminations: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    """The number of games by their number of decisions."""

    @classmethod
    def empty(cls, seats: int) -> GameStatistics:
        """No game yet."""
        return cls([0] * seats, [0] * seats, [0] * seats)

    @property
    def decisions(self) -> int:
        """The decisions of all games together."""
        return sum(length * games for length, games in self.lengths.items())

    def count(self, outcome: Outcome, decisions: int) -> None:
        """Add one finished game."""
        self.games += 1
        if outcome.winner is None:
            self.draws += 1
        else:
            self.wins[outcome.winner - 1] += 1
        for place, score in enumerate(outcome.score):
            self.totals[place] += score
            self.squares[place] += score * score
        self.terminations[outcome.termination] += 1
        self.lengths[decisions] += 1

    def add(self, other: GameStatistics) -> None:
        """Add all games of another one."""
        self.games += other.games
        self.draws += other.draws
        self.wins = _sums(self.wins, other.wins)
        self.totals = _sums(self.totals, other.totals)
        self.squares = _sums(self.squares, other.squares)
        self.terminations.update(other.terminations)
        self.lengths.update(other.lengths)

    def length_below(self, part: float) -> int:
        """The number of decisions that this part of the games does not exceed."""
        needed = part * self.games
        seen = 0
        for length in sorted(self.lengths):
            seen += self.lengths[length]
            if seen >= needed:
                return length
        return 0


def _sums(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)]
