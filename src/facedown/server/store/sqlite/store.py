"""The SQLite store of a single server: its two workers, and what differs from PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

from facedown.server.clock import DAY_MS
from facedown.server.clock import now as clock_now
from facedown.server.store.base import LISTED, READY_S, OnDone, Statement, Store
from facedown.server.store.callers import current_caller
from facedown.server.store.failures import StoreFailed
from facedown.server.store.outages import ADD_OUTAGE, OWED
from facedown.server.store.sqlite.appends import run_steps
from facedown.server.store.sqlite.data_dir import DataDirectory
from facedown.server.store.sqlite.moved import check_not_moved
from facedown.server.store.sqlite.reader import Query, StoreReader, execute
from facedown.server.store.sqlite.schema import check_quickly, truncate_journal
from facedown.server.store.sqlite.worker import READER, WRITER, MakeWorker, Worker, WorkerThread, future_of
from facedown.server.store.sqlite.writer import WriteJob, Writer
from facedown.server.store.steps import BeginSteps, Steps, checked
from facedown.server.store.values import (
    Append,
    EventRow,
    ListedRow,
    PersonalText,
    StoreStats,
    listed_row,
)

T = TypeVar("T")

_EVENTS: Final = """select v, kind, at, public, secret, seat, command, spent, digest from events
    where table_no = (select no from tables where id = ?) and v > ? order by v"""
_TEXTS: Final = "select v, slot, person, text from texts where table_id = $1 and v > $2 order by v, slot"
_DUE: Final = """select id from tables where wake_at <= ? and coalesce(claimed_until, 0) <= ?
    order by wake_at limit ?"""
_RUNS: Final = "select 1 from tables where wake_at is not null and deadline is not null limit 1"
"""`wake_at` is never later than a deadline; the condition on it lets SQLite use its index."""
_BEAT: Final = "replace into nodes (node, seen_at) values (?, ?)"


class SqliteStore(Store):
    """A store in a data directory that no other server uses: one worker writes, another one reads."""

    shared = False
    epoch = 0

    LOCK: ClassVar[str] = ""

    def __init__(self, folder: Path, make_worker: MakeWorker = WorkerThread) -> None:
        self.stats = StoreStats()
        self.folder = folder
        self._directory = DataDirectory(folder)
        self.damage = ""
        """What the check in the background found."""
        try:
            check_not_moved(folder)
            is_checked = check_quickly(self._directory.database)
            self._writer = Writer(self._directory.database, self.stats)
            self._reader = StoreReader(self._directory.database)
        except BaseException:
            self._directory.close()
            raise
        self._writes: Worker[WriteJob] = make_worker(WRITER, self._writer.run_batch)
        if not is_checked and make_worker is WorkerThread:
            threading.Thread(target=self._check_all, name="store-check", daemon=True).start()
        self._reads: Worker[Query] = make_worker(READER, self._reader.run_batch)
        self._beating = asyncio.Lock()
        self._beaten: int | None = None
        """When this process beat last; the beat on the disk may be older."""
        self._is_resting = False
        """Whether nothing waits, so that beats are not written."""

    # --- statements -------------------------------------------------------------------------------------

    def write(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Run a function in the next transaction; it may run twice, after a rollback."""
        return future_of(self._writes, work)

    def read(self, query: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        return future_of(self._reads, query)

    def _select(self, statement: str, *values: object) -> asyncio.Future[list[Any]]:
        return self.read(partial(self._run, statement, values))

    def _write_for_caller(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """The same, if the caller of this task may still act."""
        caller = current_caller()
        if caller is None:
            return self.write(work)

        def checked_work(connection: sqlite3.Connection) -> T:
            run_steps(connection, caller.check())
            return work(connection)

        return self.write(checked_work)

    def _execute(self, statement: str, *values: object) -> asyncio.Future[list[Any]]:
        return self._write_for_caller(partial(self._run, statement, values))

    def _run(self, statement: str, values: Sequence[object], connection: sqlite3.Connection) -> list[Any]:
        return execute(connection, statement, values).fetchall()

    def _execute_all(self, *statements: Statement) -> asyncio.Future[None]:
        def work(connection: sqlite3.Connection) -> None:
            for statement, values in statements:
                execute(connection, statement, values)

        return self._write_for_caller(work)

    async def _transact(self, begin: Callable[[], Steps[T]], lock: int = 0) -> T:
        return await self.write(lambda connection: run_steps(connection, begin()))

    # --- tables ----------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        return self._writes.waiting

    def append(self, batch: Append) -> asyncio.Future[None]:
        batch.check_rows()
        self._end_rest(batch.wake_at)
        return future_of(self._writes, batch)

    def append_then(self, batch: Append, done: OnDone) -> None:
        batch.check_rows()
        self._end_rest(batch.wake_at)
        self._writes.put(batch, done)

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        # Two queries: with a join, reading a table of 120 events took 35 % longer.
        def query(connection: sqlite3.Connection) -> list[EventRow]:
            rows = [EventRow(*fields) for fields in connection.execute(_EVENTS, (table, after)).fetchall()]
            return _with_texts(rows, execute(connection, _TEXTS, (table, after)))

        return await self.read(query)

    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        # A person has few tables, a state may have very many: `+` keeps SQLite from using the index on state.
        of_state = "+state = ?" if person else "state = ?"
        of_person = "tables.id in (select table_id from seats where person = ?)"
        filters = [
            (condition, value)
            for condition, value in ((of_state, state), ("game = ?", game), (of_person, person))
            if value
        ]
        conditions = [condition for condition, _ in filters]
        if public is not None:  # not a parameter, so that SQLite can use a partial index
            conditions.append(f"public = {public:d}")
        where = " and ".join(conditions) or "true"
        order = "changed_at" if person else "created_at"
        statement = f"{LISTED} from tables where {where} order by {order} desc, tables.id limit ?"
        values = [value for _, value in filters]

        def query(connection: sqlite3.Connection) -> list[ListedRow]:
            seats = _seats(connection, person) if person else {}
            found = connection.execute(statement, (*values, limit)).fetchall()
            return [listed_row(fields, tuple(seats.get(fields[0], ()))) for fields in found]

        return await self.read(query)

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        def query(connection: sqlite3.Connection) -> dict[str, int]:
            found = {}
            for table in tables:
                for (head,) in connection.execute("select head from tables where id = ?", (table,)):
                    found[table] = head
            return found

        return await self.read(query)

    # --- claims ------------------------------------------------------------------------------------------

    async def claim_due(self, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
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

    # --- heartbeats and outages --------------------------------------------------------------------------

    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        async with self._beating:
            before = await self._last_beat() if self._beaten is None else self._beaten
            gap = now - before if before and now - before > stall_ms else 0
            is_waiting, credited = await self._is_waiting(), 0
            if is_waiting or gap or self._beaten is None:
                credited = await self._write_beat(node, now, gap)
            self._beaten = now
            return credited

    async def _last_beat(self) -> int:
        """When a server beat last, 0 if none ever did."""
        found = await self._select_one("select seen_at from nodes order by seen_at desc limit 1")
        return 0 if found is None else int(found[0])

    async def _is_waiting(self) -> bool:
        """Whether a clock or a bot is waiting: without one no outage counts, and the disk may rest."""
        self._is_resting = True  # an append that comes now ends it
        if await self._select("select 1 from tables where wake_at is not null limit 1"):
            self._is_resting = False
        return not self._is_resting

    def _end_rest(self, wake_at: int | None) -> None:
        """Beat with the append of the first clock: after a kill, the outage begins no earlier."""
        if self._is_resting and wake_at is not None:
            self._is_resting = False
            beat, at = "update nodes set seen_at = ?", clock_now()
            self._writes.put(lambda connection: connection.execute(beat, (at,)), _ignore)

    async def _write_beat(self, node: str, now: int, gap: int) -> int:
        """Save the beat, and that all running clocks are owed the gap; 0 if there are none."""

        def work(connection: sqlite3.Connection) -> int:
            connection.execute("delete from nodes where node <> ?", (node,))  # it is the only one
            connection.execute(_BEAT, (node, now))
            if not gap or connection.execute(_RUNS).fetchone() is None:
                return 0
            execute(connection, ADD_OUTAGE, (gap,))
            return gap

        return await self.write(work)

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        query = f"select 1 from tables where id = ? and {OWED} <> 0"

        def is_owed(connection: sqlite3.Connection, table: str) -> bool:
            return connection.execute(query, (table,)).fetchone() is not None

        return await self.read(lambda connection: [each for each in tables if is_owed(connection, each)])

    # --- presence ----------------------------------------------------------------------------------------

    async def mark_seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        def work(connection: sqlite3.Connection) -> None:
            update = "update seats set seen_at = ? where table_id = ? and seat = ?"
            connection.executemany(update, [(now, table, seat) for seat in seats])

        await self.write(work)
        return dict.fromkeys(seats, now)

    # --- tickets ---------------------------------------------------------------------------------------

    async def _run_steps(self, begin: BeginSteps[T]) -> T:
        self._end_rest(clock_now())  # it may make a table that waits for people
        begin = checked(current_caller(), begin, self.LOCK)
        return await self.write(lambda connection: run_steps(connection, begin(clock_now())))

    # --- the store itself ------------------------------------------------------------------------------

    async def drop_traces(self) -> None:
        await asyncio.to_thread(truncate_journal, self._directory.database)

    async def ready(self) -> None:
        if self.damage:
            raise StoreFailed(f"the database is damaged: {self.damage}")
        try:
            await asyncio.wait_for(self.set_value("ready", b""), READY_S)
        except TimeoutError:
            raise StoreFailed(f"the store did not write anything for {READY_S:.0f} seconds") from None

    @property
    def url(self) -> str:
        return f"sqlite:{self.folder}"

    async def time(self) -> int:
        at, beaten = clock_now(), await self._last_beat()
        return beaten if at < beaten <= at + DAY_MS else at

    def _check_all(self) -> None:
        try:
            check_quickly(self._directory.database, seconds=0)
        except StoreFailed as error:
            self.damage = str(error)
            logging.getLogger("facedown.store").error("%s", self.damage)

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with contextlib.ExitStack() as stack:  # closes every part, even if another one raises
            stack.callback(self._directory.close)
            stack.callback(self._writer.close)
            stack.callback(self._reader.close)
            stack.callback(self._writes.close)
            stack.callback(self._reads.close)


def _with_texts(rows: list[EventRow], found: Iterable[Sequence[Any]]) -> list[EventRow]:
    """Events with their personal texts, found as event, slot, person and text."""
    texts: dict[int, list[PersonalText]] = {}
    for v, *fields in found:
        texts.setdefault(v, []).append(PersonalText(*fields))
    return [row._replace(texts=tuple(texts[row.v])) if row.v in texts else row for row in rows]


def _seats(connection: sqlite3.Connection, person: str) -> dict[str, list[int]]:
    seats: dict[str, list[int]] = {}
    query = "select table_id, seat from seats where person = ? order by table_id, seat"
    for table, seat in connection.execute(query, (person,)):
        seats.setdefault(table, []).append(seat)
    return seats


def _ignore(_result: object, _failure: BaseException | None) -> None:
    """The next beat is written in a second."""
