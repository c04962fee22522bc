"""A worker thread that drains a queue in batches and resolves asyncio futures. Knows nothing of databases."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeAlias, TypeVar

from facedown.server.store.base import StoreFailed

W = TypeVar("W")

JobOutcome: TypeAlias = "tuple[object, BaseException | None]"
"""The result or the error of one job."""

CLOSED: Final = "the store is closed"


class Job(Generic[W]):
    """Work for the thread, and the future that gets its result."""

    __slots__ = ("future", "work")

    def __init__(self, work: W, future: asyncio.Future[Any]) -> None:
        self.work = work
        self.future = future


class WorkerThread(Generic[W]):
    """Runs jobs in order: `run_batch` gets all waiting jobs at once and returns one outcome for each."""

    def __init__(self, name: str, run_batch: Callable[[list[W]], list[JobOutcome]]) -> None:
        self._run_batch = run_batch
        self._queue: SimpleQueue[Job[W] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many jobs have not been started."""
        return self._queue.qsize()

    def put(self, work: W) -> asyncio.Future[Any]:
        """Enqueue a job; its future belongs to the running loop, and cancelling it does not undo the job."""
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
                _resolve(jobs, self._outcomes([job.work for job in jobs]))

    def _outcomes(self, works: list[W]) -> list[JobOutcome]:
        try:
            return self._run_batch(works)
        except Exception as error:  # every future must be resolved, and the thread must live on
            return [(None, _failure(error)) for _ in works]


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
