"""Moves a store from SQLite to PostgreSQL: everything, compared afterwards. A move can be resumed.

The data directory stays locked during the move, so that no server writes to it. It is marked before servers
can use the new store: at no moment do servers start on both.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncpg

from facedown.core.errors import Unsupported
from facedown.server.store.failures import StoreFailed
from facedown.server.store.postgresql.connections import connect_to
from facedown.server.store.postgresql.schema import MOVING, create
from facedown.server.store.sqlite.backup import check
from facedown.server.store.sqlite.data_dir import DATABASE, DataDirectory
from facedown.server.store.sqlite.moved import MOVED, check_not_moved, mark_moved
from facedown.server.store.sqlite.schema import open_for_writing
from facedown.server.store.steps import batches

_ID: Final = "store_id"
_AT_ONCE: Final = 200
"""Tables copied in one transaction."""
_ROWS_AT_ONCE: Final = 5000

Report = Callable[[str], None]
"""Shows the progress."""


class Kind(NamedTuple):
    """A table of the old database."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    texts: frozenset[str]
    """Columns to be ordered byte by byte, as SQLite does."""


_BY_TABLE: Final = ("tables", "events", "texts")
"""Copied some tables at a time."""
_COUNTED: Final = "levels"
"""Filled by triggers."""


async def move(source: Path, target: str, name: str, report: Report = lambda _: None) -> dict[str, int]:
    """Move a data directory to a database; the number of rows of each kind, all of them compared.

    `name` is the database's URL without a password.
    """
    if not (source / DATABASE).is_file():
        raise StoreFailed(f"there is no database at {source / DATABASE}", text=str(source))
    directory = DataDirectory(source)
    try:
        open_for_writing(directory.database).close()
        if problems := check(source):
            raise StoreFailed(f"{source} is damaged ({problems[0]}): nothing was moved")
        with contextlib.closing(sqlite3.connect(directory.database)) as old:
            new = await connect_to(target)
            try:
                await create(new)
                await _begin(old, new, source)
                kinds = _kinds(old)
                await _copy_tables(old, new, kinds, report)
                for kind in kinds.values():
                    if kind.name not in _BY_TABLE:
                        await _copy_kind(old, new, kind)
                await _set_sequences(old, new)
                counts = await _compare(old, new, kinds, report)
                mark_moved(old, name)
                report("opening the new store")
                await new.execute("delete from notes where name = $1", MOVING)
                return counts
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                raise StoreFailed(f"the move stopped ({error}): run it again, and it goes on") from error
            finally:
                await new.close()
    finally:
        directory.close()


async def _begin(old: sqlite3.Connection, new: asyncpg.Connection, source: Path) -> None:
    """Mark the database as the target of this move; raises if it holds anything else."""
    old.execute("insert or ignore into notes (name, value) values (?, ?)", (_ID, secrets.token_bytes(16)))
    old.commit()
    mine: bytes = old.execute("select value from notes where name = ?", (_ID,)).fetchone()[0]
    marked = await new.fetchval("select value from notes where name = $1", MOVING)
    if marked == mine:
        return
    used = await new.fetchval("select exists (select from tables) or exists (select from people)")
    if marked is not None or used:
        raise Unsupported("the database holds another store already: a move needs an empty one")
    check_not_moved(source)
    await new.execute("insert into notes (name, value) values ($1, $2)", MOVING, mine)


def _kinds(old: sqlite3.Connection) -> dict[str, Kind]:
    """All tables, people first: PostgreSQL checks that others refer to them."""
    kinds = {}
    listed = """select name from sqlite_master where type = 'table' and name not like 'sqlite%'
        order by name <> 'people', name"""
    for (name,) in old.execute(listed).fetchall():
        if name != _COUNTED:
            columns = old.execute("select name, type, pk from pragma_table_info(?)", (name,)).fetchall()
            key = tuple(column for _, column in sorted((pk, column) for column, _, pk in columns if pk))
            texts = frozenset(column for column, kind, _ in columns if kind.lower() == "text")
            kinds[name] = Kind(name, tuple(column for column, *_ in columns), key, texts)
    return kinds


