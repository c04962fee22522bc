"""Appends for the tests: new tables, moves, and finished games."""

from __future__ import annotations

import asyncio
import dataclasses

from facedown.server.store.base import Store
from facedown.server.store.values import Append, EventRow, Notice, SeatHolder, TableSummary

OPEN = TableSummary("ecard", "classic", "open", True, 1000, b'{"seats":2}')
OVER = dataclasses.replace(OPEN, state="over")


def row(v: int, *, seat: int = 0, command: str = "", public: bytes = b"{}", secret: bytes = b"") -> EventRow:
    return EventRow(v, "sealed", 1000 + v, public, secret, seat, command, spent=v)


def creation(table: str, rows: int = 1) -> Append:
    return Append(table, 0, tuple(row(v) for v in range(1, rows + 1)), None, OPEN)


def step(
    table: str, head: int, *, command: str = "", body: bytes = b"{}", deadline: int | None = None
) -> Append:
    return Append(table, head, (row(head + 1, seat=1, command=command, public=body),), deadline)


async def head_of(store: Store, table: str) -> int | None:
    """The number of the table's last event; None if it has none."""
    rows = await store.rows(table)
    return rows[-1].v if rows else None


async def deadline_of(store: Store, table: str) -> int | None:
    """When the clocks of a table run out."""
    found = await store.listed(table)
    assert found is not None
    return found.deadline


async def waiting_notices(store: Store) -> list[tuple[int, Notice]]:
    """Notices that no server is sending, claimed for no time."""
    return await store.claim_notices(await store.time(), 0, 100)


async def credit_outage(store: Store) -> int:
    """Credit the time between two heartbeats to all clocks; how many milliseconds it was."""
    await store.beat("one", await store.time(), 1 << 50)
    await asyncio.sleep(0.03)
    return await store.beat("one", await store.time(), 20)


async def end_game(store: Store, table: str, *people: str, at: int = 50, game: str = "ecard") -> None:
    """Save a finished game of these people."""
    seats = tuple(SeatHolder(number, person, b"t") for number, person in enumerate(people, 1))
    await store.append(creation(table)._replace(seats=seats))
    over = row(2)._replace(kind="over", at=at)
    await store.append(Append(table, 1, (over,), None, dataclasses.replace(OVER, game=game)))
