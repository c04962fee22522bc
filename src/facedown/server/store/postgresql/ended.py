"""SQL of finished games on PostgreSQL: their numbers, the ratings folded from them, and who played them.

One server at a time works on them, under an advisory lock. A sequence would not number rows in the order of
their commits, so the server that holds the lock numbers the rows it finds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import asyncpg

from facedown.server.clock import DAY_MS
from facedown.server.store.base import Stand
from facedown.server.store.postgresql.connections import run_for_caller
from facedown.server.store.profiles import count_statements
from facedown.server.store.standings import STAND
from facedown.server.store.values import (
    KEPT,
    EndedGame,
    FindPlayed,
    FoldGames,
    RatingKeys,
    StoredRating,
    latest_ratings,
)

GAMES_TO_RATE: Final = "select exists (select from ended where not rated)"
"""Whether there are games to fold into ratings."""
GAMES_TO_NOTE: Final = "select exists (select from ended where not noted)"

_LOCK: Final = 0x46414346
"""The advisory lock of the server that numbers, folds or notes finished games."""
_NUMBER: Final = """update ended set number = n.number from
    (select table_no, (select coalesce(max(number), 0) from ended)
        + row_number() over (order by at, table_no) as number from ended where number is null) n
    where ended.table_no = n.table_no"""
_TO_RATE: Final = """select number, ended.at, game, about, id, rules from ended
    join tables on tables.no = ended.table_no where not rated order by number limit $1"""
_RATED: Final = """select number, ended.at, game, about, id, rules from ended
    join tables on tables.no = ended.table_no where rated and number > $2 order by number limit $1"""
_TO_NOTE: Final = """select coalesce(number, 0), ended.at, game, about, id, rules from ended
    join tables on tables.no = ended.table_no where not noted
    order by ended.table_no limit $1"""
_PEOPLE: Final = """select table_id, seat, person from seats where table_id = any($1)
    order by table_id, seat"""
_EARLIER: Final = """select p.number, (select count(*) from seats a
        join seats b on b.table_id = a.table_id and b.person = p.other
        join tables on tables.id = a.table_id join ended on ended.table_no = tables.no
        where a.person = p.one and ended.at >= p.day and ended.number < p.number)
    from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as p (one, other, day, number)"""
_LATEST: Final = """select r.* from unnest($1::text[], $2::text[]) as key (game, person)
    cross join lateral (select person, game, games, at, mean, deviation from ratings r
        where r.person = key.person and r.game = key.game order by games desc limit 1) r"""
_OLD: Final = "delete from ratings where person = $1 and game = $2 and games <= $3"
_MARK_RATED: Final = "update ended set rated = true where number between $1 and $2"
_NOTE: Final = """with known as (select id from people where id = any($1) order by id for key share)
    insert into played (person, at, table_id, seat, game, outcome)
    select p.* from unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::text[])
        as p (person, at, table_id, seat, game, outcome)
    join known on known.id = p.person on conflict do nothing"""
"""Waits for concurrent erasures; erased people are skipped."""
_MARK_NOTED: Final = """update ended set noted = true from tables
    where tables.no = ended.table_no and tables.id = any($1)"""


async def rate_games(
    connection: asyncpg.Connection, fold: FoldGames, limit: int, stand: Stand | None, keys: RatingKeys
) -> int:
    """Number, read and fold games, and save their ratings, in one transaction; how many games these were.

    0 if another server is doing it.
    """
    if not await connection.fetchval("select pg_try_advisory_xact_lock($1)", _LOCK):
        return 0
    await connection.execute(_NUMBER)
    games = await _ended_games(connection, _TO_RATE, limit)
    if games:
        known = await _latest(connection, run_for_caller(keys, games))
        rated = await asyncio.to_thread(run_for_caller, fold, games, known)
        columns = list(StoredRating._fields)
        await connection.copy_records_to_table("ratings", records=rated, columns=columns)
        await connection.executemany(
            _OLD, [(each.person, each.game, each.games - KEPT) for each in rated if each.games > KEPT]
        )
        if stand is not None:
            await connection.executemany(STAND, [stand(each) for each in latest_ratings(rated)])
        await connection.execute(_MARK_RATED, games[0].number, games[-1].number)
    return len(games)


async def rated_games(connection: asyncpg.Connection, after: int, limit: int) -> list[EndedGame]:
    """The games with a number above `after` that were folded into ratings, or looked at for that."""
    return await _ended_games(connection, _RATED, limit, after)


async def note_games(connection: asyncpg.Connection, find: FindPlayed, limit: int) -> int:
    """Read games and note who played them, in one transaction; how many games these were.

    Waits while another server is doing it.
    """
    await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
    games = await _ended_games(connection, _TO_NOTE, limit)
    if played := run_for_caller(find, games):
        await connection.execute(_NOTE, *map(list, zip(*(each[:6] for each in played), strict=True)))
        for statement, rows in count_statements(played):
            await connection.executemany(statement, rows)
    await connection.execute(_MARK_NOTED, [each.table for each in games])
    return len(games)


async def _ended_games(connection: asyncpg.Connection, query: str, limit: int, *more: int) -> list[EndedGame]:
    found = await connection.fetch(query, limit, *more)
    people: dict[str, list[tuple[int, str]]] = {}
    for table, seat, person in await connection.fetch(_PEOPLE, [fields[4] for fields in found]):
        people.setdefault(table, []).append((seat, person))
    pairs = {table: [person for _, person in held] for table, held in people.items() if len(held) == 2}
    days = [(*pairs[each[4]], each[1] - each[1] % DAY_MS, each[0]) for each in found if each[4] in pairs]
    counts = await connection.fetch(_EARLIER, *map(list, zip(*days, strict=True))) if days else ()
    earlier = {number: count for number, count in counts}  # noqa: C416  # rows of a record type
    return [
        EndedGame(number, at, game, about, tuple(people.get(table, ())), table, earlier.get(number, 0), rules)
        for number, at, game, about, table, rules in found
    ]


async def _latest(
    connection: asyncpg.Connection, keys: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], StoredRating]:
    found = await connection.fetch(_LATEST, [game for game, _ in keys], [person for _, person in keys])
    return {(each.game, each.person): each for each in (StoredRating(*fields) for fields in found)}
