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
    """The share or mean that was measured."""
    low: float
    """The lower end of the interval."""
    high: float
    """Its upper end."""


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
    """How many games there were."""
    draws: int = 0
    """How many of them were drawn."""
    terminations: Counter[str] = field(default_factory=Counter)
    """The number of games by how they ended."""
    lengths: Counter[int] = field(default_factory=Counter)
    """The number of games by their number of decisions."""

    @classmethod
    def empty(cls, seats: int) -> GameStatistics:
        """No games yet, between this many seats."""
        return cls([0] * seats, [0] * seats, [0] * seats)

    @property
    def decisions(self) -> int:
        """How many decisions all games took together."""
        return sum(length * games for length, games in self.lengths.items())

    def count(self, outcome: Outcome, decisions: int) -> None:
        """Add one game."""
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
        """Add the games of another one."""
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


# --- the cross table -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Bout:
    """One hero's games against a field of one other bot, counted by the seat the hero sat on."""

    seats: int
    games: list[int] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)
    draws: list[int] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    """How often a bot lost a game by a fault of its own, by `bot: what it did`."""
    first_faults: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Where each of these was first seen: the number of the game, and of the decision in it."""

    def __post_init__(self) -> None:
        for counts in (self.games, self.wins, self.draws):
            counts.extend([0] * (self.seats - len(counts)))

    def count(self, seat: int, won: bool, drawn: bool) -> None:
        """Add one game, in which the hero sat on this seat."""
        self.games[seat - 1] += 1
        self.wins[seat - 1] += won
        self.draws[seat - 1] += drawn

    def blame(self, fault: str, game: int, decision: int) -> None:
        self.faults[fault] += 1
        self.first_faults[fault] = min(self.first_faults.get(fault, (game, decision)), (game, decision))

    def add(self, other: Bout) -> None:
        self.games = _sums(self.games, other.games)
        self.wins = _sums(self.wins, other.wins)
        self.draws = _sums(self.draws, other.draws)
        self.faults.update(other.faults)
        for fault, place in other.first_faults.items():
            self.first_faults[fault] = min(self.first_faults.get(fault, place), place)

    @property
    def played(self) -> int:
        return sum(self.games)

    def score(self, seat: int | None = None) -> Estimate:
        """The hero's share: a win counts one, a draw a half; over all seats alike, or from one of them.

        >>> bout = Bout(2)
        >>> for _ in range(30):
        ...     bout.count(1, won=True, drawn=False)
        ...     bout.count(2, won=False, drawn=False)
        >>> [round(each, 2) for each in bout.score()]
        [0.5, 0.46, 0.54]
        """
        if seat is not None:
            return points(self.wins[seat - 1], self.draws[seat - 1], self.games[seat - 1])
        by_seat = [self.score(each) for each in range(1, self.seats + 1)]
        value = sum(each.value for each in by_seat) / self.seats
        reach = sqrt(sum(((each.high - each.low) / 2) ** 2 for each in by_seat)) / self.seats
        return Estimate(value, max(0.0, value - reach), min(1.0, value + reach))


def points(wins: int, draws: int, games: int) -> Estimate:
    """The mean of what games are worth, with its 95 % interval; nothing is known of no games."""
    if not games:
        return Estimate(0.5, 0.0, 1.0)
    if not draws:
        return share(wins, games)
    halves = mean(2 * wins + draws, 4 * wins + draws, games)
    return Estimate(*(each / 2 for each in halves))
