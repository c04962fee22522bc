"""What people are worth in each game: folded from the finished games of the store, and kept in memory.

There is no second truth: a server that starts folds anew, and after that only what has ended since.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from facedown.core.errors import Unsupported
from facedown.server.store.base import Ended, Store
from facedown.server.table.summary import about_of
from facedown.sim.ratings import Ladder, Rating

_AT_ONCE: Final = 200
_REMEMBERED: Final = 100
"""So many games back a rating's course is told."""


class Point(NamedTuple):
    """A rating after a game."""

    at: int
    rating: Rating


class Rated(NamedTuple):
    """What somebody is worth in a game: after how many games, and how it came to that."""

    games: int
    course: tuple[Point, ...]

    @property
    def rating(self) -> Rating:
        """As it stands."""
        return self.course[-1].rating


class Ratings:
    """The ratings of all people, as far as they were asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ladders: dict[str, Ladder] = {}
        self._courses: dict[tuple[str, str], deque[Point]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._seen = 0
        self._one = asyncio.Lock()

    async def of(self, person: str, games: Iterable[str]) -> dict[str, Rated]:
        """A person's ratings in these games; those without a game that counts have none."""
        await asyncio.shield(self._catch_up())  # whoever asked may go: a game is folded in once
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
                except Unsupported:  # whoever installed the server did without
                    return
                self._seen = ended[-1].number

    def _take(self, ended: list[Ended]) -> None:
        for each in ended:
            people = counted(each)
            if people is None:
                continue
            game, result = each.summary.game, about_of(each.summary).result
            ladder = self._ladders.get(game) or self._ladders.setdefault(game, Ladder())
            ladder.played(people, 0 if result is None else result.winner or 0)
            for person in people:
                key = (game, person)
                self._counts[key] = self._counts.get(key, 0) + 1
                course = self._courses.setdefault(key, deque(maxlen=_REMEMBERED))
                course.append(Point(each.at, ladder.of(person)))


def counted(ended: Ended) -> tuple[str, ...] | None:
    """Who played, by seat, if the game counts; None where not.

    It counts where different people had all seats to the end, each on their own device: no machine, nobody
    replaced, nothing taken over from another game. What a machine is worth depends on what it may read of a
    person, and one device is one pair of eyes.
    """
    about, people = about_of(ended.summary), dict(ended.people)
    if about.result is None or about.result.replaced or about.hotseat or about.continued:
        return None
    if any(place.kind != "person" or place.seat not in people for place in about.seats):
        return None
    if len(set(people.values())) < len(about.seats):
        return None
    return tuple(people[place.seat] for place in about.seats)
