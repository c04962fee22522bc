"""Values of finished games: the ratings after each game, and how it came out for each person.

The caller decides which games count and how they change ratings; the store keeps the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

KEPT: Final = 100
"""How many games back the history of a rating goes."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A table whose game has ended."""

    number: int
    """Grows in the order in which the ends were saved, the same for all servers; 0 if not numbered yet."""
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
"""The latest rating by game and person; people without a rated game are missing."""
FoldGames: TypeAlias = Callable[[Sequence[EndedGame], KnownRatings], list[StoredRating]]
"""The ratings after each of these games, from the ratings before them. Runs on another thread."""


def rating_keys(ended: Sequence[EndedGame]) -> list[tuple[str, str]]:
    """Game and person of every rating that these games may change."""
    return sorted({(each.game, person) for each in ended for _, person in each.people})


Outcome: TypeAlias = Literal["won", "lost", "tied", "continued"]
"""How a game came out for a person; one that continued another game is not counted."""


class PlayedSeat(NamedTuple):
    """A seat that a person played to the end of a game."""

    person: str
    at: int
    """When the game ended."""
    table: str
    seat: int
    game: str
    outcome: Outcome


class OutcomeCount(NamedTuple):
    """How many of a person's games came out like this."""

    game: str
    outcome: Outcome
    games: int


FindPlayed: TypeAlias = Callable[[Sequence[EndedGame]], list[PlayedSeat]]
"""The seats of these games that people played to the end."""