# --- copying ---------------------------------------------------------------------------------------------


async def _copy_tables(
    old: sqlite3.Connection, new: asyncpg.Connection, kinds: Mapping[str, Kind], report: Report
) -> None:
    """Copy the missing tables with their events and texts, some in each transaction."""
    copied = {table for (table,) in await new.fetch("select id from tables")}
    tables = old.execute("select no, id from tables order by no").fetchall()
    missing = [table for table in tables if table[1] not in copied]
    left = len(missing)
    for some in batches(missing, _AT_ONCE):
        numbers, ids = zip(*some, strict=True)
        async with new.transaction():
            for name, column, values in (
                ("tables", "no", numbers),
                ("events", "table_no", numbers),
                ("texts", "table_id", ids),
            ):
                columns = kinds[name].columns
                query = f"select {', '.join(columns)} from {name} where {column} = ?"
                records = [row for value in values for row in old.execute(query, (value,))]
                await new.copy_records_to_table(name, records=records, columns=columns)
        left -= len(some)
        report(f"{len(tables) - left} of {len(tables)} tables")


async def _copy_kind(old: sqlite3.Connection, new: asyncpg.Connection, kind: Kind) -> None:
    """Copy all rows of a kind in one transaction; existing rows are replaced."""
    query = f"select {', '.join(kind.columns)} from {kind.name}"
    rows = old.execute(f"{query} {_without_marks(kind)}")
    async with new.transaction():
        if kind.name == "log_entries":  # never deleted: existing ones are right
            last = await new.fetchval("select coalesce(max(id), 0) from log_entries")
            rows = old.execute(f"{query} where id > ? order by id", (last,))
        else:
            await new.execute(f"delete from {kind.name} {_without_marks(kind)}")
        while records := rows.fetchmany(_ROWS_AT_ONCE):
            await new.copy_records_to_table(kind.name, records=records, columns=kind.columns)


async def _set_sequences(old: sqlite3.Connection, new: asyncpg.Connection) -> None:
    """Let the numbers of new rows follow those of the copied ones."""
    for name, last in old.execute("select name, seq from sqlite_sequence").fetchall():
        column = "no" if name == "tables" else "id"
        sequence = f"pg_get_serial_sequence('facedown.{name}', '{column}')"
        await new.execute(f"select setval({sequence}, {last:d} + 1, false)")


# --- comparing -------------------------------------------------------------------------------------------


async def _compare(
    old: sqlite3.Connection, new: asyncpg.Connection, kinds: Mapping[str, Kind], report: Report
) -> dict[str, int]:
    """Read everything from both, and count it; raises if anything differs."""
    counts = {}
    for kind in kinds.values():
        report(f"comparing {kind.name}")
        before, after = _RowDigest(), _RowDigest()
        query = f"select {', '.join(kind.columns)} from {kind.name} {_without_marks(kind)} order by "
        for row in old.execute(query + ", ".join(kind.key)):
            before.add(row)
        order = ", ".join(f'{each} collate "C"' if each in kind.texts else each for each in kind.key)
        async with new.transaction(isolation="repeatable_read", readonly=True):
            async for record in new.cursor(query + order, prefetch=_ROWS_AT_ONCE):
                after.add(tuple(record))
        if before.value() != after.value():
            sizes = f"{before.rows} and {after.rows}"
            raise StoreFailed(f"the {kind.name} differ after the move ({sizes}): do not use the new store")
        counts[kind.name] = before.rows
    return counts


class _RowDigest:
    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self.rows = 0

    def add(self, row: tuple[Any, ...]) -> None:
        self._digest.update(repr(row).encode())
        self.rows += 1

    def value(self) -> bytes:
        return self._digest.digest()


def _without_marks(kind: Kind) -> str:
    """A condition that leaves out the marks of the move itself."""
    return f"where name not in ('{MOVING}', '{MOVED}')" if kind.name == "notes" else ""
