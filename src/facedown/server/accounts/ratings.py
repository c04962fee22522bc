"""Ratings of people in each game: computed from the finished games in the store, and kept in memory.

Nothing is stored: a server that starts computes them anew, and after that only adds games that ended since.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from facedown.core.errors import Unsupported
from facedown.server.store.base import EndedGame, Store
from facedown.server.table.summary import about_of
from facedown.sim.ratings import Ladder, Rating

_AT_ONCE: Final = 200
_REMEMBERED: Final = 100
"""How many games back the history of a rating goes."""


class RatingAfterGame(NamedTuple):
    """A rating after a game."""

    at: int
    rating: Rating


class Rated(NamedTuple):
    """The rating of a person in a game: the number of rated games, and the history."""

    games: int
    course: tuple[RatingAfterGame, ...]

    @property
    def rating(self) -> Rating:
        """The current rating."""
        return self.course[-1].rating


class Ratings:
    """The ratings of all people."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ladders: dict[str, Ladder] = {}
        self._courses: dict[tuple[str, str], deque[RatingAfterGame]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._seen = 0
        self._one = asyncio.Lock()

    async def of(self, person: str, games: Iterable[str]) -> dict[str, Rated]:
        """A person's ratings in these games; none where the person has no rated game."""
        await asyncio.shield(self._catch_up())  # not cancelled with the caller: each game is added once
        asked = [(game, (game, person)) for game in games]
        return {
            game: Rated(self._counts[key], tuple(self._courses[key]))
            for game, key in asked
            if key in self._courses
        }

    async def _catch_up(self) -> None:
        async with self._one:
            while ended := await self._store.ended(self._seen, _AT_ONCE):
                try:
                    await asyncio.to_thread(self._take, ended)
                except Unsupported:  # the rating library is not installed
                    return
                self._seen = ended[-1].number

    def _take(self, ended: list[EndedGame]) -> None:
        for each in ended:
            people = rated_people(each)
            if people is None:
                continue
            game, result = each.summary.game, about_of(each.summary).result
            ladder = self._ladders.get(game) or self._ladders.setdefault(game, Ladder())
            ladder.played(people, 0 if result is None else result.winner or 0)
            for person in people:
                key = (game, person)
                self._counts[key] = self._counts.get(key, 0) + 1
                course = self._courses.setdefault(key, deque(maxlen=_REMEMBERED))
                course.append(RatingAfterGame(each.at, ladder.of(person)))


def rated_people(ended: EndedGame) -> tuple[str, ...] | None:
    """The people of a rated game, by seat; None where the game is not rated.

    It is rated where different people had all seats to the end, each on their own device: no machine, nobody
    replaced, nothing continued from another game. The strength of a machine depends on what it may read of a
    person, and a shared device shows every hand to one pair of eyes.
    """
    about, people = about_of(ended.summary), dict(ended.people)
    if about.result is None or about.result.replaced or about.hotseat or about.continued:
        return None
    if any(place.kind != "person" or place.seat not in people for place in about.seats):
        return None
    if len(set(people.values())) < len(about.seats):
        return None
    return tuple(people[place.seat] for place in about.seats)
