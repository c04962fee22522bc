"""Ratings by OpenSkill, of an arena's bots or of people: what one is worth against all, not against one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from facedown.core.errors import missing_extra


class Rating(NamedTuple):
    """A player's estimated strength (25 at the start), and its standard deviation."""

    mean: float
    deviation: float


class Ladder:
    """Everybody's rating, game by game, in the order in which they were played."""

    __slots__ = ("_known", "_model")

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise missing_extra("ratings need", "arena") from None
        self._model = PlackettLuce()
        self._known: dict[str, Rating] = {}

    def of(self, name: str) -> Rating:
        """The rating of a player now; the initial one for an unknown player."""
        return self._known.get(name) or Rating(self._model.mu, self._model.sigma)

    def played(self, names: Sequence[str], winner: int) -> None:
        """One game: who sat on the seats, and which one won (0: drawn).

        A seat that did not win shares the second place with the other losers.
        """
        teams = [[self._model.create_rating([*self.of(name)])] for name in names]
        ranks = [1.0 if seat == winner or winner == 0 else 2.0 for seat in range(1, len(names) + 1)]
        for name, (after,) in zip(names, self._model.rate(teams, ranks=ranks), strict=True):
            self._known[name] = Rating(after.mu, after.sigma)


def rate(bots: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """Every bot's rating after these games, in this order: the bots by seat, and who won (0: drawn)."""
    ladder = Ladder()
    for names, winner in games:
        if winner >= 0:
            ladder.played(names, winner)
    return {name: ladder.of(name) for name in bots}
