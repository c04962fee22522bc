"""Steps of tables for the tests, and a way to have many of them in one transaction."""

from __future__ import annotations

import contextlib

from facedown.server.store.base import Append, EventRow, Store, TableSummary

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
