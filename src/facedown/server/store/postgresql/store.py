"""The PostgreSQL store of one server or several: what differs from SQLite."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, Final, TypeVar

import asyncpg

from facedown.server.clock import DAY_MS, SECOND_MS
from facedown.server.store.base import LISTED, READY_S, OnDone
from facedown.server.store.callers import current_caller
from facedown.server.store.failures import StoreFailed
from facedown.server.store.outages import ADD_OUTAGE, OWED
from facedown.server.store.postgresql.connections import PostgresConnections
from facedown.server.store.postgresql.writer import AppendQueue, StepsQueue, run_steps
from facedown.server.store.steps import BeginSteps, Steps, checked
from facedown.server.store.values import (
    Append,
    EventRow,
    ListedRow,
    PersonalText,
    listed_row,
)

T = TypeVar("T")

_ROWS: Final = """select e.v, e.kind, e.at, e.public, e.secret, e.seat, e.command, e.spent, e.digest,
        t.slot, t.person, t.text
    from events e left join texts t on t.table_id = $1 and t.v = e.v
    where e.table_no = (select no from tables where id = $1) and e.v > $2 order by e.v, t.slot"""
_OF_GAME: Final = "game between {0} and {0}"
"""A range, with the game in the order, forces an index on games. With `=` the planner would read the newest
tables until it has enough of the game: all tables, if no one plays it."""
_OF_PERSON: Final = """(select distinct table_id {mine}) mine cross join lateral
    (select * from tables where id = mine.table_id and {where} offset 0) tables"""
"""`offset 0` makes the planner look up the tables of a person one by one instead of reading all tables."""
_SYSTEM: Final = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
NOW: Final = f"({_SYSTEM} + coalesce((select max(ahead) from nodes), 0))"
"""The system's clock of the database; ahead of it after it was set back (`_beat_after_jump`)."""
_CLAIM_DUE: Final = f"""with due as (
        select no, wake_at from tables where wake_at <= {NOW} and coalesce(claimed_until, 0) <= {NOW}
        and coalesce((select max(seen_at) from nodes), {NOW}) >= {NOW} - $3
        order by wake_at limit $2 for update skip locked),
    claimed as (
        update tables set claimed_until = {NOW} + $1 from due where tables.no = due.no
        returning tables.id, due.wake_at)
    select id from claimed order by wake_at"""
_TICKET_LOCK: Final = f"""select set_config('idle_in_transaction_session_timeout', '5s', true),
    set_config('lock_timeout', '5s', true), set_config('enable_seqscan', 'off', true),
    pg_advisory_xact_lock({0x46414348}), {NOW}"""
"""The advisory lock of the server that pairs people, and then the time; a server that stands still loses it.
Plans are made while there are few rows, and kept when there are many."""
_TIME: Final = f"""select case when beaten between at and at + {DAY_MS} then beaten else at end
    from (select {NOW} as at, (select max(seen_at) from nodes) as beaten) as clocks"""
_BEAT_ON: Final = f"""update nodes set seen_at = {NOW} where node = $1
    and (select max(seen_at) from nodes) between {NOW} - $2 and {NOW} + {SECOND_MS} returning node"""
"""A beat without an outage: one statement, so that a server that is stopped holds no lock."""
_BEAT: Final = """insert into nodes (node, seen_at, ahead) values ($1, $2, $3)
    on conflict (node) do update set seen_at = excluded.seen_at, ahead = excluded.ahead"""


