"""Workers that run queued jobs in batches and answer them on the event loop.

`WorkerThread` runs them on a thread; `LoopWorker` on the loop itself, in a browser without threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from queue import SimpleQueue
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, final

from facedown.server.store.base import OnDone
from facedown.server.store.failures import StoreFailed, error_text, failure_of, resolve

W = TypeVar("W")
W_contra = TypeVar("W_contra", contravariant=True)

JobOutcome: TypeAlias = "tuple[object, BaseException | None]"
"""The result or the error of one job."""

CLOSED: Final = "the store is closed"
WRITER: Final = "store-writer"
READER: Final = "store-reader"

_log = logging.getLogger("facedown.store")

RunBatch: TypeAlias = "Callable[[list[W]], list[JobOutcome]]"
"""Runs all waiting jobs, and returns one outcome for each."""


class Worker(Protocol[W_contra]):
    """Runs jobs in order."""

    @property
    def waiting(self) -> int:
        """How many jobs have not been started."""

    def put(self, work: W_contra, done: OnDone) -> None:
        """Enqueue a job; jobs of one round of the event loop run together. `done` is called on the loop."""

    def close(self) -> None:
        """Refuse new jobs, and finish those in the queue."""


def future_of(worker: Worker[W], work: W) -> asyncio.Future[Any]:
    """Enqueue a job; its future belongs to the running loop, and cancelling it does not undo the job."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    worker.put(work, partial(resolve, future))
    return future


class MakeWorker(Protocol):
    """Makes a worker that runs its jobs with `run_batch`."""

    def __call__(self, name: str, run_batch: RunBatch[W]) -> Worker[W]: ...


@final
class Job:
    """Work for a worker, and the callback and loop for its result."""

    __slots__ = ("_done", "_is_answered", "loop", "work")

    def __init__(self, work: Any, done: OnDone, loop: asyncio.AbstractEventLoop) -> None:
        self.work = work
        self.loop = loop
        self._done = done
        self._is_answered = False

    def answer(self, outcome: JobOutcome) -> None:
        """Pass the outcome on, once; called on the loop. A killed thread may have answered already."""
        if not self._is_answered:
            self._is_answered = True
            result, error = outcome
            self._done(result, error)


@final
class WorkerThread(Generic[W]):
    """Runs jobs on a thread, which receives all jobs of one round of the loop together.

    An exception that ends a batch, or is raised in the thread from outside, fails the jobs that the thread
    holds, and no others. If the thread has ended, the next hand-over starts another one.
    """

    def __init__(self, name: str, run_batch: RunBatch[W]) -> None:
        self._name = name
        self._run_batch = run_batch
        self._lock = threading.Lock()
        """Guards the three lists. The thread calls nothing under it, and so cannot be killed there."""
        self._fresh: list[Job] = []
        """Jobs that were not handed over yet."""
        self._queue: list[Job] = []
        """Jobs that were handed over."""
        self._held: list[Job] = []
        """Jobs that the thread has taken."""
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._closed = False
        self._replacing = threading.Lock()
        self._own_thread = self._start_thread()

    @property
    def waiting(self) -> int:
        return len(self._queue) + len(self._fresh)

    def put(self, work: W, done: OnDone) -> None:
        loop = asyncio.get_running_loop()
        job = Job(work, done, loop)
        with self._lock:
            is_first = not self._fresh or self._fresh[0].loop is not loop  # another loop may be gone
            self._fresh.append(job)
        if is_first:
            loop.call_soon(self._hand_over)

    def close(self) -> None:
        """Refuse new jobs, wait for those in the queue, and end the thread."""
        self._hand_over()
        with self._lock:
            self._closed = True
        self._wake.put(None)
        self._own_thread.join()
        while self._queue or self._held:  # it was killed
            self._replace_thread()
            self._own_thread.join()

    def _hand_over(self) -> None:
        with self._lock:
            jobs, self._fresh = self._fresh, []
            is_closed = self._closed
            if jobs and not is_closed:
                self._queue += jobs
        if is_closed:
            _answer_on_loops(jobs, [(None, StoreFailed(CLOSED)) for _ in jobs])
        elif jobs:
            if not self._own_thread.is_alive():
                self._replace_thread()
            self._wake.put(None)

    def _start_thread(self) -> threading.Thread:
        thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        thread.start()
        return thread

    def _replace_thread(self) -> None:
        with self._replacing:
            if not self._own_thread.is_alive():
                self._fail_held(StoreFailed("the thread has ended"))
                self._own_thread = self._start_thread()

    def _run(self) -> None:
        while True:
            try:
                self._work()
                return
            except BaseException as error:  # even what ends a thread: later jobs would wait forever
                self._fail_held(error)

    def _work(self) -> None:
        while True:
            with self._lock:
                self._held, self._queue = self._queue, []
                is_closed = self._closed
            if self._held:
                _answer_on_loops(self._held, self._run_batch([job.work for job in self._held]))
            elif is_closed:
                return
            else:
                self._wake.get()

    def _fail_held(self, error: BaseException) -> None:
        jobs = self._held
        _answer_on_loops(jobs, [(None, doubtful_failure(error)) for _ in jobs])
        _log.error("%s was interrupted, with %d jobs: %s", self._name, len(jobs), error_text(error))


@final
class LoopWorker(Generic[W]):
    """Runs jobs on the event loop itself, and answers them once `keep` has saved a copy of the data."""

    def __init__(self, run_batch: RunBatch[W], keep: Callable[[], Awaitable[None]]) -> None:
        self._run_batch = run_batch
        self._keep = keep
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
            _answer_on_loops(jobs, _outcomes(self._run_batch, jobs))

    async def _drain(self) -> None:
        while self._queue:
            jobs, self._queue = self._queue, []
            outcomes = _outcomes(self._run_batch, jobs)
            try:
                await self._keep()
            except BaseException as error:  # even if this task is cancelled: no other one answers the jobs
                outcomes = [
                    each if each[1] is not None else (None, doubtful_failure(error)) for each in outcomes
                ]
            _answer(zip(jobs, outcomes, strict=True))
        self._task = None


def _outcomes(run_batch: RunBatch[W], jobs: list[Job]) -> list[JobOutcome]:
    try:
        return run_batch([job.work for job in jobs])
    except BaseException as error:  # every job must be answered, and the worker must go on
        return [(None, doubtful_failure(error)) for _ in jobs]


def doubtful_failure(error: BaseException) -> StoreFailed:
    """The failure of a job that may have been saved."""
    return failure_of("the store failed, and it is not certain what was saved", error)


def _answer_on_loops(jobs: list[Job], outcomes: list[JobOutcome]) -> None:
    """Answer all jobs, with one call for each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Job, JobOutcome]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        by_loop.setdefault(job.loop, []).append((job, outcome))
    for loop, settled in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_answer, iter(settled))


def _answer(settled: Iterator[tuple[Job, JobOutcome]]) -> None:
    for job, outcome in settled:
        try:
            job.answer(outcome)
        except Exception as failure:  # the others are answered all the same
            context = {"message": "the answer to a write could not be handled", "exception": failure}
            job.loop.call_exception_handler(context)
        except BaseException:
            job.loop.call_soon(_answer, settled)
            raise
