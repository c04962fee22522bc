"""The linger of the writer: company is waited for where many come, and nobody waits alone."""

from __future__ import annotations

import asyncio

import pytest

from facedown.server.store.sqlite.linger import LINGER_S, QUIET_S, Linger
from facedown.server.store.sqlite.worker import JobOutcome, WorkerThread, future_of


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def after(gaps: list[float], writes: int = 1, busy: float = 0.9) -> Linger:
    """A linger after hand-overs of so many writes, with these gaps between them, of which the process used
    this part of a processor."""
    clock, processor = Clock(), Clock()
    linger = Linger(clock, processor)
    for gap in gaps:
        clock.now += gap
        processor.now += gap * busy
        linger.handed_over(writes)
    clock.now += gaps[-1]
    return linger


def test_whoever_comes_first_or_alone_does_not_wait() -> None:
    assert Linger(Clock(), Clock()).wait() == 0.0
    assert after([1.0] * 50).wait() == 0.0  # people at one table
    assert after([0.020] * 50).wait() == 0.0  # fifty a second: hardly two would share a commit


def test_where_many_come_and_the_processor_is_short_they_wait_for_each_other() -> None:
    assert after([0.001] * 50).wait() == LINGER_S
    assert after([LINGER_S] * 50, writes=3).wait() == LINGER_S  # and go on doing so once they share commits


def test_nobody_waits_where_the_processor_has_time_to_spare() -> None:
    assert after([0.001] * 50, busy=0.4).wait() == 0.0


def test_after_a_pause_nobody_waits_for_those_who_came_before_it() -> None:
    assert after([*[0.001] * 50, QUIET_S * 2]).wait() == 0.0


class Slow(Linger):
    """Waits long enough for a test to see it."""

    def wait(self) -> float:
        return 1.0


@pytest.mark.anyio
async def test_jobs_that_linger_are_run_together_and_those_at_the_end_are_not_lost() -> None:
    batches: list[list[str]] = []

    def run_batch(jobs: list[str]) -> list[JobOutcome]:
        batches.append(jobs)
        return [(job.upper(), None) for job in jobs]

    worker = WorkerThread("lingering", run_batch, Slow())
    first = future_of(worker, "a")
    await asyncio.sleep(0)  # more rounds of the loop could take as long as the linger on a busy machine
    assert worker.waiting == 1
    assert list(await asyncio.gather(first, future_of(worker, "b"))) == ["A", "B"]
    last = future_of(worker, "c")
    await asyncio.to_thread(worker.close)
    assert await last == "C"
    assert batches == [["a", "b"], ["c"]]