class PostgresStore(PostgresConnections):
    """A store in a database that other servers may use as well."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._appends = AppendQueue(self)
        self._ready_write: asyncio.Task[None] | None = None
        self._pairing = StepsQueue(self.start, self._run_all_steps)

    # --- tables ----------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        return self._appends.waiting

    def append(self, batch: Append) -> asyncio.Future[None]:
        batch.check_rows()
        return self._appends.put(batch)

    def append_then(self, batch: Append, done: OnDone) -> None:
        self.append(batch).add_done_callback(lambda future: done(None, _failure_of(future)))

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        found = await self._select(_ROWS, table, after)
        return [_event(list(lines)) for _, lines in groupby(found, key=lambda line: line[0])]

    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        conditions, values = [], []
        for condition, value in (("state = {0}", state), (_OF_GAME, game)):
            if value:
                values.append(value)
                conditions.append(condition.format(f"${len(values)}"))
        if public is not None:  # not a parameter, so that the planner can use a partial index
            conditions.append(f"public = {public:d}")
        where = " and ".join(conditions) or "true"
        seats, source = "null", f"tables where {where}"
        order = "game desc, created_at" if game else "created_at"
        if person:
            values.append(person)
            mine = f"from seats where person = ${len(values)}"
            seats = f"(select array_agg(seat order by seat) {mine} and table_id = tables.id)"
            source, order = _OF_PERSON.format(mine=mine, where=where), "changed_at"
        query = f"{LISTED}, {seats} from {source} order by {order} desc, tables.id limit {limit:d}"
        found = await self._select(query, *values)
        return [listed_row(fields, tuple(of_person or ())) for *fields, of_person in found]

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        found = await self._select("select id, head from tables where id = any($1)", list(tables))
        return {table: head for table, head in found}  # noqa: C416  # rows of a record type

    # --- claims ------------------------------------------------------------------------------------------

    async def claim_due(self, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
        found = await self._execute(_CLAIM_DUE, lease_ms, limit, stall_ms)
        self.stats.claims += len(found)
        return [table for (table,) in found]

    # --- heartbeats and outages --------------------------------------------------------------------------

    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        if await self._execute(_BEAT_ON, node, stall_ms):
            return 0
        return await self._beat_after_jump(node, stall_ms)

    async def _beat_after_jump(self, node: str, stall_ms: int) -> int:
        """The first beat of a server, of all servers after an outage, or after the clock was set back."""

        async def work(connection: asyncpg.Connection) -> int:
            await connection.execute("lock table nodes in exclusive mode")
            query = f"select coalesce(max(seen_at), 0), coalesce(max(ahead), 0), {_SYSTEM} from nodes"
            before, ahead, system = await connection.fetchrow(query)
            if not before - SECOND_MS <= system + ahead <= before + stall_ms:  # time goes on from that beat
                ahead = before - system if system < before <= system + DAY_MS else 0
            at = system + ahead
            await connection.execute("delete from nodes where not seen_at between $1 and $2", at - DAY_MS, at)
            await connection.execute("update nodes set ahead = $1", ahead)
            await connection.execute(_BEAT, node, at, ahead)
            if not before or at - before <= stall_ms:
                return 0
            await connection.execute(ADD_OUTAGE, at - before)
            return int(at - before)

        return await self._transaction(work)

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        query = f"select id from tables where id = any($1) and {OWED} <> 0"
        return [table for (table,) in await self._select(query, list(tables))]

    # --- presence ----------------------------------------------------------------------------------------

    async def mark_seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        update = f"update seats set seen_at = {NOW} where table_id = $1 and seat = any($2)"
        found = await self._execute(f"{update} returning seat, seen_at", table, list(seats))
        return {seat: at for seat, at in found}  # noqa: C416  # rows of a record type

    # --- tickets ---------------------------------------------------------------------------------------

    async def _run_steps(self, begin: BeginSteps[T]) -> T:
        return await self._pairing.run(checked(current_caller(), begin, self.LOCK))

    async def _transact(self, begin: Callable[[], Steps[T]], lock: int = 0) -> T:
        async def work(connection: asyncpg.Connection) -> T:
            if lock:
                await connection.execute("select pg_advisory_xact_lock($1)", lock)
            return await run_steps(connection, begin())

        return await self._transaction(work)

    async def _run_all_steps(self, requests: Sequence[BeginSteps[Any]]) -> list[Any]:
        async def work(connection: asyncpg.Connection) -> list[Any]:
            *_, at = await connection.fetchrow(_TICKET_LOCK)
            return [await run_steps(connection, begin(at)) for begin in requests]

        return await self._transaction(work)

    # --- the store itself ------------------------------------------------------------------------------

    async def drop_traces(self) -> None:
        """PostgreSQL's journal cannot be emptied from here: it is overwritten as it is reused."""

    async def time(self) -> int:
        return int((await self._select_one(_TIME))[0])

    async def ready(self) -> None:
        if self._ready_write is None or self._ready_write.done():  # at most one at a time
            self._ready_write = self.start(self.set_value("ready", b""))
        try:
            async with asyncio.timeout(READY_S):
                await asyncio.shield(self._ready_write)
        except TimeoutError:
            raise StoreFailed(f"the store did not write anything for {READY_S:.0f} seconds") from None

    async def close(self) -> None:
        await self._appends.close()
        await self.close_connections()


def _failure_of(future: asyncio.Future[None]) -> BaseException | None:
    return asyncio.CancelledError() if future.cancelled() else future.exception()


def _event(lines: list[Any]) -> EventRow:
    """An event from its lines: one for each of its texts."""
    texts = tuple(PersonalText(*line[9:]) for line in lines if line[9] is not None)
    v, kind, at, public, secret, seat, command, spent, digest, *_ = lines[0]
    return EventRow(v, kind, at, public, secret, seat, command, spent, digest, texts)
