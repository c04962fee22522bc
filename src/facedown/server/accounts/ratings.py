"""Ratings of people in each game: folded from finished games, in the order of their ends, into rows of the
store. One server at a time folds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from facedown.core.errors import Unsupported
from facedown.server.accounts.folding import FoldedGames
from facedown.server.store.values import EndedGame, KnownRatings, StoredRating
from facedown.server.table.summary import details_of
from facedown.sim.ratings import Ladder, Rating


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


class Ratings(FoldedGames):
    """The ratings of all people."""

    name = "ratings"

    async def of(self, person: str) -> dict[str, Rated]:
        """A person's ratings in each game that they have a rated one of.

        Games that ended just now are in them; where very many wait to be folded, as in a database of before,
        the ratings are of those that were.
        """
        await self.fold_latest()
        courses: dict[str, list[StoredRating]] = defaultdict(list)
        for each in await self._store.ratings(person):
            courses[each.game].append(each)
        return {game: _rated(course) for game, course in courses.items()}

    async def fold_some(self, limit: int) -> int:
        try:
            return await self._store.rate(fold, limit)
        except Unsupported:  # the rating library is not installed
            return 0


def fold(ended: Sequence[EndedGame], known: KnownRatings) -> list[StoredRating]:
    """The ratings after each of these games, from those before them."""
    latest, ladders, rated = dict(known), dict[str, Ladder](), list[StoredRating]()
    for each in ended:
        people = rated_people(each)
        if people is None:
            continue
        if (ladder := ladders.get(each.game)) is None:
            before = {person: _rating(row) for (game, person), row in known.items() if game == each.game}
            ladder = ladders[each.game] = Ladder(before)
        result = details_of(each.about).result
        ladder.add_game(people, 0 if result is None else result.winner or 0)
        for person in people:
            last = latest.get((each.game, person))
            games = 1 if last is None else last.games + 1
            row = StoredRating(person, each.game, games, each.at, *ladder.of(person))
            latest[each.game, person] = row
            rated.append(row)
    return rated


def rated_people(ended: EndedGame) -> tuple[str, ...] | None:
    """The people of a rated game, by seat; None where the game is not rated.

    It is rated where different people had all seats to the end, each on their own device: no machine, nobody
    replaced, nothing continued from another game. The strength of a machine depends on what it may read of a
    person, and a shared device shows every hand to one pair of eyes.
    """
    about, people = details_of(ended.about), dict(ended.people)
    if about.result is None or about.result.replaced or about.hotseat or about.continued:
        return None
    if any(place.kind != "person" or place.seat not in people for place in about.seats):
        return None
    if len(set(people.values())) < len(about.seats):
        return None
    return tuple(people[place.seat] for place in about.seats)


def _rated(course: Sequence[StoredRating]) -> Rated:
    return Rated(course[-1].games, tuple(RatingAfterGame(each.at, _rating(each)) for each in course))


def _rating(row: StoredRating) -> Rating:
    return Rating(row.mean, row.deviation)
