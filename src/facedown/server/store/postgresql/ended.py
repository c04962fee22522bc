"""SQL of games that ended, on PostgreSQL: their numbers, their fold into ratings, and who played them.

One server at a time works on them. The number of a row in a sequence is not the order of commits:
whoever holds the lock numbers what it finds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import asyncpg

from facedown.server.store.played import FindPlayed, OutcomeCount, PlayedSeat
from facedown.server.store.postgresql.connections import PostgresConnections, run_for_caller
from facedown.server.store.ratings import KEPT, EndedGame, FoldGames, StoredRating, asked_for

_LOCK: Final = 0x46414346
"""The advisory lock of the server that numbers games that ended, and folds or notes them."""
GAMES_WAIT: Final = "select exists (select from ended where not rated)"
"""Whether games wait to be folded into ratings."""
_NUMBER: Final = """update ended set number = n.number from
    (select table_no, (select coalesce(max(number), 0) from ended)
        + row_number() over (order by at, table_no) as number from ended where number is null) n
    where ended.table_no = n.table_no"""
_ENDED: Final = """select number, ended.at, game, about, id from ended
    join tables on tables.no = ended.table_no where not rated order by number limit $1"""
_PEOPLE: Final = """select table_id, seat, person from seats where table_id = any($1)
    order by table_id, seat"""
_RATING: Final = "select person, game, games, at, mean, deviation from ratings"
_LATEST: Final = """select r.* from unnest($1::text[], $2::text[]) as asked (game, person)
    cross join lateral (select person, game, games, at, mean, deviation from ratings r
        where r.person = asked.person and r.game = asked.game order by games desc limit 1) r"""
_OLD: Final = "delete from ratings where person = $1 and game = $2 and games <= $3"
_MARK: Final = "update ended set rated = true where number between $1 and $2"
_NOT_NOTED: Final = "select exists (select from ended where not noted)"
_TO_NOTE: Final = """select coalesce(number, 0), ended.at, game, about, id from ended
    join tables on tables.no = ended.table_no where not noted
    order by ended.table_no limit $1"""
_NOTE: Final = """with known as (select id from people where id = any($1) order by id for key share)
    insert into played (person, at, table_id, seat, game, outcome)
    select p.* from unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::text[])
        as p (person, at, table_id, seat, game, outcome)
    join known on known.id = p.person on conflict do nothing"""
"""Whoever is being erased meanwhile is waited for, and left out."""
_MARK_NOTED: Final = """update ended set noted = true from tables
    where tables.no = ended.table_no and tables.id = any($1)"""
_OUTCOMES: Final = """select game, outcome, count(*) from played where person = $1
    group by game, outcome order by game, outcome"""


class PostgresRatings(PostgresConnections):
    """Implements `RatingStore`: one transaction numbers, reads, folds and saves, under an advisory lock."""

    async def rate(self, fold: FoldGames, limit: int) -> int:
        if not (await self._select_one(GAMES_WAIT))[0]:
            return 0

        async def work(connection: asyncpg.Connection) -> int:
            if not await connection.fetchval("select pg_try_advisory_xact_lock($1)", _LOCK):
                return 0
            await connection.execute(_NUMBER)
            ended = await _ended_games(connection, _ENDED, limit)
            if ended:
                await _save(connection, await _folded(connection, fold, ended))
                await connection.execute(_MARK, ended[0].number, ended[-1].number)
            return len(ended)

        return await self._transaction(work)

    async def ratings(self, person: str) -> list[StoredRating]:
        found = await self._select(f"{_RATING} where person = $1 order by game, games", person)
        return [StoredRating(*fields) for fields in found]


class PostgresPlayed(PostgresConnections):
    """Implements `PlayedStore`: one transaction reads, notes and marks. Whoever asks while another server is
    at it waits, and finds what that one left."""

    async def note_played(self, find: FindPlayed, limit: int) -> int:
        if not (await self._select_one(_NOT_NOTED))[0]:
            return 0

        async def work(connection: asyncpg.Connection) -> int:
            await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
            ended = await _ended_games(connection, _TO_NOTE, limit)
            await _note(connection, run_for_caller(find, ended))
            await connection.execute(_MARK_NOTED, [each.table for each in ended])
            return len(ended)

        return await self._transaction(work)

    async def outcomes(self, person: str) -> list[OutcomeCount]:
        return [OutcomeCount(*fields) for fields in await self._select(_OUTCOMES, person)]


async def _ended_games(connection: asyncpg.Connection, query: str, limit: int) -> list[EndedGame]:
    """The games that ended which a query finds: number, time, game, summary and table of each."""
    found = await connection.fetch(query, limit)
    people: dict[str, list[tuple[int, str]]] = {}
    for table, seat, person in await connection.fetch(_PEOPLE, [fields[4] for fields in found]):
        people.setdefault(table, []).append((seat, person))
    return [
        EndedGame(number, at, game, about, tuple(people.get(table, ())), table)
        for number, at, game, about, table in found
    ]


async def _folded(
    connection: asyncpg.Connection, fold: FoldGames, ended: Sequence[EndedGame]
) -> list[StoredRating]:
    asked = asked_for(ended)
    games, people = [game for game, _ in asked], [person for _, person in asked]
    latest = [StoredRating(*fields) for fields in await connection.fetch(_LATEST, games, people)]
    known = {(each.game, each.person): each for each in latest}
    return await asyncio.to_thread(run_for_caller, fold, ended, known)


async def _save(connection: asyncpg.Connection, rated: Sequence[StoredRating]) -> None:
    await connection.copy_records_to_table("ratings", records=rated, columns=list(StoredRating._fields))
    await connection.executemany(
        _OLD, [(each.person, each.game, each.games - KEPT) for each in rated if each.games > KEPT]
    )


async def _note(connection: asyncpg.Connection, played: Sequence[PlayedSeat]) -> None:
    if played:
        await connection.execute(_NOTE, *map(list, zip(*played, strict=True)))
