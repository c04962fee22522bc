"""A pool of worker processes that maps work in order. Knows no game.

One job means this process alone. Few pieces are under way at a time, so that nothing grows with the work.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Final, Generic, TypeVar

from facedown.core.errors import Unsupported

T = TypeVar("T")
U = TypeVar("U")

MOST_JOBS: Final = 256
_AHEAD: Final = 3
"""Pieces under way for each process: enough that none of them waits for this one."""
_MOST_DEATHS: Final = 5
"""The number of times in a row that a crew is replaced before a result comes."""


def spread(
    work: Callable[[T], U], pieces: Iterable[T], jobs: int, executor: Executor | None = None
) -> Iterator[U]:
    """What `work` makes of every piece, in order. Where there are several jobs, all of it must pickle.

    `executor` runs the work elsewhere, and is left open; without one, processes of this machine do, and
    one that dies is replaced and its work done again.
    """
    if executor is None and jobs == 1:
        yield from map(work, pieces)
        return
    crew = _Crew(work, jobs, executor)
    waiting: deque[tuple[T, Future[U]]] = deque()
    try:
        for piece in pieces:
            waiting.append((piece, crew.give(piece)))
            if len(waiting) >= _AHEAD * jobs:
                yield crew.take(waiting)
        while waiting:
            yield crew.take(waiting)
    finally:
        crew.dismiss()


class _Crew(Generic[T, U]):
    """The processes that do the work, made anew when one of them was killed."""

    def __init__(self, work: Callable[[T], U], jobs: int, executor: Executor | None) -> None:
        self.work = work
        self.jobs = jobs
        self.lent = executor is not None
        self.executor = executor or self.hired()
        self.deaths = 0

    def hired(self) -> Executor:
        return ProcessPoolExecutor(self.jobs, initializer=_leave_interrupts_to_the_parent)

    def give(self, piece: T) -> Future[U]:
        """Have a piece done; where the crew died since the last one, by a new crew."""
        try:
            return self.executor.submit(self.work, piece)
        except BrokenExecutor:
            self.replace()
            return self.executor.submit(self.work, piece)

    def take(self, waiting: deque[tuple[T, Future[U]]]) -> U:
        """The result that is due next; all that a dead crew left undone is given out again."""
        while True:
            try:
                result = waiting[0][1].result()
            except BrokenExecutor:
                self.replace()
                for place, (piece, future) in enumerate(waiting):
                    if not future.done() or future.cancelled() or future.exception() is not None:
                        waiting[place] = (piece, self.give(piece))
            else:
                waiting.popleft()
                self.deaths = 0
                return result

    def replace(self) -> None:
        """A new crew; but not for ever, where the work itself kills its process."""
        self.deaths += 1
        if self.lent or self.deaths > _MOST_DEATHS:
            raise Unsupported("the processes that do the work keep dying: out of memory, or killed by a bot")
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.hired()

    def dismiss(self) -> None:
        if not self.lent:
            self.executor.shutdown(cancel_futures=True)


def usual_jobs() -> int:
    """As many processes as this one may use processors."""
    if hasattr(os, "sched_getaffinity"):
        return min(MOST_JOBS, len(os.sched_getaffinity(0)))
    return min(MOST_JOBS, os.cpu_count() or 1)


def _leave_interrupts_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal; the parent alone says what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
