"""A pool of worker processes that maps work in order. Knows no game.

One job means this process alone. Few pieces are under way at a time, so that nothing grows with the work.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, Generic, TypeVar

from facedown.core.errors import Unsupported

# --- Ctrl-C ----------------------------------------------------------------------------------------------


class Interruption:
    """Whether Ctrl-C was pressed. The second press raises at once."""

    def __init__(self) -> None:
        self._came = False
        self._at_once = False

    @classmethod
    @contextmanager
    def hold(cls) -> Iterator[Interruption]:
        """Inside the `with` block Ctrl-C waits for `check`, unless the program has its own handler."""
        interruption = cls()
        ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if not ours:
            yield interruption
            return
        signal.signal(signal.SIGINT, interruption._on_signal)
        try:
            yield interruption
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, signal.default_int_handler)

    def check(self) -> None:
        if self._came:
            raise KeyboardInterrupt

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Inside the `with` block Ctrl-C raises as usual: the work may take long and can be dropped."""
        self._at_once = True
        try:
            self.check()
            yield
        finally:
            self._at_once = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._at_once or self._came:
            signal.default_int_handler(number, frame)
        self._came = True


# --- the processes ---------------------------------------------------------------------------------------


T = TypeVar("T")
U = TypeVar("U")

MOST_JOBS: Final = 256
_AHEAD: Final = 3
"""Pieces under way for each process: enough that none of them waits for this one."""
_LOOK: Final = 0.1
"""Seconds between two checks for Ctrl-C."""
_NO_MORE: Final[Any] = object()
_MACOS: Final = sys.platform == "darwin"
"""Where a forked process may crash in the libraries of the system."""
_MOST_DEATHS: Final = 5
"""The number of times in a row that a pool is replaced before a result comes."""


def spread(work: Callable[[T], U], pieces: Iterable[T], jobs: int) -> Iterator[U]:
    """The results of `work` for every piece, in order. If there are several jobs, the pieces must pickle.

    A process that dies is replaced and its work done again.
    """
    with Interruption.hold() as interruption:
        if jobs == 1:
            yield from _alone(work, pieces, interruption)
        else:
            yield from _in_parallel(_WorkerPool(work, jobs, interruption), pieces, interruption)


def _alone(work: Callable[[T], U], pieces: Iterable[T], interruption: Interruption) -> Iterator[U]:
    for piece in _interruptible(pieces, interruption):
        with interruption.at_once():
            done = work(piece)
        yield done


def _in_parallel(pool: _WorkerPool[T, U], pieces: Iterable[T], interruption: Interruption) -> Iterator[U]:
    waiting: deque[tuple[T, Future[U]]] = deque()
    try:
        for piece in _interruptible(pieces, interruption):
            waiting.append((piece, pool.give(piece)))
            if len(waiting) >= _AHEAD * pool.jobs:
                yield pool.take(waiting)
        while waiting:
            yield pool.take(waiting)
    finally:
        pool.dismiss()


def _interruptible(pieces: Iterable[T], interruption: Interruption) -> Iterator[T]:
    """Yield the pieces; Ctrl-C is honoured while waiting for typed input."""
    each = iter(pieces)
    while True:
        with interruption.at_once():
            piece = next(each, _NO_MORE)
        if piece is _NO_MORE:
            return
        yield piece


class _WorkerPool(Generic[T, U]):
    """The processes that do the work; a new pool replaces one that died."""

    def __init__(self, work: Callable[[T], U], jobs: int, interruption: Interruption) -> None:
        self.work = work
        self.interruption = interruption
        self.jobs = jobs
        self.start_method = _start_method(work)
        self.executor = self.start()
        self.deaths = 0

    def start(self) -> Executor:
        import multiprocessing  # a tenth of the start of a command that needs no other process

        context = multiprocessing.get_context(self.start_method)
        return futures.ProcessPoolExecutor(self.jobs, context, initializer=_begin, initargs=(self.work,))

    def give(self, piece: T) -> Future[U]:
        try:
            return self.submit(piece)
        except BrokenExecutor:
            self.replace()
            return self.submit(piece)

    def submit(self, piece: T) -> Future[U]:
        return self.executor.submit(_do, piece)

    def take(self, waiting: deque[tuple[T, Future[U]]]) -> U:
        """The next result in order; pieces that a dead pool left undone are submitted again."""
        while True:
            self.wait(waiting[0][1])
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

    def wait(self, future: Future[U]) -> None:
        self.interruption.check()
        while not futures.wait([future], _LOOK).done:
            self.interruption.check()

    def replace(self) -> None:
        """Start a new pool, but not forever: the work itself may kill its process."""
        self.deaths += 1
        if self.deaths > _MOST_DEATHS:
            say = "the processes that do the work keep dying: out of memory, or killed by a bot"
            if self.start_method != "fork":
                say += "; or the program does not start its games below `if __name__ == '__main__':`"
            raise Unsupported(say)
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.start()

    def dismiss(self) -> None:
        self.executor.shutdown(cancel_futures=True)


def usual_jobs() -> int:
    """As many processes as this one may use processors."""
    if hasattr(os, "sched_getaffinity"):
        return min(MOST_JOBS, len(os.sched_getaffinity(0)))
    return min(MOST_JOBS, os.cpu_count() or 1)


# --- in the processes ------------------------------------------------------------------------------------

_work: Callable[[Any], Any] | None = None
"""What this process does with every piece."""


def _begin(work: Callable[[Any], Any]) -> None:
    """Take the work over. Ctrl-C reaches every process of a terminal: only the parent handles it."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _do(piece: Any) -> Any:
    assert _work is not None, "a process begins with its work"
    return _work(piece)


def _start_method(work: Callable[..., object]) -> str | None:
    """How processes are started so that they know the work; None for this system's usual way.

    A forked process has everything this one has, including the running program's classes. Elsewhere, and
    beside JAX (whose threads may hang after a fork), the work is pickled, and what the program itself defines
    is found by importing the program again.
    """
    import multiprocessing

    forks = "fork" in multiprocessing.get_all_start_methods() and not _MACOS
    if forks and "jax" not in sys.modules:
        return "fork"
    pickled, why = b"", "it was defined in this session"
    try:
        pickled = pickle.dumps(work)
    except Exception as error:  # whatever a stranger's object does
        why = str(error)
    importable = b"__main__" not in pickled or getattr(sys.modules["__main__"], "__file__", None)
    if pickled and importable:
        return "spawn" if forks else None
    if forks:
        return "fork"  # only that knows the work
    say = f"what plays cannot be handed to other processes: {why}; put it into a module, or ask for one job"
    raise Unsupported(say)
