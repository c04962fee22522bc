"""Work that fails: when it is tried again, one log line for each failure, and a list for the operator.

All background work (clocks, tournaments, notices, sweeps) goes through `Backoff.attempt` or
`Turns`: a thing that fails again and again waits longer each time, and keeps no other from its turn. An
outage of the store is no failure of the work: the store logs it, and the work continues when it is over.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from facedown.core.errors import FacedownError
from facedown.server import clock
from facedown.server.ops.logs import get_log
from facedown.server.ops.metrics import Counts
from facedown.server.store.failures import StoreFailed, StoreFault, error_text, is_cancelled

FIRST_S: Final = 1.0
"""The pause after the first failure; it doubles with each further one."""
LONGEST_S: Final = 60.0
REPEATED: Final = 3
"""The number of failures in a row from which the operator sees it."""
_FORGOTTEN_S: Final = 600.0
"""Work that was not tried for this long is no longer listed: another server does it, or it is gone."""


class FailingWork(NamedTuple):
    """Work that has failed several times in a row."""

    work: str
    key: str
    """The table, tournament or person that it is done for; empty if there is only one such work."""
    failures: int
    since: int
    error: str


@dataclass(slots=True)
class _Failures:
    count: int
    since: int
    last: float
    again: float
    error: str


class Backoff:
    """The failures of all work on one server, by the kind of the work and its key."""

    def __init__(self, time_now: Callable[[], float] = time.monotonic) -> None:
        self._now = time_now
        self._failures: dict[tuple[str, str], _Failures] = {}
        self._total = 0
        self._log = get_log("facedown.backoff")

    def is_due(self, work: str, key: str = "") -> bool:
        """Whether it may be tried now."""
        return self.wait_s(work, key) <= 0

    def wait_s(self, work: str, key: str = "") -> float:
        """Seconds until it may be tried again."""
        known = self._failures.get((work, key))
        return 0.0 if known is None else max(0.0, known.again - self._now())

    def failures(self, work: str, key: str = "") -> int:
        """How often it has failed in a row."""
        known = self._failures.get((work, key))
        return 0 if known is None else known.count

    @contextmanager
    def attempt(self, work: str, key: str = "") -> Iterator[None]:
        """One try: what it raises is logged and counted, and postpones the next try."""
        try:
            yield
        except (Exception, asyncio.CancelledError) as error:
            if is_cancelled(error):
                raise
            if not is_outage(error):
                self.note_failure(work, key, error)
        else:
            self.note_success(work, key)

    def note_success(self, work: str, key: str = "") -> None:
        self._failures.pop((work, key), None)

    def note_failure(self, work: str, key: str, error: BaseException) -> None:
        """Log and count a failure, and postpone the next try."""
        at = self._now()
        known = self._failures.get((work, key))
        count = 1 if known is None else known.count + 1
        since = clock.now() if known is None else known.since
        pause = min(LONGEST_S, FIRST_S * 2 ** min(count - 1, 16))
        name = error.code if isinstance(error, FacedownError) else type(error).__name__
        self._failures[work, key] = _Failures(count, since, at, at + pause, f"{name}: {error_text(error)}")
        self._total += 1
        self._log.error(
            "background work failed",
            work=work,
            key=key,
            failures=count,
            again_s=pause,
            error=self._failures[work, key].error,
            exc_info=None if isinstance(error, FacedownError) else error,
        )

    @property
    def failing(self) -> tuple[FailingWork, ...]:
        """What has failed at least `REPEATED` times in a row, the most failures first."""
        oldest = self._now() - _FORGOTTEN_S
        self._failures = {name: each for name, each in self._failures.items() if each.last >= oldest}
        found = [
            FailingWork(work, key, each.count, each.since, each.error)
            for (work, key), each in self._failures.items()
            if each.count >= REPEATED
        ]
        return tuple(sorted(found, key=lambda each: (-each.failures, each.work, each.key)))

    def counts(self) -> Counts:
        return Counts(
            (("work_failures", "Tries of background work that failed.", self._total),),
            (("work_failing", "Background work that fails again and again.", len(self.failing)),),
        )


class Turns:
    """Turns of many things that are due, each in a separate task: a slow or failing one delays no other."""

    def __init__(self, backoff: Backoff, work: str) -> None:
        self._backoff = backoff
        self._work = work
        self._running: dict[str, asyncio.Task[None]] = {}

    async def give(self, keys: Iterable[str], do: Callable[[str], Awaitable[object]], wait_s: float) -> None:
        """Start what may be tried now and is not being done. Waits for it, but only this long."""
        started = []
        for key in keys:
            if key not in self._running and self._backoff.is_due(self._work, key):
                task = self._running[key] = asyncio.create_task(self._try(key, do), name=self._work)
                started.append(task)
        if started:
            await asyncio.wait(started, timeout=wait_s)

    async def _try(self, key: str, do: Callable[[str], Awaitable[object]]) -> None:
        try:
            with self._backoff.attempt(self._work, key):
                await do(key)
        finally:
            self._running.pop(key, None)

    async def close(self) -> None:
        """Cancel what is being done."""
        running = tuple(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def is_outage(error: BaseException) -> bool:
    """Whether the store was away, so that the work itself has not failed."""
    return isinstance(error, StoreFailed) and not isinstance(error, StoreFault)
