"""Group commit on PostgreSQL: appends that wait go into one statement, and are answered once it is committed.

Two lanes, each with a connection of its own: plain steps of games do not wait for tables that are set up. An
append is never cancelled; where its connection breaks nobody knows whether it was saved, and it fails.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import asyncpg

from facedown.core.errors import FacedownError
from facedown.server.store.base import Append, CommandKnown, HeadMoved, StoreFailed
from facedown.server.store.failures import error_text
from facedown.server.store.postgresql.appends import PLAIN, WHOLE, is_plain, plain_values, whole_values
from facedown.server.store.postgresql.connections import CLOSED, PostgresConnections

_MOST_AT_ONCE: Final = 256
_FAULTS_OF_ONE: Final = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
"""Errors that may be the fault of one append: then all are saved again, one by one."""
_AGAIN: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)


class AppendJob(NamedTuple):
    """An append, and the future of its answer."""

    batch: Append
    future: asyncio.Future[None]


class AppendQueue:
    """Appends of all tables: those of one table one after the other, those of many together."""

    def __init__(self, connections: PostgresConnections) -> None:
        self._plain = AppendLane(connections, PLAIN, plain_values, self._finished)
        self._whole = AppendLane(connections, WHOLE, whole_values, self._finished)
        self._following: dict[str, list[AppendJob]] = {}
        self._connections = connections

    @property
    def waiting(self) -> int:
        """How many appends have not been sent."""
        return self._plain.waiting + self._whole.waiting + sum(map(len, self._following.values()))

    def put(self, batch: Append) -> asyncio.Future[None]:
        """Enqueue an append; cancelling its future does not undo it."""
        job = AppendJob(batch, asyncio.get_running_loop().create_future())
        if self._connections.closed:
            job.future.set_exception(StoreFailed(CLOSED))
            return job.future
        following = self._following.get(batch.table)
        if following is None:
            self._following[batch.table] = []
            self._send(job)
        else:
            following.append(job)
        return job.future

    async def close(self) -> None:
        """Wait until everything is answered, and close the connections."""
        await self._plain.close()
        await self._whole.close()
        while self._following:  # what followed in the other lane
            await self._plain.close()
            await self._whole.close()

    def _send(self, job: AppendJob) -> None:
        (self._plain if is_plain(job.batch) else self._whole).put(job)

    def _finished(self, job: AppendJob, error: FacedownError | None) -> None:
        following = self._following[job.batch.table]
        if following:
            self._send(following.pop(0))
        else:
            del self._following[job.batch.table]
        if job.future.done():  # cancelled
            return
        if error is None:
            job.future.set_result(None)
        else:
            job.future.set_exception(error)


class AppendLane:
    """One connection that sends all appends that wait in one statement, one statement at a time."""

    def __init__(
        self,
        connections: PostgresConnections,
        statement: str,
        values: Callable[[Sequence[Append]], list[list[Any]]],
        finished: Callable[[AppendJob, FacedownError | None], None],
    ) -> None:
        self._connections = connections
        self._stats = connections.stats
        self._statement = statement
        self._values = values
        self._finished = finished
        self._jobs: list[AppendJob] = []
        self._task: asyncio.Task[None] | None = None
        self._connection: asyncpg.Connection | None = None

    @property
    def waiting(self) -> int:
        """How many appends have not been sent."""
        return len(self._jobs)

    def put(self, job: AppendJob) -> None:
        """Send it with all that comes in this round of the loop, or while another statement is under way."""
        self._jobs.append(job)
        if self._task is None:
            self._task = asyncio.create_task(self._drain())

    async def close(self) -> None:
        """Wait until everything is answered, and close the connection."""
        while self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await self._connections.hang_up(connection)

    async def _drain(self) -> None:
        try:
            await asyncio.sleep(0)
            while self._jobs:
                jobs, self._jobs = self._jobs[:_MOST_AT_ONCE], self._jobs[_MOST_AT_ONCE:]
                for job, error in zip(jobs, await self._save(jobs), strict=True):
                    self._finished(job, error)
        finally:
            self._task = None

    async def _save(self, jobs: Sequence[AppendJob]) -> list[FacedownError | None]:
        """Save all of them; the error of each, or None."""
        begun = time.perf_counter()
        try:
            saved = await self._sent(jobs)
            if self._connections.in_doubt:  # the commit may not have waited for its standby
                await self._connections.certain()
        except _FAULTS_OF_ONE as error:
            if len(jobs) == 1 and not isinstance(error, _AGAIN):
                return self._failed(jobs, _refused(error))
            return [(await self._save([job]))[0] for job in jobs]
        except FacedownError as error:
            return self._failed(jobs, error)
        except (Exception, asyncio.CancelledError) as error:  # every append must be answered
            self._drop()
            return self._failed(jobs, _lost(error))
        self._count(jobs, saved, time.perf_counter() - begun)
        return [None if i in saved else _moved(job.batch) for i, job in enumerate(jobs)]

    async def _sent(self, jobs: Sequence[AppendJob]) -> set[int]:
        """The places of those whose head was where it had to be."""
        await self._connections.opened()
        connection = self._connection
        if connection is None or connection.is_closed():
            connection = self._connection = await self._connections.connect()
            # A plan that is made while there are few tables is kept when there are many.
            await connection.execute("set enable_seqscan = off")
        values = self._values([job.batch for job in jobs])
        return {place for (place,) in await connection.fetch(self._statement, *values)}

    def _drop(self) -> None:
        """The connection is not to be trusted any more."""
        connection, self._connection = self._connection, None
        if connection is not None and not connection.is_closed():
            with contextlib.suppress(Exception):
                connection.terminate()

    def _failed(self, jobs: Sequence[AppendJob], error: FacedownError) -> list[FacedownError | None]:
        self._stats.failed += len(jobs)
        return [error] * len(jobs)

    def _count(self, jobs: Sequence[AppendJob], saved: set[int], seconds: float) -> None:
        stats, conflicts = self._stats, len(jobs) - len(saved)
        stats.commits += 1
        stats.jobs += len(saved)
        stats.appends += len(saved)
        stats.rows += sum(len(jobs[i].batch.rows) for i in saved)
        stats.conflicts += conflicts
        stats.failed += conflicts
        stats.largest = max(stats.largest, len(saved))
        stats.last_ms = seconds * 1000


def _moved(batch: Append) -> HeadMoved:
    return HeadMoved(f"table {batch.table} is not at {batch.head}: nothing was saved", text=batch.table)


def _refused(error: Exception) -> FacedownError:
    """The error for an append that PostgreSQL refused."""
    if isinstance(error, asyncpg.UniqueViolationError) and error.constraint_name == "answers_pkey":
        return CommandKnown("a request with this idempotency key is saved already")
    failure = StoreFailed(f"PostgreSQL refused to write, and nothing was saved: {error}")
    failure.__cause__ = error
    return failure


def _lost(error: BaseException) -> StoreFailed:
    failure = StoreFailed(f"it is not certain whether PostgreSQL saved this: {error_text(error)}")
    failure.__cause__ = error
    return failure
