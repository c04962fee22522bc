"""Claims, heartbeats, presence and outages of the SQLite store, which only one server uses.

They are carried out like those of a shared store, so that tables know only one way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from facedown.server.clock import now as clock_now
from facedown.server.store.base import Notice
from facedown.server.store.sqlite.threads import SqliteThreads

_DUE: Final = """select id from tables where wake_at <= ? and coalesce(claimed_until, 0) <= ?
    and coalesce((select max(seen_at) from nodes), ?) >= ? order by wake_at limit ?"""
_REARM: Final = """update tables set claimed_until = null,
    wake_at = case when deadline is null or ? < deadline then ? else deadline end
    where id = ? and head = ?"""
_CREDIT: Final = """update tables set deadline = deadline + ?, wake_at = wake_at + ?, owed = owed + ?
    where deadline is not null"""
_NOTICES: Final = """select id, person, table_id, decision, kind from notices
    where coalesce(claimed_until, 0) <= ? order by id limit ?"""
_BEAT: Final = "replace into nodes (node, seen_at) values (?, ?)"
_LAST_BEAT: Final = "select coalesce(max(seen_at), 0) from nodes"


class SqliteSharing(SqliteThreads):
    """Implements `SharedStore` for one server."""

    shared = False
    epoch = 0

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
        is_due = (now, now, now, now - stall_ms)
        if not await self._select(_DUE, *is_due, 1):
            return []

        def work(connection: sqlite3.Connection) -> list[str]:
            due = [table for (table,) in connection.execute(_DUE, (*is_due, limit))]
            claim = "update tables set claimed_until = ? where id = ?"
            connection.executemany(claim, [(now + lease_ms, table) for table in due])
            return due

        claimed = await self.write(work)
        self.stats.claims += len(claimed)
        return claimed

    async def rearm(self, table: str, head: int, wake: int | None) -> None:
        await self._execute(_REARM, wake, wake, table, head)

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
        def work(connection: sqlite3.Connection) -> int:
            before: int = connection.execute(_LAST_BEAT).fetchone()[0]
            connection.execute("delete from nodes where node <> ?", (node,))  # it is the only one
            connection.execute(_BEAT, (node, now))
            gap = now - before
            if not before or gap <= stall_ms:
                return 0
            _credit(connection, gap)
            return gap

        return await self.write(work)

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        query = "select id from tables where owed <> 0 and deadline is not null"
        asked = set(tables)
        return [table for (table,) in await self._select(query) if table in asked]

    async def credit_outage(self, ms: int, at: int) -> int:
        return await self.write(lambda connection: _credit(connection, ms))

    async def outage_of(self, table: str) -> int:
        found = await self._select_one("select owed from tables where id = ?", table)
        return 0 if found is None else found[0]

    # --- presence -----------------------------------------------------------------------------------------

    async def seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        def work(connection: sqlite3.Connection) -> None:
            update = "update seats set seen_at = ? where table_id = ? and seat = ?"
            connection.executemany(update, [(now, table, seat) for seat in seats])

        await self.write(work)
        return dict.fromkeys(seats, now)

    async def last_seen(self, table: str) -> dict[int, int]:
        found: list[Any] = await self._select("select seat, seen_at from seats where table_id = ?", table)
        return dict(found)

    # --- single values ------------------------------------------------------------------------------------

    async def set_value_once(self, name: str, value: bytes) -> bytes:
        def work(connection: sqlite3.Connection) -> bytes:
            connection.execute("insert or ignore into notes (name, value) values (?, ?)", (name, value))
            kept: bytes = connection.execute("select value from notes where name = ?", (name,)).fetchone()[0]
            return kept

        return await self.write(work)


def _credit(connection: sqlite3.Connection, ms: int) -> int:
    """Move all deadlines; how many there are."""
    return connection.execute(_CREDIT, (ms, ms, ms)).rowcount
