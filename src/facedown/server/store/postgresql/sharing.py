"""Claims, heartbeats, presence and outages on PostgreSQL, by the database's own clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import asyncpg

from facedown.server.clock import DAY_MS
from facedown.server.store.base import Notice
from facedown.server.store.postgresql.connections import PostgresConnections

NOW: Final = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
_CLAIM_DUE: Final = f"""with due as (
        select no, wake_at from tables where wake_at <= {NOW} and coalesce(claimed_until, 0) <= {NOW}
        and coalesce((select max(seen_at) from nodes), {NOW}) >= {NOW} - $4
        order by wake_at limit $3 for update skip locked),
    claimed as (
        update tables set claimed_by = $1, claimed_until = {NOW} + $2 from due where tables.no = due.no
        returning tables.id, due.wake_at)
    select id from claimed order by wake_at"""
_CLAIM_NOTICES: Final = f"""with due as (
        select id from notices where coalesce(claimed_until, 0) <= {NOW}
        order by id limit $3 for update skip locked),
    claimed as (
        update notices n set claimed_by = $1, claimed_until = {NOW} + $2 from due where n.id = due.id
        returning n.id, n.person, n.table_id, n.decision, n.kind)
    select * from claimed order by id"""
_BEAT_ON: Final = f"""update nodes set seen_at = {NOW}
    where node = $1 and (select max(seen_at) from nodes) >= {NOW} - $2 returning node"""
"""A beat without an outage: one statement, so that a server that is stopped holds no lock."""
_BEAT: Final = f"""with before as (select coalesce(max(seen_at), 0) as at from nodes),
    beat as (
        insert into nodes (node, seen_at) values ($1, {NOW})
        on conflict (node) do update set seen_at = excluded.seen_at),
    gone as (delete from nodes where seen_at < {NOW} - {DAY_MS} and node <> $1
        and seen_at < (select at from before))
    select at from before"""
_CREDIT: Final = """update tables set deadline = deadline + $1, wake_at = wake_at + $1, owed = owed + $1
    where deadline is not null"""


class PostgresSharing(PostgresConnections):
    """Implements `SharedStore`."""

    async def time(self) -> int:
        found = await self._select_one(f"select {NOW}")
        return int(found[0])

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        found = await self._select("select id, head from tables where id = any($1)", list(tables))
        return {table: head for table, head in found}  # noqa: C416  # rows of a record type

    # --- claims -------------------------------------------------------------------------------------------

    async def claim_due(self, node: str, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
        found = await self._execute(_CLAIM_DUE, node, lease_ms, limit, stall_ms)
        self.stats.claims += len(found)
        return [table for (table,) in found]

    async def claim_notices(self, node: str, now: int, lease_ms: int, limit: int) -> list[tuple[int, Notice]]:
        found = await self._execute(_CLAIM_NOTICES, node, lease_ms, limit)
        self.stats.claims += len(found)
        return [(number, Notice(*fields)) for number, *fields in found]

    # --- heartbeats and outages ---------------------------------------------------------------------------

    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        if await self._execute(_BEAT_ON, node, stall_ms):
            return 0
        return await self._beat_after_outage(node, stall_ms)

    async def _beat_after_outage(self, node: str, stall_ms: int) -> int:

        async def work(connection: asyncpg.Connection) -> int:
            await connection.execute("lock table nodes in exclusive mode")
            before, at = await connection.fetchrow(f"select coalesce(max(seen_at), 0), {NOW} from nodes")
            await connection.execute(_BEAT, node)
            if not before or at - before <= stall_ms:
                return 0
            # Locks in one order, as appends do.
            await connection.execute("select from tables where deadline is not null order by no for update")
            await connection.execute(_CREDIT, at - before)
            return int(at - before)

        return await self._transaction(work)

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        query = "select id from tables where id = any($1) and owed <> 0 and deadline is not null"
        return [table for (table,) in await self._select(query, list(tables))]

    # --- presence -----------------------------------------------------------------------------------------

    async def mark_seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        update = f"update seats set seen_at = {NOW} where table_id = $1 and seat = any($2)"
        found = await self._execute(f"{update} returning seat, seen_at", table, list(seats))
        return {seat: at for seat, at in found}  # noqa: C416  # rows of a record type
