"""Steps of tables for the tests, and a way to have many of them in one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from contextlib import closing
from pathlib import Path

from facedown.server.store.base import Append, EventRow, Notice, Store, TableSummary
from facedown.server.store.sqlite.schema import MIGRATIONS, OURS

OPEN = TableSummary("ecard", "classic", "open", True, 1000, b'{"seats":2}')


def row(v: int, *, seat: int = 0, command: str = "", public: bytes = b"{}", secret: bytes = b"") -> EventRow:
    return EventRow(v, "sealed", 1000 + v, public, secret, seat, command, spent=v)


def made(table: str, rows: int = 1) -> Append:
    return Append(table, 0, tuple(row(v) for v in range(1, rows + 1)), None, OPEN)


def step(
    table: str, head: int, *, command: str = "", body: bytes = b"{}", deadline: int | None = None
) -> Append:
    return Append(table, head, (row(head + 1, seat=1, command=command, public=body),), deadline)


async def head_of(store: Store, table: str) -> int | None:
    """The number of the table's last event; None where it has none."""
    rows = await store.rows(table)
    return rows[-1].v if rows else None


def together(_: Store) -> contextlib.AbstractContextManager[None]:
    """What is asked meanwhile, in one round of the event loop, goes into one transaction.

    Of SQLite `test_what_is_asked_in_one_round_of_the_loop_is_one_commit` says so."""
    return contextlib.nullcontext()


_NAMED_EVENTS = """(select tables.id as table_id, events.* from later.events
    join later.tables on tables.no = events.table_no order by events.rowid)"""


def downgrade(database: Path, version: int) -> None:
    """Turn a database into what an earlier version of the schema would hold of it."""
    older = database.with_suffix(".older")
    with closing(sqlite3.connect(older)) as connection:
        for migration in MIGRATIONS[:version]:
            for statement in migration:
                if isinstance(statement, str):
                    connection.execute(statement)
        connection.execute("attach ? as later", (str(database),))
        kept = connection.execute(
            "select name from main.sqlite_master where type = 'table' and name not like 'sqlite%'"
        )
        for (table,) in kept.fetchall():
            columns = ", ".join(row[1] for row in connection.execute(f"pragma main.table_info({table})"))
            later = _NAMED_EVENTS if table == "events" and "table_id" in columns else f"later.{table}"
            connection.execute(f"insert into main.{table} ({columns}) select {columns} from {later}")
        connection.commit()
        connection.execute(f"pragma application_id = {OURS}")
        connection.execute(f"pragma user_version = {version}")
    older.replace(database)


async def deadline_of(store: Store, table: str) -> int | None:
    """When the clocks of a table run out."""
    found = await store.listed(table)
    assert found is not None
    return found.deadline


async def waiting_notices(store: Store) -> list[tuple[int, Notice]]:
    """Notices that no server is sending, claimed for no time."""
    return await store.claim_notices("test", await store.time(), 0, 100)


async def credit_outage(store: Store) -> int:
    """Credit the time between two heartbeats to all clocks; how many milliseconds it was."""
    await store.beat("one", await store.time(), 1 << 50)
    await asyncio.sleep(0.03)
    return await store.beat("one", await store.time(), 20)
