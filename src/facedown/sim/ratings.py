"""Ratings by OpenSkill, of an arena's bots or of people: what one is worth against all, not against one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from facedown.core.errors import missing_extra


class Rating(NamedTuple):
    """A player's estimated strength (25 at the start), and its standard deviation."""

    mean: float
    """The estimated strength: 25 at the start."""
    deviation: float
    """Its standard deviation."""

    @property
    def points(self) -> int:
        """The strength on a scale like Elo's: 1500 at the start.

        >>> START.points, START.error, Rating(29.2, 2.0).points
        (1500, 400, 1601)
        """
        return round(START_POINTS + _POINTS * (self.mean - START.mean))

    @property
    def error(self) -> int:
        """How far off the points may be: two standard deviations."""
        return round(2 * _POINTS * self.deviation)


START: Final = Rating(25.0, 25 / 3)
"""What OpenSkill knows of a player at the start."""
START_POINTS: Final = 1500
_POINTS: Final = 200 / START.deviation


class Ladder:
    """Everybody's rating, game by game, in the order in which they were played; from those known before."""

    __slots__ = ("_known", "_model")

    def __init__(self, known: Mapping[str, Rating] | None = None) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise missing_extra("ratings need", "arena") from None
        self._model = PlackettLuce()
        self._known = dict(known or {})

    def of(self, name: str) -> Rating:
        """The rating of a player now; the initial one for an unknown player."""
        return self._known.get(name) or START

    def add_game(self, names: Sequence[str], winner: int) -> None:
        """One game: who sat on the seats, and which one won (0: drawn).

        A seat that did not win shares the second place with the other losers. A player on several seats gets
        the changes of all of them: what one of its seats wins from another one changes nothing.
        """
        teams = [[self._model.create_rating([*self.of(name)])] for name in names]
        ranks = [1.0 if seat == winner or winner == 0 else 2.0 for seat in range(1, len(names) + 1)]
        rated = self._model.rate(teams, ranks=ranks)
        changed = {name: self.of(name) for name in names}
        for name, (after,) in zip(names, rated, strict=True):
            before, (mean, deviation) = self.of(name), changed[name]
            changed[name] = Rating(
                mean + after.mu - before.mean, deviation * (after.sigma / before.deviation)
            )
        self._known.update(changed)


def rate(bots: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """Every bot's rating after these games, in this order: the bots by seat, and who won (0: drawn)."""
    ladder = Ladder()
    for names, winner in games:
        if winner >= 0:
            ladder.add_game(names, winner)
    return {name: ladder.of(name) for name in bots}
