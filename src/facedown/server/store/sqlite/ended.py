"""SQL of games that ended: the ratings that were folded from them, and who played them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from facedown.server.store.played import FindPlayed, OutcomeCount, PlayedSeat
from facedown.server.store.ratings import KEPT, EndedGame, FoldGames, StoredRating, asked_for
from facedown.server.store.sqlite.threads import SqliteThreads

_ENDED: Final = """select number, ended.at, game, about, table_id from ended
    join tables on tables.id = table_id where {which} order by number limit ?"""
_RATING: Final = "select person, game, games, at, mean, deviation from ratings where person = ?"
_STRAYS: Final = """with recursive rated (person) as (
        select min(person) from ratings
        union all select (select min(person) from ratings where ratings.person > rated.person)
            from rated where person is not null)
    select person from rated where person is not null
        and not exists (select 1 from people where people.id = rated.person)"""
"""From one person to the next in the index: each has up to a hundred rows for each game."""
_NOTE: Final = """insert into played (person, at, table_id, seat, game, outcome)
    select ?1, ?2, ?3, ?4, ?5, ?6 where exists (select 1 from people where id = ?1) on conflict do nothing"""
_OUTCOMES: Final = """select game, outcome, count(*) from played where person = ?
    group by game, outcome order by game, outcome"""


class _NextGames(NamedTuple):
    """The games to fold next, and the ratings before them."""

    ended: list[EndedGame]
    known: dict[tuple[str, str], StoredRating]


class SqliteRatings(SqliteThreads):
    """Implements `RatingStore`: the fold runs beside the two workers; games are marked in the same commit."""

    async def rate(self, fold: FoldGames, limit: int) -> int:
        ended, known = await self.read(lambda connection: _next_games(connection, limit))
        if not ended:
            return 0
        rated = await asyncio.to_thread(fold, ended, known)
        await self.write(lambda connection: _save(connection, ended, rated))
        return len(ended)

    async def ratings(self, person: str) -> list[StoredRating]:
        found = await self._select(f"{_RATING} order by game, games", person)
        return [StoredRating(*fields) for fields in found]


class SqlitePlayed(SqliteThreads):
    """Implements `PlayedStore`: games are marked in the commit that notes them."""

    async def note_played(self, find: FindPlayed, limit: int) -> int:
        ended = await self.read(lambda connection: _ended(connection, "not noted", limit))
        if ended:
            played = find(ended)
            await self.write(lambda connection: _note(connection, ended, played))
        return len(ended)

    async def outcomes(self, person: str) -> list[OutcomeCount]:
        return [OutcomeCount(*fields) for fields in await self._select(_OUTCOMES, person)]


def ratings_of_nobody(connection: sqlite3.Connection) -> list[str]:
    """Erased people who have ratings again: their last games were folded afterwards.

    None while games wait to be folded, which need these ratings.
    """
    if _next_games(connection, 1).ended:
        return []
    return [person for (person,) in connection.execute(_STRAYS)]


def _ended(connection: sqlite3.Connection, which: str, limit: int) -> list[EndedGame]:
    """The next games that ended, of those for which a condition holds."""
    found = connection.execute(_ENDED.format(which=which), (limit,)).fetchall()
    return [
        EndedGame(number, at, game, about, _people(connection, table), table)
        for number, at, game, about, table in found
    ]


def _next_games(connection: sqlite3.Connection, limit: int) -> _NextGames:
    ended = _ended(connection, "not rated", limit)
    latest = f"{_RATING} and game = ? order by games desc limit 1"
    known = {}
    for game, person in asked_for(ended):
        for fields in connection.execute(latest, (person, game)):
            known[game, person] = StoredRating(*fields)
    return _NextGames(ended, known)


def _people(connection: sqlite3.Connection, table: str) -> tuple[tuple[int, str], ...]:
    query = "select seat, person from seats where table_id = ? order by seat"
    return tuple(connection.execute(query, (table,)).fetchall())


def _save(connection: sqlite3.Connection, ended: Sequence[EndedGame], rated: Sequence[StoredRating]) -> None:
    """Mark games, and save the ratings after them; does nothing where some were folded meanwhile."""
    first = connection.execute("select min(number) from ended where not rated").fetchone()[0]
    if first != ended[0].number:
        return
    connection.executemany(
        "update ended set rated = true where number = ?", [(each.number,) for each in ended]
    )
    connection.executemany("insert into ratings values (?, ?, ?, ?, ?, ?)", rated)
    old = "delete from ratings where person = ? and game = ? and games <= ?"
    connection.executemany(
        old, [(each.person, each.game, each.games - KEPT) for each in rated if each.games > KEPT]
    )


def _note(connection: sqlite3.Connection, ended: Sequence[EndedGame], played: Sequence[PlayedSeat]) -> None:
    connection.executemany(_NOTE, played)
    connection.executemany(
        "update ended set noted = true where number = ?", [(each.number,) for each in ended]
    )
