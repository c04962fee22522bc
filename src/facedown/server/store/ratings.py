"""Ratings in the store: finished games in one order, and the rating of each person after each of them.

How a game changes ratings is the caller's business; the store keeps what came out, and from which games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias

KEPT: Final = 100
"""How many games back the history of a rating goes."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A table whose game has ended."""

    number: int
    """Grows in the order in which the ends were saved, which is the same for all servers; 0 where nobody
    asked for that order yet."""
    at: int
    game: str
    about: bytes
    """JSON of the table's summary; the store does not read it."""
    people: tuple[tuple[int, str], ...]
    """The seats, and the people who held them at the end."""
    table: str


class StoredRating(NamedTuple):
    """The rating of a person in a game, after that many rated games."""

    person: str
    game: str
    games: int
    at: int
    mean: float
    deviation: float


KnownRatings: TypeAlias = Mapping[tuple[str, str], StoredRating]
"""The latest rating by game and person; none where a person has no rated game."""
FoldGames: TypeAlias = Callable[[Sequence[EndedGame], KnownRatings], list[StoredRating]]
"""The ratings after each of these games, from those before them. Runs on another thread."""


class RatingStore(Protocol):
    """The part of the store interface for ratings."""

    async def rate(self, fold: FoldGames, limit: int) -> int:
        """Fold the next finished games into the ratings, one server at a time, each game once.

        Returns how many games these were: 0 where none was left, or where another server is at it.
        """

    async def ratings(self, person: str) -> list[StoredRating]:
        """A person's ratings after each of the last games, by game, oldest first."""


def asked_for(ended: Sequence[EndedGame]) -> list[tuple[str, str]]:
    """Game and person of every rating that these games may change."""
    return sorted({(each.game, person) for each in ended for _, person in each.people})
