"""What the home cluster keeps of the others: errands that it owes them, and copies of their tables.

One server at a time works for each of the other clusters, under an advisory lock of the home cluster. It asks
the other cluster while it holds the lock, so that no older answer replaces a newer one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg

from facedown.core.merkle import leaf_hash
from facedown.server.store.base import SET_VALUE
from facedown.server.store.failures import StoreFailed
from facedown.server.store.postgresql.connections import CallerFailed
from facedown.server.store.sharded.cluster import ChangedTables, LogEnd, TableCluster
from facedown.server.store.sharded.layout import VALUE
from facedown.server.store.values import Append

COPY_PAUSE_S: Final = 0.02
"""How long changes are collected before they are copied."""
MOST_ENTRIES: Final = 1000
_WORK_S: Final = 10.0
"""How long another cluster may take while its lock is held."""
_LOCK: Final = f"select pg_try_advisory_xact_lock({0x4641434A}, $1)"
_ADD_ERRAND: Final = "insert into errands (cluster, kind, about, body) values ($1, $2, $3, $4)"
ERRANDS: Final = "select no, kind, body from errands where cluster = $1 order by no limit $2"
ERRANDS_ABOUT: Final = "select body from errands where about = $1 and kind = $2"
_DONE: Final = "delete from errands where no = $1"
_COPY: Final = """insert into tables as t
        (id, head, deadline, changed_at, game, rules, state, public, created_at, about, copied)
    select c.*, true from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::text[], $6::text[],
        $7::text[], $8::boolean[], $9::bigint[], $10::bytea[]) as c (id, head, deadline, changed_at, game,
        rules, state, public, created_at, about) order by c.id
    on conflict (id) do update set head = excluded.head, deadline = excluded.deadline,
        changed_at = excluded.changed_at, game = excluded.game, rules = excluded.rules,
        state = excluded.state, public = excluded.public, about = excluded.about where t.copied"""
_DROP_TABLES: Final = "delete from tables where id = any($1) and copied"
_DROP_SEATS: Final = """delete from seats where table_id = any($1)
    and (table_id, seat) not in (select * from unnest($2::text[], $3::int[]))"""
_COPY_SEATS: Final = """insert into seats (table_id, seat, person, token, seen_at)
    select c.table_id, c.seat, c.person, '', c.seen_at
    from unnest($1::text[], $2::int[], $3::text[], $4::bigint[]) as c (table_id, seat, person, seen_at)
    on conflict (table_id, seat) do update set person = excluded.person, seen_at = excluded.seen_at"""
_COPY_ENDS: Final = """insert into ended (table_no, at, packed) select no, c.at, true
    from unnest($1::text[], $2::bigint[]) as c (id, at) join tables on tables.id = c.id
    order by c.at, no on conflict do nothing"""
_COPY_FAULTS: Final = """insert into faults (person, at, table_id, kind)
    select c.person, c.at, c.table_id, c.kind
    from unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) as c (person, at, table_id, kind)
    join people on people.id = c.person on conflict do nothing"""
_ADD_ENTRIES: Final = """insert into log_entries (entry, hash)
    select c.entry, c.hash from unnest($1::bytea[], $2::bytea[]) with ordinality as c (entry, hash, place)
    order by c.place on conflict do nothing"""


def copied_entries(cluster: int) -> str:
    """The name of the value that says how far the entries of a cluster's log are in the public one."""
    return f"log of cluster {cluster}"


@asynccontextmanager
async def _asking() -> AsyncIterator[None]:
    """Ask another cluster inside a transaction of this one: what it raises is no error of this one."""
    try:
        async with asyncio.timeout(_WORK_S):
            yield
    except TimeoutError:
        raise CallerFailed(StoreFailed("another cluster does not answer")) from None
    except Exception as error:
        raise CallerFailed(error) from error


async def add_errand(
    connection: asyncpg.Connection, cluster: int, kind: str, about: str, body: bytes
) -> None:
    """Leave something to another cluster, if this transaction is committed."""
    await connection.execute(_ADD_ERRAND, cluster, kind, about, body)


async def run_errands(connection: asyncpg.Connection, cluster: TableCluster, limit: int) -> bool:
    """Do the first errands for a cluster; False if another server does them, or none is left."""
    if not await connection.fetchval(_LOCK, cluster.number):
        return False
    errands = await connection.fetch(ERRANDS, cluster.number, limit)
    for number, kind, body in errands:
        async with _asking():
            await cluster.run_errand(kind, body)
        await connection.execute(_DONE, number)
    return bool(errands)


async def copy_tables(
    connection: asyncpg.Connection, cluster: TableCluster, limit: int
) -> ChangedTables | None:
    """Copy the tables that were changed first; None if another server does it."""
    if not await connection.fetchval(_LOCK, cluster.number):
        return None
    async with _asking():
        changed = await cluster.changed_tables(limit)
    await _copy(connection, changed)
    return changed


async def copy_new(connection: asyncpg.Connection, batch: Append) -> None:
    """Show a table in lists that another cluster will have."""
    about = batch.summary
    if about is None:
        raise ValueError("a new table has a summary")
    at = batch.rows[-1].at
    row = (
        *(batch.table, len(batch.rows), batch.deadline, at, about.game, about.rules, about.state),
        *(about.public, about.created_at, about.about),
    )
    seats: list[tuple[Any, ...]] = [(batch.table, each.seat, each.person, 0) for each in batch.seats]
    await _copy(connection, ChangedTables([(batch.table, 0)], [row], seats, [], []))


async def _copy(connection: asyncpg.Connection, changed: ChangedTables) -> None:
    there = [row[0] for row in changed.tables]
    if gone := sorted(set(changed.ids) - set(there)):
        await connection.execute(_DROP_TABLES, gone)
    if there:
        await connection.execute(_COPY, *_columns(changed.tables, 10))
    tables, seats, *_ = _columns(changed.seats, 4)
    await connection.execute(_DROP_SEATS, changed.ids, tables, seats)
    for statement, rows, width in (
        (_COPY_SEATS, changed.seats, 4),
        (_COPY_ENDS, changed.ends, 2),
        (_COPY_FAULTS, changed.faults, 4),
    ):
        if rows:
            await connection.execute(statement, *_columns(rows, width))


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [[row[place] for row in rows] for place in range(width)]


async def copy_entries(connection: asyncpg.Connection, cluster: TableCluster) -> bool:
    """Add the next numbered entries of a cluster to the public log; False if another server does it.

    A cluster that came back with an older log, as an asynchronous standby does, is read from the beginning.
    """
    if not await connection.fetchval(_LOCK, cluster.number):
        return False
    name = copied_entries(cluster.number)
    copied = LogEnd.read(await connection.fetchval(VALUE, name))
    async with _asking():
        before = await cluster.log_entries(copied.size - 1, 1) if copied.size else []
        start = copied.size if [leaf_hash(entry) for entry in before] == [copied.last] else 0
        entries = await cluster.log_entries(start, MOST_ENTRIES)
    leaves = [leaf_hash(entry) for entry in entries]
    await connection.execute(_ADD_ENTRIES, entries, leaves)
    end = copied if start else LogEnd()
    if leaves:
        end = LogEnd(start + len(leaves), leaves[-1])
    await connection.execute(SET_VALUE, name, end.to_bytes())
    return True
