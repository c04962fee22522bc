"""Ratings by OpenSkill, of an arena's bots or of people: what one is worth against all, not against one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
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

    @property
    def is_provisional(self) -> bool:
        """Whether little is known: for about 20 games between two, or 40 between four."""
        return self.error > PROVISIONAL_ERROR

    def weight_against(self, other: Rating) -> float:
        """How much a game against that player counts for this one, from 0 to 1: less and less from 100 to 200
        points above one whose rating is provisional, or above the start if that one is below. People who
        come for one game to lose it lift no one further.

        >>> sure = Rating(25.0, 4.0)
        >>> [Rating(25 + ahead / 24, 4.0).weight_against(START) for ahead in (-300, 100, 150, 200, 500)]
        [1.0, 1.0, 0.5, 0.0, 0.0]
        >>> Rating(45.0, 4.0).weight_against(sure)
        1.0
        """
        if not other.is_provisional:
            return 1.0
        ahead = self.points - max(START_POINTS, other.points)
        return min(1.0, max(0.0, (NO_WEIGHT - ahead) / (NO_WEIGHT - FULL_WEIGHT)))

    def after(self, days: float) -> Rating:
        """The rating after that many days without a game: as uncertain as at the start after two years.

        >>> [Rating(30.0, 2.0).after(days).error for days in (0, 30, 730, 10_000)]
        [96, 124, 400, 400]
        """
        grown = math.sqrt(self.deviation**2 + _GROWTH * max(0.0, days))
        return Rating(self.mean, min(max(START.deviation, self.deviation), grown))


START: Final = Rating(25.0, 25 / 3)
"""What OpenSkill knows of a player at the start."""
START_POINTS: Final = 1500
_POINTS: Final = 200 / START.deviation
PROVISIONAL_ERROR: Final = 250
FULL_WEIGHT: Final = 100
"""Up to this number of points above someone provisional, a game counts in full."""
NO_WEIGHT: Final = 200
"""From this number of points above someone provisional, a game does not count."""
_GROWTH: Final = (START.deviation**2 - 2.0**2) / 730
"""By how much the variance grows in a day."""


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

    def weights(self, names: Sequence[str]) -> list[float]:
        """How much a game counts for each seat, by how sure the ratings of the others are: their mean."""
        own = [self.of(name) for name in names]
        return [
            fmean(rating.weight_against(other) for place, other in enumerate(own) if place != seat)
            for seat, rating in enumerate(own)
        ]

    def age(self, name: str, days: float) -> None:
        """A player has not played for that long: the rating is less certain."""
        if name in self._known:
            self._known[name] = self._known[name].after(days)

    def add_game(
        self,
        names: Sequence[str],
        winner: int,
        shares: Sequence[float] = (),
        weights: Sequence[float] = (),
    ) -> None:
        """One game: who sat on the seats, and which one won (0: drawn).

        A seat that did not win shares the second place with the other losers. A player on several seats gets
        the changes of all of them: what one of its seats wins from another one changes nothing. `shares` are
        what each seat gets of a game between equals, if they differ; `weights` are how much the game counts
        for each, if less than in full.
        """
        ahead = self._advantages(names, shares)
        teams = [
            [self._model.create_rating([self.of(name).mean + more, self.of(name).deviation])]
            for name, more in zip(names, ahead, strict=True)
        ]
        ranks = [1.0 if seat == winner or winner == 0 else 2.0 for seat in range(1, len(names) + 1)]
        rated = self._model.rate(teams, ranks=ranks)
        changed = {name: self.of(name) for name in names}
        counts = weights or [1.0] * len(names)
        for name, (after,), more, weight in zip(names, rated, ahead, counts, strict=True):
            before, (mean, deviation) = self.of(name), changed[name]
            changed[name] = Rating(
                mean + weight * (after.mu - more - before.mean),
                deviation * (after.sigma / before.deviation) ** weight,
            )
        self._known.update(changed)

    def _advantages(self, names: Sequence[str], shares: Sequence[float]) -> list[float]:
        """By how much a seat is stronger than its player, so that equals are expected to get these shares
        (between two, exactly)."""
        if not shares:
            return [0.0] * len(names)
        noise = self._model.tau**2 + self._model.beta**2
        scale = math.sqrt(sum(self.of(name).deviation ** 2 + noise for name in names))
        return [scale * math.log(share * len(shares)) for share in shares]


def rate(bots: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """Every bot's rating after these games, in this order: the bots by seat, and who won (0: drawn)."""
    ladder = Ladder()
    for names, winner in games:
        if winner >= 0:
            ladder.add_game(names, winner)
    return {name: ladder.of(name) for name in bots}
