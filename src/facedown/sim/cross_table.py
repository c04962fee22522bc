"""The cross table of an arena: for every hero against every field, games, wins and draws, by the hero's seat.

Whole numbers only, so that the order of adding changes nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt

from facedown.sim.statistics import Estimate, mean, share


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
        """A bot lost a game by a fault of its own."""
        self.faults[fault] += 1
        self.first_faults[fault] = min(self.first_faults.get(fault, (game, decision)), (game, decision))

    def add(self, other: Bout) -> None:
        """Add all games of another bout of the same two."""
        for mine, theirs in (
            (self.games, other.games),
            (self.wins, other.wins),
            (self.draws, other.draws),
        ):
            mine[:] = [a + b for a, b in zip(mine, theirs, strict=True)]
        self.faults.update(other.faults)
        for fault, place in other.first_faults.items():
            self.first_faults[fault] = min(self.first_faults.get(fault, place), place)

    @property
    def played(self) -> int:
        """All games of the bout."""
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
