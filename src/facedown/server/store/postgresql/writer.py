"""Group commit on PostgreSQL: waiting appends go into one statement, and are answered once it is committed.

Two senders, each with its own connection, so that moves in games do not wait for tables being set up. The
first append after a rest is sent at once; those of the next moment wait a little for each other. An append is
never cancelled; if its connection breaks, it fails and may have been saved.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import asyncpg

from facedown.core.errors import FacedownError
from facedown.server.store.failures import (
    CommandKnown,
    HeadMoved,
    StoreFailed,
    StoreFault,
    failure_of,
    fault_of,
    resolve,
)
from facedown.server.store.postgresql.appends import PLAIN, WHOLE, is_plain, plain_values, whole_values
from facedown.server.store.postgresql.connections import (
    CLOSED,
    CallerFailed,
    PostgresConnections,
    refusal_of,
)
from facedown.server.store.steps import BeginSteps, Many, Steps
from facedown.server.store.values import Append

T = TypeVar("T")

_MOST_AT_ONCE: Final = 256
PAUSE_S: Final = 0.005
"""The longest wait after a statement for more appends: at the pace of people nearly each would be sent alone,
which costs a server and PostgreSQL together 1.4 times as much (350 appends a second)."""
ENOUGH: Final = 4
"""With this number of appends the writer waits for no others: it saves nearly as much as waiting for more."""
_MOST_STEPS: Final = 32
_FAULTS_OF_ONE: Final = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
"""Errors that one append may have caused: all are saved again, one by one."""
_RETRIED: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)


class AppendJob(NamedTuple):
    """An append and the future of its answer."""

    batch: Append
    future: asyncio.Future[None]


class AppendQueue:
    """Sends appends of one table one after the other, and appends of many tables together."""

    def __init__(self, connections: PostgresConnections) -> None:
        self._plain = AppendSender(connections, PLAIN, plain_values, self._on_finished)
        self._whole = AppendSender(connections, WHOLE, whole_values, self._on_finished)
        self._following: dict[str, list[AppendJob]] = {}
        self._connections = connections

    @property
    def waiting(self) -> int:
        return self._plain.waiting + self._whole.waiting + sum(map(len, self._following.values()))

    def put(self, batch: Append) -> asyncio.Future[None]:
        """Enqueue an append; cancelling its future does not undo it."""
        job = AppendJob(batch, asyncio.get_running_loop().create_future())
        if self._connections.is_closed:
            job.future.set_exception(StoreFailed(CLOSED))
            return job.future
        following = self._following.get(batch.table)
        if following is None:
            self._following[batch.table] = []
            self._dispatch(job)
        else:
            following.append(job)
        return job.future

    async def close(self) -> None:
        await self._plain.close()
        await self._whole.close()
        while self._following:  # the next append of a table may go to the other sender
            await self._plain.close()
            await self._whole.close()

    def _dispatch(self, job: AppendJob) -> None:
        (self._plain if is_plain(job.batch) else self._whole).put(job)

    def _on_finished(self, job: AppendJob, error: FacedownError | None) -> None:
        following = self._following[job.batch.table]
        if following:
            self._dispatch(following.pop(0))
        else:
            del self._following[job.batch.table]
        resolve(job.future, None, error)


class AppendSender:
    """One connection that sends all waiting appends in one statement, one statement at a time."""

    def __init__(
        self,
        connections: PostgresConnections,
        statement: str,
        values: Callable[[Sequence[Append]], list[list[Any]]],
        on_finished: Callable[[AppendJob, FacedownError | None], None],
    ) -> None:
        self._connections = connections
        self._stats = connections.stats
        self._statement = statement
        self._values = values
        self._on_finished = on_finished
        self._jobs: list[AppendJob] = []
        self._task: asyncio.Task[None] | None = None
        self._connection: asyncpg.Connection | None = None
        self._rests_until = 0.0
        """On the monotonic clock, until when fewer than enough appends wait for others."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def put(self, job: AppendJob) -> None:
        """Send it with all others of this round of the loop, or that come while a statement is running or in
        the pause after it."""
        self._jobs.append(job)
        self._schedule()

    async def close(self) -> None:
        self._start()
        while self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await self._connections.release(connection)

    def _schedule(self) -> None:
        if self._task is not None or not self._jobs:
            return
        delay = self._rests_until - time.monotonic()
        if delay <= 0 or len(self._jobs) >= ENOUGH:
            self._start()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(delay, self._start)

    def _start(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is None and self._jobs:
            self._task = asyncio.create_task(self._commit())

    async def _commit(self) -> None:
        """Save what waits, in one statement."""
        try:
            await asyncio.sleep(0)
            jobs, self._jobs = self._jobs[:_MOST_AT_ONCE], self._jobs[_MOST_AT_ONCE:]
            errors = await self._save(jobs)
            self._rests_until = time.monotonic() + PAUSE_S
            for job, error in zip(jobs, errors, strict=True):
                self._on_finished(job, error)
        finally:
            self._task = None
            self._schedule()

    async def _save(self, jobs: Sequence[AppendJob]) -> list[FacedownError | None]:
        """Save all of them; returns the error of each, or None."""
        begun = time.perf_counter()
        try:
            saved = await self._send(jobs)
            if self._connections.in_doubt:  # the commit may not have waited for its standby
                await self._connections.ensure_certain()
        except _FAULTS_OF_ONE as error:
            if len(jobs) == 1 and not isinstance(error, _RETRIED):
                return self._failures(jobs, _refusal(error))
            return [(await self._save([job]))[0] for job in jobs]
        except FacedownError as error:
            return self._failures(jobs, error)
        except (Exception, asyncio.CancelledError) as error:  # every append must be answered
            self._drop()
            return self._failures(jobs, _doubtful_failure(error))
        self._count(jobs, saved, time.perf_counter() - begun)
        return [None if i in saved else await self._refusal(job.batch) for i, job in enumerate(jobs)]

    async def _refusal(self, batch: Append) -> FacedownError:
        """Why nothing of an append was saved."""
        try:
            for caller in batch.callers if self._connection is not None else ():
                if (refusal := await refusal_of(self._connection, caller)) is not None:
                    return refusal
        except (Exception, asyncio.CancelledError):  # the table is read again, and the append repeated
            self._drop()
        return HeadMoved.of(batch)

    async def _send(self, jobs: Sequence[AppendJob]) -> set[int]:
        """Send the statement; returns the indexes of the appends whose heads had not moved."""
        await self._connections.ensure_open()
        connection = self._connection
        if connection is None or connection.is_closed():
            connection = self._connection = await self._connections.connect()
            # The plan is made while there are few tables, and kept when there are many.
            await connection.execute("set enable_seqscan = off")
        values = self._values([job.batch for job in jobs])
        return {index for (index,) in await connection.fetch(self._statement, *values)}

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and not connection.is_closed():
            with contextlib.suppress(Exception):
                connection.terminate()

    def _failures(self, jobs: Sequence[AppendJob], error: FacedownError) -> list[FacedownError | None]:
        self._stats.failed += len(jobs)
        return [error] * len(jobs)

    def _count(self, jobs: Sequence[AppendJob], saved: set[int], seconds: float) -> None:
        conflicts = len(jobs) - len(saved)
        self._stats.conflicts += conflicts
        self._stats.count_commit(len(saved), [jobs[i].batch for i in saved], seconds)


class StepsQueue:
    """Runs the steps of all requests that wait in one transaction: one lock and one commit for them all."""

    def __init__(
        self,
        start: Callable[[Coroutine[Any, Any, None]], object],
        run_all: Callable[[Sequence[BeginSteps[Any]]], Awaitable[list[Any]]],
    ) -> None:
        self._start = start
        self._run_all = run_all
        self._jobs: list[tuple[BeginSteps[Any], asyncio.Future[Any]]] = []
        self._is_running = False

    async def run(self, begin: BeginSteps[T]) -> T:
        """What the steps return; they run even if the caller is cancelled."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.append((begin, future))
        if not self._is_running:
            self._is_running = True
            self._start(self._drain())
        try:
            return await future
        finally:
            del future  # what it raises refers to this frame

    async def _drain(self) -> None:
        try:
            while self._jobs:
                jobs, self._jobs = self._jobs[:_MOST_STEPS], self._jobs[_MOST_STEPS:]
                await self._answer(jobs)
        finally:
            self._is_running = False

    async def _answer(self, jobs: Sequence[tuple[BeginSteps[Any], asyncio.Future[Any]]]) -> None:
        try:
            results = await self._run_all([begin for begin, _ in jobs])
        except Exception as error:
            if len(jobs) == 1 or (isinstance(error, StoreFailed) and not isinstance(error, StoreFault)):
                for _, future in jobs:
                    resolve(future, None, error)
                return
            for job in jobs:  # one of them failed
                await self._answer([job])
            return
        for (_, future), result in zip(jobs, results, strict=True):
            resolve(future, result, None)


async def run_steps(connection: asyncpg.Connection, steps: Steps[T]) -> T:
    """Run steps in the caller's transaction, and save the appends among them; what they
    return."""
    rows: list[Any] | None = None
    while True:
        try:
            step = steps.send(rows)  # type: ignore[arg-type]  # the first step receives nothing
        except StopIteration as done:
            result: T = done.value
            return result
        except Exception as error:
            raise CallerFailed(error) from error
        if isinstance(step, Append | list):
            batches = step if isinstance(step, list) else (step,)
            rows = await connection.fetch(WHOLE, *whole_values(batches))
        elif isinstance(step, Many):
            await connection.executemany(step.statement, step.rows)
            rows = []
        else:
            statement, values = step
            rows = await connection.fetch(statement, *values)


def _refusal(error: Exception) -> FacedownError:
    if isinstance(error, asyncpg.UniqueViolationError) and error.constraint_name == "answers_pkey":
        return CommandKnown("a request with this idempotency key is saved already")
    return fault_of("PostgreSQL refused to write, and nothing was saved", error)


def _doubtful_failure(error: BaseException) -> StoreFailed:
    return failure_of("it is not certain whether PostgreSQL saved this", error)
