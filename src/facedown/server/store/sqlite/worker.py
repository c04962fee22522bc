"""Workers drain a queue of jobs in batches and resolve asyncio futures: on a thread, or on the event loop
where there are no threads. They know nothing of databases.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from queue import SimpleQueue
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from facedown.server.store.base import StoreFailed

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

    def put(self, work: W_contra) -> asyncio.Future[Any]:
        """Enqueue a job; its future belongs to the running loop, and cancelling it does not undo the job."""

    def close(self) -> None:
        """Refuse new jobs, and finish those in the queue."""


class MakeWorker(Protocol):
    """Makes the worker of a name for one kind of jobs."""

    def __call__(self, name: str, run_batch: RunBatch[W]) -> Worker[W]:
        """A worker that runs its jobs by `run_batch`."""


class Job(Generic[W]):
    """Work for the thread, and the future that gets its result."""

    __slots__ = ("future", "work")

    def __init__(self, work: W, future: asyncio.Future[Any]) -> None:
        self.work = work
        self.future = future


class WorkerThread(Generic[W]):
    """Runs jobs on a thread."""

    def __init__(self, name: str, run_batch: RunBatch[W]) -> None:
        self._run_batch = run_batch
        self._queue: SimpleQueue[Job[W] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def put(self, work: W) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._closed:
            future.set_exception(StoreFailed(CLOSED))
        else:
            self._queue.put(Job(work, future))
        return future

    def close(self) -> None:
        """Refuse new jobs, wait for those in the queue, and end the thread."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        running = True
        while running:
            drained = [self._queue.get()]
            drained.extend(self._queue.get_nowait() for _ in range(self._queue.qsize()))
            jobs = [job for job in drained if job is not None]
            running = len(jobs) == len(drained)
            if jobs:
                _resolve(jobs, _outcomes(self._run_batch, jobs))


class LoopWorker(Generic[W]):
    """Runs jobs on the event loop itself, and answers them after `kept`: what was answered is not lost."""

    def __init__(self, run_batch: RunBatch[W], kept: Callable[[], Awaitable[None]]) -> None:
        self._run_batch = run_batch
        self._kept = kept
        self._queue: list[Job[W]] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def put(self, work: W) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._closed:
            future.set_exception(StoreFailed(CLOSED))
            return future
        self._queue.append(Job(work, future))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        return future

    def close(self) -> None:
        self._closed = True
        jobs, self._queue = self._queue, []
        if jobs:
            _set_results([(job.future, out) for job, out in _paired(jobs, self._run_batch)])

    async def _drain(self) -> None:
        while self._queue:
            jobs, self._queue = self._queue, []
            settled = [(job.future, outcome) for job, outcome in _paired(jobs, self._run_batch)]
            await self._kept()
            _set_results(settled)
        self._task = None


def _paired(jobs: list[Job[W]], run_batch: RunBatch[W]) -> list[tuple[Job[W], JobOutcome]]:
    return list(zip(jobs, _outcomes(run_batch, jobs), strict=True))


def _outcomes(run_batch: RunBatch[W], jobs: list[Job[W]]) -> list[JobOutcome]:
    try:
        return run_batch([job.work for job in jobs])
    except Exception as error:  # every future must be resolved, and the worker must live on
        return [(None, _failure(error)) for _ in jobs]


def _failure(error: Exception) -> StoreFailed:
    failure = StoreFailed(f"the store failed, and nothing was saved: {error}")
    failure.__cause__ = error
    return failure


def _resolve(jobs: list[Job[W]], outcomes: list[JobOutcome]) -> None:
    """Resolve the futures: one call for each event loop, not one for each job."""
    settled: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], JobOutcome]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        settled.setdefault(job.future.get_loop(), []).append((job.future, outcome))
    for loop, answers in settled.items():
        try:
            loop.call_soon_threadsafe(_set_results, answers)
        except RuntimeError:  # the loop is closed
            continue


def _set_results(answers: list[tuple[asyncio.Future[Any], JobOutcome]]) -> None:
    for future, (result, error) in answers:
        if future.done():  # cancelled
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
