"""What people know of the characters of a house: rounds watched, games, and the tells that they found.

A device counts what it shows; the store keeps the most that any device of a person has reported. The
statements are the same for SQLite and PostgreSQL.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.server.store.values import Rows

_NOTE: Final = """insert into acquaintances (person, game, machine, rounds, games, won, asks, found)
    select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as int), cast($5 as int),
        cast($6 as int), cast($7 as int), cast($8 as text)
    where exists (select 1 from people where id = $1)
    on conflict (person, game, machine) do update set
        rounds = case when excluded.rounds > acquaintances.rounds then excluded.rounds
            else acquaintances.rounds end,
        games = case when excluded.games > acquaintances.games then excluded.games
            else acquaintances.games end,
        won = case when excluded.won > acquaintances.won then excluded.won else acquaintances.won end,
        asks = case when excluded.asks > acquaintances.asks then excluded.asks else acquaintances.asks end,
        found = case when excluded.found <> '' then excluded.found else acquaintances.found end"""
_ALL: Final = """select game, machine, rounds, games, won, asks, found from acquaintances
    where person = $1 order by game, machine"""


class StoredAcquaintance(NamedTuple):
    """What a person knows of one character."""

    game: str
    machine: str
    rounds: int
    games: int
    won: int
    asks: int
    """The rounds after which the next guess may be made."""
    found: str
    """The id of the tell; empty if it was not found yet."""


class AcquaintanceRows(Rows):
    """The acquaintances of one store."""

    async def note(self, person: str, known: StoredAcquaintance) -> None:
        """Keep what a device knows, where that is more than was known."""
        await self._execute(_NOTE, person, *known)

    async def of(self, person: str) -> list[StoredAcquaintance]:
        """Everything that a person knows."""
        return [StoredAcquaintance(*found) for found in await self._select(_ALL, person)]
