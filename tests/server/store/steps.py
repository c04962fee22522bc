"""Steps of tables for the tests, and a way to have many of them in one transaction."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator

from facedown.server.store.base import Append, EventRow, Store, TableSummary
from facedown.server.store.sqlite import SqliteStore

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


@contextlib.contextmanager
def held(store: SqliteStore) -> Iterator[None]:
    """The writer is busy: whatever is asked meanwhile goes into one transaction."""
    begun, gate = threading.Event(), threading.Event()

    def wait(_: sqlite3.Connection) -> None:
        begun.set()
        gate.wait()

    done = store.write(wait)
    begun.wait()
    try:
        yield
    finally:
        gate.set()
    done.add_done_callback(lambda future: future.exception())
