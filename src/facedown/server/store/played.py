"""People's finished games in the store: what each person's page shows and counts, one row for each game.

Which games count, and how they came out, is the caller's business; the store keeps what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from facedown.server.store.ratings import EndedGame

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


class PlayedStore(Protocol):
    """The part of the store interface for people's finished games."""

    async def note_played(self, find: FindPlayed, limit: int) -> int:
        """Note who played the next finished games, each game once; erased people are left out.

        Returns how many games these were: 0 where none was left.
        """

    async def outcomes(self, person: str) -> list[OutcomeCount]:
        """How the person's games came out that are noted, by game and outcome."""
