"""Divides the tables of a PostgreSQL store among several clusters, or unites them in one again.

The first database stays what it is, with everything but tables. Some tables at a time are written to their
cluster, read back and compared; only then the first database gives up what it holds of them. No server may
run during a move; one that was interrupted continues where it stopped.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import asyncpg

from facedown.core.errors import Unsupported
from facedown.server.store.base import SET_VALUE
from facedown.server.store.failures import StoreFailed
from facedown.server.store.outages import ALL_OUTAGES, OWED
from facedown.server.store.postgresql.connections import connect_to
from facedown.server.store.postgresql.schema import MOVING, migrate
from facedown.server.store.postgresql.store import NOW
from facedown.server.store.sharded.cluster import LogEnd
from facedown.server.store.sharded.home import copied_entries
from facedown.server.store.sharded.layout import (
    IS_USED,
    LAYOUT,
    VALUE,
    StoredLayout,
    begun_mark,
    place_of,
    place_of_answer,
)
from facedown.server.store.sharded.store import settle_clusters

Report = Callable[[str], None]
"""Shows the progress."""

_AT_ONCE: Final = 100
_TABLE: Final = "id, head, deadline, wake_at, changed_at, game, rules, state, public, created_at, about"
_BY_NUMBER: Final = (
    ("events", "v, kind, at, seat, command, spent, public, secret, digest"),
    ("texts", "v, slot, person, text, at"),
    ("packed_games", "head, body"),
)
_BY_ID: Final = (  # all but seats may be in both places
    ("seats", "table_id, seat, person, token, session, previous, previous_session, seen_at"),
    ("invites", "table_id, code"),
    ("notices", "table_id, person, decision, kind"),
    ("faults", "table_id, person, at, kind"),
)
_FORGET: Final = "delete from notes where name = $1"
_ANSWERS: Final = "person, key, body, digest, at"
_HEADS: Final = "select id, head from tables where id = any($1) order by id"
_HAS_TO_COPY: Final = """select exists (select from uncopied)
    or exists (select from log_entries where n is null or n >= $1)"""
_INTO: Final = b"into "
"""Begins the mark of a division, with the number of clusters and the id of the store."""
_UNITING: Final = b"from several clusters"
_BEATS_S: Final = 3.0
"""A server that runs beats in this time."""
_BEATEN: Final = f"""select max(seen_at), coalesce(max(seen_at) > {NOW} - 60000, false)
    as is_recent from nodes"""


async def divide(urls: Sequence[str], report: Report = lambda _: None) -> int:
    """Divide the tables of the first database among all; how many tables were moved."""
    async with _connections_to(urls) as clusters:
        home = clusters[0]
        store = await _begin(home, clusters[1:])
        moved = 0
        for number, cluster in enumerate(clusters[1:], 1):
            tables = await home.fetch("select id from tables where not copied order by no")
            own = [table for (table,) in tables if place_of(table, len(urls)) == number]
            moved += await _move(home, cluster, own, _keep_copies, report)
            await _share_answers(home, cluster, number, len(urls))
        for number, cluster in enumerate(clusters):
            await cluster.execute(SET_VALUE, LAYOUT, StoredLayout(store, number, len(urls)).to_bytes())
            if number:
                await home.execute(SET_VALUE, begun_mark(number), b"")
        for cluster in reversed(clusters):  # the first as the last: with its mark this can go on
            await cluster.execute(_FORGET, MOVING)
        return moved


async def unite(urls: Sequence[str], report: Report = lambda _: None) -> int:
    """Unite the tables of all clusters in the first; how many tables were moved. The others keep what they
    had, and no server starts on them."""
    async with _connections_to(urls) as clusters:
        home = clusters[0]
        await _begin_to_unite(clusters, urls)
        moved = 0
        for number, cluster in enumerate(clusters[1:], 1):
            await cluster.execute(SET_VALUE, MOVING, b"moved to the first cluster")
            found = await home.fetch("select id from tables where copied order by no")
            own = [table for (table,) in found if place_of(table, len(urls)) == number]
            moved += await _move(cluster, home, own, _mark_copied, report)
            await _share_answers(cluster, home, 0, 1)
            for name in (begun_mark(number), copied_entries(number)):
                await home.execute(_FORGET, name)
        await home.execute(_FORGET, LAYOUT)
        await home.execute(_FORGET, MOVING)
        return moved


async def is_dividing(url: str) -> bool:
    """Whether a division of this database was interrupted."""
    return (await _mark_of(url) or b"").startswith(_INTO)


async def is_moving(url: str) -> bool:
    """Whether any move from or into this database was interrupted."""
    return await _mark_of(url) is not None


async def _mark_of(url: str) -> bytes | None:
    async with _connections_to([url]) as (home,):
        mark: bytes | None = await home.fetchval(VALUE, MOVING)
        return mark


@asynccontextmanager
async def _connections_to(urls: Sequence[str]) -> AsyncIterator[list[asyncpg.Connection]]:
    """Connections to the databases, with their schemas as of this version."""
    async with AsyncExitStack() as stack:
        clusters = []
        try:
            for url in urls:
                clusters.append(await connect_to(url))
                stack.push_async_callback(clusters[-1].close)
                await migrate(clusters[-1])
            yield clusters
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise StoreFailed(f"the move stopped ({error}): run it again, and it goes on") from error


async def _begin(home: asyncpg.Connection, others: Sequence[asyncpg.Connection]) -> str:
    """Mark all databases, so that no server starts on them; the id of the store."""
    begins, marked = _INTO + b"%d " % (1 + len(others)), await home.fetchval(VALUE, MOVING) or b""
    if marked and not marked.startswith(begins):
        raise Unsupported("another move from or into the first database is not finished")
    if not marked and await home.fetchval(VALUE, LAYOUT) is not None:
        raise Unsupported("the first database is one of several clusters already")
    mark = marked or begins + secrets.token_hex(8).encode()
    store = mark.removeprefix(begins).decode()
    for each in others:
        stored = await each.fetchval(VALUE, LAYOUT)
        is_ours = await each.fetchval(VALUE, MOVING) == mark or (
            stored is not None and StoredLayout.read(stored).store == store
        )
        if not is_ours and (stored is not None or await each.fetchval(IS_USED)):
            raise Unsupported("the further databases have to be empty")
    await home.execute(SET_VALUE, MOVING, mark)
    if not marked:
        await _check_stopped(home, [home])
    for each in others:
        await each.execute(SET_VALUE, MOVING, mark)
    return store


async def _begin_to_unite(clusters: Sequence[asyncpg.Connection], urls: Sequence[str]) -> None:
    """Settle what the clusters owe each other, and mark the first, so that no server starts on it."""
    home = clusters[0]
    marked = await home.fetchval(VALUE, MOVING)
    if marked not in (None, _UNITING):
        raise Unsupported("another move from or into the first database is not finished")
    for number, cluster in enumerate(clusters):
        stored = await cluster.fetchval(VALUE, LAYOUT)
        if stored is None and not number and marked:  # it was about to be over
            continue
        if stored is None or StoredLayout.read(stored)[1:] != (number, len(clusters)):
            raise Unsupported("these are not all clusters of the store, in their order")
    if marked is None:
        await settle_clusters(urls)
        await home.execute(SET_VALUE, MOVING, _UNITING)
        await _check_stopped(home, clusters)
        if await _is_owing(clusters):
            await home.execute(_FORGET, MOVING)
            raise StoreFailed("the clusters owe each other something yet: run it again")


async def _is_owing(clusters: Sequence[asyncpg.Connection]) -> bool:
    """Whether a cluster still has to do, to copy or to log something for another one."""
    home = clusters[0]
    for number, cluster in enumerate(clusters[1:], 1):
        logged = LogEnd.read(await home.fetchval(VALUE, copied_entries(number))).size
        if await cluster.fetchval(_HAS_TO_COPY, logged):
            return True
    return bool(await home.fetchval("select exists (select from errands)"))


async def _check_stopped(home: asyncpg.Connection, clusters: Sequence[asyncpg.Connection]) -> None:
    """Raise `Unsupported`, and take the mark away, if a server still beats: it would go on writing."""
    before = [await each.fetchrow(_BEATEN) for each in clusters]
    if not any(is_recent for _, is_recent in before):
        return
    await asyncio.sleep(_BEATS_S)
    if before != [await each.fetchrow(_BEATEN) for each in clusters]:
        await home.execute(_FORGET, MOVING)
        raise Unsupported("a server is running on this store: stop all of them first")


async def _check_heads(old: asyncpg.Connection, new: asyncpg.Connection, tables: Sequence[str]) -> None:
    """Raise `StoreFailed` if a table has gone on since it was written to its new place."""
    found = await old.fetch(f"{_HEADS} for update", tables)
    if found != await new.fetch(_HEADS, tables):
        raise StoreFailed("a server has written during the move: stop all servers, and restore a backup")


async def _move(
    old: asyncpg.Connection,
    new: asyncpg.Connection,
    tables: Sequence[str],
    give_up: Callable[[asyncpg.Connection, Sequence[str]], Awaitable[None]],
    report: Report,
) -> int:
    """Write tables to their new place, some at a time, before the old one gives them up; how many."""
    for start in range(0, len(tables), _AT_ONCE):
        some = tables[start : start + _AT_ONCE]
        await _write(old, new, some)
        async with old.transaction():
            await _check_heads(old, new, some)
            await give_up(old, some)
        report(f"{start + len(some)} of {len(tables)} tables")
    return len(tables)


async def _write(old: asyncpg.Connection, new: asyncpg.Connection, tables: Sequence[str]) -> None:
    """Write everything about some tables in one transaction, and compare it; what is there already stays."""
    known = await new.fetch("select id from tables where id = any($1) and not copied", tables)
    left = sorted(set(tables) - {table for (table,) in known})
    async with new.transaction():
        rows = await old.fetch(f"select {_TABLE}, {OWED} from tables where id = any($1) order by no", left)
        columns = [f"${number}" for number in range(1, len(_TABLE.split(", ")) + 2)]
        updates = ", ".join(f"{name} = excluded.{name}" for name in _TABLE.split(", ")[1:])
        await new.executemany(
            f"""insert into tables ({_TABLE}, owed, credited) values ({", ".join(columns)}, {ALL_OUTAGES})
                on conflict (id) do update set {updates}, owed = excluded.owed,
                credited = excluded.credited, copied = false""",
            [tuple(row) for row in rows],
        )
        numbers = dict(await new.fetch("select id, no from tables where id = any($1)", left))
        for name, columns_of in _BY_NUMBER:
            records = [
                (numbers[table], *row) for table, *row in await _by_number(old, name, columns_of, left)
            ]
            await new.copy_records_to_table(
                name, records=records, columns=["table_no", *columns_of.split(", ")]
            )
        await new.execute("delete from seats where table_id = any($1)", left)
        for name, columns_of in _BY_ID:
            values = ", ".join(f"${number}" for number in range(1, len(columns_of.split(", ")) + 1))
            insert = f"insert into {name} ({columns_of}) values ({values}) on conflict do nothing"
            await new.executemany(insert, [tuple(row) for row in await _by_id(old, name, columns_of, left)])
        ends = await old.fetch(
            """select t.id, e.at, packed from ended e join tables t on t.no = e.table_no
            where t.id = any($1)""",
            left,
        )
        await new.executemany(
            """insert into ended (table_no, at, rated, noted, counted, packed)
            values ($1, $2, true, true, true, $3)
            on conflict (table_no) do update set packed = excluded.packed""",
            [(numbers[table], at, packed) for table, at, packed in ends],
        )
    for name, columns_of in _BY_NUMBER:
        if await _by_number(old, name, columns_of, tables) != await _by_number(new, name, columns_of, tables):
            raise StoreFailed(f"the {name} differ after the move: run it again")
    for name, columns_of in _BY_ID:
        here = await _by_id(new, name, columns_of, tables)
        if not set(await _by_id(old, name, columns_of, tables)) <= set(here):
            raise StoreFailed(f"the {name} differ after the move: run it again")


async def _by_number(of: asyncpg.Connection, name: str, columns: str, tables: Sequence[str]) -> list[Any]:
    listed = ", ".join(f"x.{column}" for column in columns.split(", "))
    return list(
        await of.fetch(
            f"""select t.id, {listed} from {name} x join tables t on t.no = x.table_no
            where t.id = any($1) order by t.id collate "C", {"x.head" if name == "packed_games" else "x.v"}
            {', x.slot collate "C"' if name == "texts" else ""}""",
            list(tables),
        )
    )


async def _by_id(of: asyncpg.Connection, name: str, columns: str, tables: Sequence[str]) -> list[Any]:
    return list(await of.fetch(f"select {columns} from {name} where table_id = any($1)", list(tables)))


async def _keep_copies(home: asyncpg.Connection, tables: Sequence[str]) -> None:
    """Keep copies in the home cluster of tables that are in another one now."""
    kept = await home.fetch(f"select no, {_TABLE} from tables where id = any($1)", tables)
    await home.execute("delete from tables where id = any($1)", tables)  # events are never deleted before
    numbers = [row["no"] for row in kept]
    for name, _ in _BY_NUMBER:
        await home.execute(f"delete from {name} where table_no = any($1)", numbers)
    columns = ["no", *_TABLE.split(", "), "copied"]
    records = [(*({**row, "wake_at": None}[name] for name in columns[:-1]), True) for row in map(dict, kept)]
    await home.copy_records_to_table("tables", records=records, columns=columns)
    await home.execute("update ended set packed = true where table_no = any($1)", numbers)
    for name in ("invites", "notices"):
        await home.execute(f"delete from {name} where table_id = any($1)", tables)
    await home.execute("update seats set token = '', previous = null where table_id = any($1)", tables)


async def _mark_copied(cluster: asyncpg.Connection, tables: Sequence[str]) -> None:
    """No append moves their heads from now on."""
    await cluster.execute("update tables set copied = true where id = any($1)", tables)


async def _share_answers(old: asyncpg.Connection, new: asyncpg.Connection, place: int, clusters: int) -> None:
    """Write each saved response to the cluster of the table that it made (`Store.is_beside`)."""
    found = await old.fetch(f"select {_ANSWERS} from answers")
    rows = [
        tuple(row) for row in found if place_of(place_of_answer(row["person"], row["key"]), clusters) == place
    ]
    insert = f"insert into answers ({_ANSWERS}) values ($1, $2, $3, $4, $5) on conflict do nothing"
    await new.executemany(insert, rows)
