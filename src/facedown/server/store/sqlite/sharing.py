"""Claims, heartbeats, presence and outages of the SQLite store, which has one server at a time."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from facedown.server.clock import now as clock_now
from facedown.server.store.base import Append, Notice
from facedown.server.store.sqlite.threads import SqliteThreads, make_thread
from facedown.server.store.sqlite.worker import MakeWorker

_DUE: Final = """select id from tables where wake_at <= ? and coalesce(claimed_until, 0) <= ?
    order by wake_at limit ?"""
_CREDIT: Final = """update tables set deadline = deadline + ?, wake_at = wake_at + ?, owed = owed + ?
    where deadline is not null"""
_NOTICES: Final = """select id, person, table_id, decision, kind from notices
    where coalesce(claimed_until, 0) <= ? order by id limit ?"""
_BEAT: Final = "replace into nodes (node, seen_at) values (?, ?)"


class SqliteSharing(SqliteThreads):
    """Implements `SharedStore` for one server."""

    shared = False
    epoch = 0

    def __init__(self, folder: Path, make_worker: MakeWorker = make_thread) -> None:
        super().__init__(folder, make_worker)
        self._beating = asyncio.Lock()
        self._beaten: int | None = None
        """When this process beat last; the beat on the disk may be older."""
        self._is_resting = False
        """Whether nothing waits, so that beats are not written."""

    @property
    def url(self) -> str:
        return f"sqlite:{self.folder}"

    async def time(self) -> int:
        return clock_now()

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        def query(connection: sqlite3.Connection) -> dict[str, int]:
            found = {}
            for table in tables:
                for (head,) in connection.execute("select head from tables where id = ?", (table,)):
                    found[table] = head
            return found

        return await self.read(query)

    # --- claims -------------------------------------------------------------------------------------------

    async def claim_due(self, node: str, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
        stalled = self._beaten is not None and now - self._beaten > stall_ms
        if stalled or not await self._select(_DUE, now, now, 1):
            return []

        def work(connection: sqlite3.Connection) -> list[str]:
            due = [table for (table,) in connection.execute(_DUE, (now, now, limit))]
            claim = "update tables set claimed_until = ? where id = ?"
            connection.executemany(claim, [(now + lease_ms, table) for table in due])
            return due

        claimed = await self.write(work)
        self.stats.claims += len(claimed)
        return claimed

    async def claim_notices(self, node: str, now: int, lease_ms: int, limit: int) -> list[tuple[int, Notice]]:
        if not await self._select(_NOTICES, now, 1):
            return []

        def work(connection: sqlite3.Connection) -> list[tuple[int, Notice]]:
            found = connection.execute(_NOTICES, (now, limit)).fetchall()
            claim = "update notices set claimed_until = ? where id = ?"
            connection.executemany(claim, [(now + lease_ms, number) for number, *_ in found])
            return [(number, Notice(*fields)) for number, *fields in found]

        claimed = await self.write(work)
        self.stats.claims += len(claimed)
        return claimed

    # --- heartbeats and outages ---------------------------------------------------------------------------

    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        async with self._beating:
            before = self._beaten
            if before is None:
                found = await self._select_one("select seen_at from nodes order by seen_at desc limit 1")
                before = now if found is None else int(found[0])
            gap = now - before if abs(now - before) > stall_ms else 0
            is_waiting, credited = await self._is_waiting(), 0
            if is_waiting or gap or self._beaten is None:
                credited = await self._write_beat(node, now, gap)
            self._beaten = now
            return credited

    async def _is_waiting(self) -> bool:
        """Whether a clock or a bot is waiting: without one no outage counts, and the disk may rest."""
        self._is_resting = True  # an append that comes now ends it
        if await self._select("select 1 from tables where wake_at is not null limit 1"):
            self._is_resting = False
        return not self._is_resting

    def _end_rest(self, batch: Append) -> None:
        """Beat with the append of the first clock: after a kill, the outage begins no earlier."""
        if self._is_resting and batch.wake_at is not None:
            self._is_resting = False
            beat, at = "update nodes set seen_at = ?", clock_now()
            self._writes.put(lambda connection: connection.execute(beat, (at,)), _ignore)

    async def _write_beat(self, node: str, now: int, gap: int) -> int:
        """Save the beat, and credit the gap to all running clocks; 0 if there are none."""

        def work(connection: sqlite3.Connection) -> int:
            connection.execute("delete from nodes where node <> ?", (node,))  # it is the only one
            connection.execute(_BEAT, (node, now))
            if gap and connection.execute(_CREDIT, (gap, gap, gap)).rowcount:
                return gap
            return 0

        return await self.write(work)

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        query = "select 1 from tables where id = ? and owed <> 0 and deadline is not null"

        def is_owed(connection: sqlite3.Connection, table: str) -> bool:
            return connection.execute(query, (table,)).fetchone() is not None

        return await self.read(lambda connection: [each for each in tables if is_owed(connection, each)])

    # --- presence -----------------------------------------------------------------------------------------

    async def mark_seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        def work(connection: sqlite3.Connection) -> None:
            update = "update seats set seen_at = ? where table_id = ? and seat = ?"
            connection.executemany(update, [(now, table, seat) for seat in seats])

        await self.write(work)
        return dict.fromkeys(seats, now)


def _ignore(_result: object, _failure: BaseException | None) -> None:
    """The next beat is written in a second."""
