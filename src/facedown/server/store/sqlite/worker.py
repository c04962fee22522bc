"""Workers drain a queue of jobs in batches and answer them on the event loop. They work on a thread, or on
the loop itself where there are no threads. They know nothing of databases.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterable
from queue import SimpleQueue
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, final

from facedown.server.store.base import OnDone, StoreFailed
from facedown.server.store.sqlite.linger import Linger

W = TypeVar("W")
W_contra = TypeVar("W_contra", contravariant=True)

JobOutcome: TypeAlias = "tuple[object, BaseException | None]"
"""The result or the error of one job."""

CLOSED: Final = "the store is closed"

RunBatch: TypeAlias = "Callable[[list[W]], list[JobOutcome]]"
"""Gets all waiting jobs at once, and returns one outcome for each."""


class Worker(Protocol[W_contra]):
    """Runs jobs in order."""

    @property
    def waiting(self) -> int:
        """How many jobs have not been started."""

    def put(self, work: W_contra, done: OnDone) -> None:
        """Enqueue a job; those of one round of the event loop are run together. `done` is called later, on
        the loop."""

    def close(self) -> None:
        """Refuse new jobs, and finish those in the queue."""


def future_of(worker: Worker[W], work: W) -> asyncio.Future[Any]:
    """Enqueue a job; its future belongs to the running loop, and cancelling it does not undo the job."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def done(result: object, error: BaseException | None) -> None:
        if future.done():  # cancelled
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    worker.put(work, done)
    return future


class MakeWorker(Protocol):
    """Makes the worker of a name for one kind of jobs."""

    def __call__(self, name: str, run_batch: RunBatch[W]) -> Worker[W]:
        """A worker that runs its jobs by `run_batch`."""


class Job(NamedTuple):
    """Work for a worker, and who gets its result, on which loop."""

    work: Any
    done: OnDone
    loop: asyncio.AbstractEventLoop


@final
class WorkerThread(Generic[W]):
    """Runs jobs on a thread. They are handed over once in a round of the loop, or after a linger, not one by
    one."""

    def __init__(self, name: str, run_batch: RunBatch[W], linger: Linger | None = None) -> None:
        self._run_batch = run_batch
        self._linger = linger
        self._fresh: list[Job] = []
        """Jobs that were not handed over yet."""
        self._queue: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._handing_over = threading.Lock()  # whoever closes is on another thread
        self._closed = False
        self._own_thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._own_thread.start()

    @property
    def waiting(self) -> int:
        return self._queue.qsize() + len(self._fresh)

    def put(self, work: W, done: OnDone) -> None:
        loop = asyncio.get_running_loop()
        if self._closed:
            loop.call_soon(done, None, StoreFailed(CLOSED))
            return
        if not self._fresh:
            wait = self._linger.wait() if self._linger is not None else 0.0
            if wait:
                loop.call_later(wait, self._hand_over)
            else:
                loop.call_soon(self._hand_over)
        self._fresh.append(Job(work, done, loop))

    def close(self) -> None:
        """Refuse new jobs, wait for those in the queue, and end the thread."""
        if not self._closed:
            self._closed = True
            self._hand_over()
            self._queue.put(None)
        self._own_thread.join()

    def _hand_over(self) -> None:
        with self._handing_over:
            jobs, self._fresh = self._fresh, []
            if jobs:
                self._queue.put(jobs)
                if self._linger is not None:
                    self._linger.handed_over(len(jobs))

    def _run(self) -> None:
        running = True
        while running:
            drained = [self._queue.get()]
            drained.extend(self._queue.get_nowait() for _ in range(self._queue.qsize()))
            jobs = [job for some in drained if some is not None for job in some]
            running = None not in drained
            if jobs:
                _answer_on_loops(jobs, _outcomes(self._run_batch, jobs))


@final
class LoopWorker(Generic[W]):
    """Runs jobs on the event loop itself, and answers them after `kept`: what was answered is not lost."""

    def __init__(self, run_batch: RunBatch[W], kept: Callable[[], Awaitable[None]]) -> None:
        self._run_batch = run_batch
        self._kept = kept
        self._queue: list[Job] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def put(self, work: W, done: OnDone) -> None:
        loop = asyncio.get_running_loop()
        if self._closed:
            loop.call_soon(done, None, StoreFailed(CLOSED))
            return
        self._queue.append(Job(work, done, loop))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())

    def close(self) -> None:
        self._closed = True
        jobs, self._queue = self._queue, []
        if jobs:
            _answer(zip(jobs, _outcomes(self._run_batch, jobs), strict=True))

    async def _drain(self) -> None:
        while self._queue:
            jobs, self._queue = self._queue, []
            outcomes = _outcomes(self._run_batch, jobs)
            await self._kept()
            _answer(zip(jobs, outcomes, strict=True))
        self._task = None


def _outcomes(run_batch: RunBatch[W], jobs: list[Job]) -> list[JobOutcome]:
    try:
        return run_batch([job.work for job in jobs])
    except Exception as error:  # every job must be answered, and the worker must live on
        return [(None, _failure(error)) for _ in jobs]


def _failure(error: Exception) -> StoreFailed:
    failure = StoreFailed(f"the store failed, and nothing was saved: {error}")
    failure.__cause__ = error
    return failure


def _answer_on_loops(jobs: list[Job], outcomes: list[JobOutcome]) -> None:
    """Answer all jobs: one call for each event loop, not one for each job."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Job, JobOutcome]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        by_loop.setdefault(job.loop, []).append((job, outcome))
    for loop, settled in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_answer, settled)


def _answer(settled: Iterable[tuple[Job, JobOutcome]]) -> None:
    for job, (result, error) in settled:
        try:
            job.done(result, error)
        except Exception as failure:  # the others are answered all the same
            said = {"message": "the answer to a write could not be handled", "exception": failure}
            job.loop.call_exception_handler(said)
