"""Moves a store from SQLite to PostgreSQL: everything, compared afterwards. A move can be resumed.

The data directory stays locked during the move, so that no server writes to it. It is marked before servers
can use the new store: at no moment do servers start on both.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncpg

from facedown.core.errors import Unsupported
from facedown.server.store.failures import StoreFailed
from facedown.server.store.postgresql.connections import connect_to
from facedown.server.store.postgresql.schema import MOVING, migrate
from facedown.server.store.sqlite.backup import check
from facedown.server.store.sqlite.data_dir import DATABASE, DataDirectory
from facedown.server.store.sqlite.moved import MOVED, check_not_moved, mark_moved
from facedown.server.store.sqlite.schema import open_for_writing

_ID: Final = "store_id"
_AT_ONCE: Final = 200
"""Tables copied in one transaction."""
_ROWS_AT_ONCE: Final = 5000

Report = Callable[[str], None]
"""Shows the progress."""


class Kind(NamedTuple):
    """A kind of rows, and an order that both databases can list them in."""

    name: str
    columns: str
    order: str


_TABLES: Final = (
    "id, head, deadline, wake_at, owed, changed_at, game, rules, state, public, created_at, about, credited"
)
_EVENTS: Final = "v, kind, at, seat, command, spent, public, secret, digest"
_TEXTS: Final = "v, slot, person, text, at"
_KINDS: Final = (
    Kind("people", "id, name, created_at", "id"),
    Kind("keys", "hash, person, kind, at, expires, used, id, app, system, made, scopes", "hash"),
    Kind("accounts", "person, handle, folded, skeleton, code, kept_at, shows", "person"),
    Kind("bots", "person, owner, at", "person"),
    Kind("handles", "hash", "hash"),
    Kind("code_drafts", "person, code, answer, handle, skeleton, at", "person"),
    Kind("code_uses", "id, person, at, app, system", "id"),
    Kind(
        "passkeys",
        "id, person, credential, user_handle, key, counter, host, app, system, at, used",
        "id",
    ),
    Kind("passkey_challenges", "hash, person, at", "hash"),
    Kind(
        "handovers",
        "hash, person, session, at, expires, state, claim, digits, app, system",
        "hash",
    ),
    Kind(
        "seats",
        "table_id, seat, person, token, session, previous, previous_session, seen_at",
        "table_id, seat",
    ),
    Kind(
        "tickets",
        "person, pool, least, most, rating, error, since, expires, table_id, seat, by_days, slow",
        "person",
    ),
    Kind("faults", "person, at, table_id, kind", "person, table_id"),
    Kind("invites", "code, table_id", "code"),
    Kind("answers", "person, key, body, digest, at", "person, key"),
    Kind("subscriptions", "endpoint, person, p256dh, auth, session", "endpoint"),
    Kind("notes", "name, value", "name"),
    Kind("relations", "id, person, other, kind, name, at", "id"),
    Kind("contacts", "person, here, challenges, read_at", "person"),
    Kind("challenges", "table_id, person, other, at, answer, answered_at", "table_id, person"),
    Kind("cases", "id, person, state, at, sanction, until, why, decided_by, answer", "id"),
    Kind("reports", "id, case_id, person, other, at, about, table_id, v, name, text, why", "id"),
    Kind("moderators", "person, at", "person"),
    Kind("audit", "id, at, person, other, action, detail, outcome", "id"),
    Kind("notices", "id, person, table_id, decision, kind", "id"),
    Kind("nodes", "node, seen_at", "node"),
    Kind("outages", "no, ms", "no"),
    Kind("log_entries", "id, entry, hash, n", "id"),
    Kind("log_nodes", "level, place, hash", "level, place"),
    Kind("ratings", "person, game, games, at, mean, deviation", "person, game, games"),
    Kind("standings", "game, person, points, error, games, at, listed", "game, person"),
    Kind("played", "person, at, table_id, seat, game, outcome", "person, at, table_id"),
    Kind("results", "person, game, rules, side, won, tied, lost", "person, game, rules, side"),
    Kind("acquaintances", "person, game, machine, rounds, games, won, asks, found", "person, game, machine"),
    Kind("minds", "day, person, seat, chips", "day, person"),
    Kind(
        "tournaments",
        "id, head, state, wake_at, person, title, starts_at, created_at, about",
        "id",
    ),
    Kind("tournament_events", "tournament_id, v, at, body", "tournament_id, v"),
    Kind(
        "entrants", "tournament_id, entrant, person, name, machine, place, points", "tournament_id, entrant"
    ),
    Kind("rivals", "person, other, games, won, tied, lost, at, course", "person, other"),
)
_NUMBERED: Final = ("relations", "cases", "reports", "audit", "notices", "log_entries")


async def move(source: Path, target: str, name: str, report: Report = lambda _: None) -> dict[str, int]:
    """Move a data directory to a database; the number of rows of each kind, all of them compared.

    `name` is the database's URL without a password.
    """
    if not (source / DATABASE).is_file():
        raise StoreFailed(f"there is no database at {source / DATABASE}", text=str(source))
    directory = DataDirectory(source)
    try:
        open_for_writing(directory.database).close()  # migrates the schema
        if problems := check(source):
            raise StoreFailed(f"{source} is damaged ({problems[0]}): nothing was moved")
        with contextlib.closing(sqlite3.connect(directory.database)) as old:
            new = await connect_to(target)
            try:
                await migrate(new)
                await _begin(old, new, source)
                await _copy_tables(old, new, report)
                for kind in _KINDS:
                    await _copy_kind(old, new, kind)
                await _copy_order(old, new)
                counts = await _compare(old, new, report)
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


# --- copying ---------------------------------------------------------------------------------------------


async def _copy_tables(old: sqlite3.Connection, new: asyncpg.Connection, report: Report) -> None:
    """Copy the missing tables with their events and texts, some in each transaction."""
    copied = {table for (table,) in await new.fetch("select id from tables")}
    tables = [table for (table,) in old.execute("select id from tables order by rowid")]
    missing = [table for table in tables if table not in copied]
    for start in range(0, len(missing), _AT_ONCE):
        async with new.transaction():
            await _copy_some(old, new, missing[start : start + _AT_ONCE])
        left = max(len(missing) - start - _AT_ONCE, 0)
        report(f"{len(tables) - left} of {len(tables)} tables")


async def _copy_some(old: sqlite3.Connection, new: asyncpg.Connection, tables: Sequence[str]) -> None:
    rows = [
        _with_boolean(old.execute(f"select {_TABLES} from tables where id = ?", (table,)).fetchone())
        for table in tables
    ]
    await new.copy_records_to_table("tables", records=rows, columns=_names(_TABLES))
    numbers = dict(await new.fetch("select id, no from tables where id = any($1)", list(tables)))
    of_table = "where table_no = (select no from tables where id = ?)"
    selects = {
        "events": f"select {_EVENTS} from events {of_table}",
        "texts": f"select {_TEXTS} from texts where table_id = ?",
    }
    for name, columns in (("events", _EVENTS), ("texts", _TEXTS)):
        records = [(numbers[table], *row) for table in tables for row in old.execute(selects[name], (table,))]
        await new.copy_records_to_table(name, records=records, columns=["table_no", *_names(columns)])


async def _copy_kind(old: sqlite3.Connection, new: asyncpg.Connection, kind: Kind) -> None:
    """Copy all rows of a kind in one transaction; existing rows are replaced."""
    order = "rowid" if kind.name == "subscriptions" else kind.order
    rows = old.execute(f"select {kind.columns} from {kind.name} {_without_marks(kind)} order by {order}")
    async with new.transaction():
        if kind.name == "log_entries":  # never deleted: existing ones are right
            last = await new.fetchval(f"select coalesce(max(id), 0) from {kind.name}")
            rows = old.execute(f"select {kind.columns} from {kind.name} where id > ? order by id", (last,))
        else:
            await new.execute(f"delete from {kind.name} {_without_marks(kind)}")
        while records := rows.fetchmany(_ROWS_AT_ONCE):
            await new.copy_records_to_table(kind.name, records=records, columns=_names(kind.columns))


async def _copy_order(old: sqlite3.Connection, new: asyncpg.Connection) -> None:
    """Copy the order in which games ended, and set the sequences."""
    folded = "rated, noted"
    ends = old.execute(f"select table_id, at, number, {folded} from ended").fetchall()
    async with new.transaction():
        numbers = dict(await new.fetch("select id, no from tables"))
        await new.execute("delete from ended")
        records = [(numbers[table], at, number, *map(bool, done)) for table, at, number, *done in ends]
        columns = ["table_no", "at", "number", *_names(folded)]
        await new.copy_records_to_table("ended", records=records, columns=columns)
        for name in _NUMBERED:
            await new.execute(
                f"""select setval(pg_get_serial_sequence('facedown.{name}', 'id'),
                    (select coalesce(max(id), 0) + 1 from {name}), false)"""
            )


# --- comparing -------------------------------------------------------------------------------------------


async def _compare(old: sqlite3.Connection, new: asyncpg.Connection, report: Report) -> dict[str, int]:
    """Read everything from both, and count it; raises if anything differs."""
    counts = {}
    for kind in (
        Kind("tables", _TABLES, "id"),
        Kind("events", _EVENTS, "v"),
        Kind("texts", _TEXTS, "v, slot"),
        *_KINDS,
    ):
        report(f"comparing {kind.name}")
        before, after = _RowDigest(), _RowDigest()
        for row in _old_rows(old, kind):
            before.add(row)
        async for row in _new_rows(new, kind):
            after.add(row)
        if before.value() != after.value():
            sizes = f"{before.rows} and {after.rows}"
            raise StoreFailed(f"the {kind.name} differ after the move ({sizes}): do not use the new store")
        counts[kind.name] = before.rows
    return counts


def _old_rows(old: sqlite3.Connection, kind: Kind) -> Iterator[tuple[Any, ...]]:
    if kind.name == "tables":
        found = old.execute(f"select {kind.columns} from tables order by id")
        return (_with_boolean(row) for row in found)
    if kind.name == "events":
        columns = ", ".join(f"x.{each}" for each in _names(kind.columns))
        return old.execute(
            f"""select tables.id, {columns} from {kind.name} x join tables on tables.no = x.table_no
                order by tables.id, x.{kind.order}"""
        )
    if kind.name == "texts":
        return old.execute(f"select table_id, {kind.columns} from texts order by table_id, {kind.order}")
    return old.execute(f"select {kind.columns} from {kind.name} {_without_marks(kind)} order by {kind.order}")


async def _new_rows(new: asyncpg.Connection, kind: Kind) -> AsyncIterator[tuple[Any, ...]]:
    texts = frozenset() if kind.name in _NUMBERED else _IN_C
    order = ", ".join(f'{each} collate "C"' if each in texts else each for each in _names(kind.order))
    if kind.name in ("events", "texts"):
        order = ", ".join(f"x.{each}" for each in _names(order))
        columns = ", ".join(f"x.{each}" for each in _names(kind.columns))
        query = f"""select t.id, {columns} from {kind.name} x join tables t on t.no = x.table_no
            order by t.id collate "C", {order}"""
    else:
        query = f"select {kind.columns} from {kind.name} {_without_marks(kind)} order by {order}"
    async with new.transaction(isolation="repeatable_read", readonly=True):
        async for row in new.cursor(query, prefetch=_ROWS_AT_ONCE):
            yield tuple(row)


_IN_C: Final = frozenset(
    {
        *("id", "code", "person", "key", "endpoint", "name", "node", "table_id", "slot"),
        *("game", "rules"),
    }
)
"""Text columns to be ordered byte by byte, as SQLite does."""


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


def _with_boolean(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*row[:9], bool(row[9]), *row[10:])


def _names(columns: str) -> list[str]:
    return columns.split(", ")
