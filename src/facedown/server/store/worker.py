"""A thread with a queue: takes all that waits, has it worked on at once, and answers on the loop in one call.

Knows nothing of databases.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeAlias, TypeVar

from facedown.server.store.base import StoreFailed

W = TypeVar("W")

Outcome: TypeAlias = "tuple[object, BaseException | None]"
"""What came of one piece of work: its result, or its error."""

CLOSED: Final = "the store is closed"


class Job(Generic[W]):
    """A piece of work, and the future that waits for it."""

    __slots__ = ("future", "work")

    def __init__(self, work: W, future: asyncio.Future[Any]) -> None:
        self.work = work
        self.future = future


class WorkerThread(Generic[W]):
    """Work in the order in which it was put; `run_batch` gets a whole drain and returns as many outcomes."""

    def __init__(self, name: str, run_batch: Callable[[list[W]], list[Outcome]]) -> None:
        self._run_batch = run_batch
        self._queue: SimpleQueue[Job[W] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How much has not been begun."""
        return self._queue.qsize()

    def put(self, work: W) -> asyncio.Future[Any]:
        """Enqueue at once; the future belongs to the running loop. Cancelling it does not undo the work."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._closed:
            future.set_exception(StoreFailed(CLOSED))
        else:
            self._queue.put(Job(work, future))
        return future

    def close(self) -> None:
        """Refuse new work, wait until the rest is done, and end the thread."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            taken = [self._queue.get()]
            taken.extend(self._queue.get_nowait() for _ in range(self._queue.qsize()))
            jobs = [job for job in taken if job is not None]
            going = len(jobs) == len(taken)
            if jobs:
                _answer(jobs, self._outcomes([job.work for job in jobs]))

    def _outcomes(self, works: list[W]) -> list[Outcome]:
        try:
            return self._run_batch(works)
        except Exception as error:  # whatever it was: somebody waits for an answer, and the next ones come
            return [(None, _failure(error)) for _ in works]


def _failure(error: Exception) -> StoreFailed:
    failure = StoreFailed(f"the store failed, and nothing was saved: {error}")
    failure.__cause__ = error
    return failure


def _answer(jobs: list[Job[W]], outcomes: list[Outcome]) -> None:
    """Wake every loop once, not once for every job."""
    settled: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Outcome]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        settled.setdefault(job.future.get_loop(), []).append((job.future, outcome))
    for loop, answers in settled.items():
        try:
            loop.call_soon_threadsafe(_settle, answers)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _settle(answers: list[tuple[asyncio.Future[Any], Outcome]]) -> None:
    for future, (result, error) in answers:
        if future.done():  # cancelled
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
