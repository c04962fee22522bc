"""Workers answer every job once: if their thread is killed, while they close, if no copy can be kept."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from facedown.server.in_page import PageServer
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.worker import JobOutcome, LoopWorker, WorkerThread, future_of
from tests.patience import PATIENCE
from tests.server.store.sqlite_faults import UNCERTAIN, Killed
from tests.server.store.steps import creation, head_of, step
from tests.server.store.test_failures import logged

pytestmark = pytest.mark.anyio


class Answers:
    """Jobs at a worker, and the number of answers to each."""

    def __init__(self, worker: WorkerThread[str]) -> None:
        self._worker = worker
        self.counts: dict[str, int] = {}

    def put(self, work: str) -> asyncio.Future[Any]:
        self.counts[work] = 0
        future = asyncio.get_running_loop().create_future()

        def done(result: object, error: BaseException | None) -> None:
            self.counts[work] += 1
            if self.counts[work] > 1:
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        self._worker.put(work, done)
        return future


def run_or_die(jobs: list[str]) -> list[JobOutcome]:
    if "die" in jobs:
        raise Killed
    return [(job.upper(), None) for job in jobs]


async def test_a_batch_that_kills_its_thread_fails_alone_with_one_line_in_the_log() -> None:
    worker = WorkerThread("mortal", run_or_die)
    answers = Answers(worker)
    with logged("facedown.store") as lines:
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(StoreFailed, match=UNCERTAIN):
                await answers.put("die")
            assert await answers.put("next") == "NEXT"
            await asyncio.to_thread(worker.close)
    assert answers.counts == {"die": 1, "next": 1}
    assert lines == ["mortal was interrupted, with 1 jobs: Killed"]


class DeadlyLog(logging.Handler):
    """Kills a thread while it logs that it was killed: that ends it."""

    def emit(self, record: logging.LogRecord) -> None:
        if threading.current_thread().name == "mortal":
            raise Killed


@pytest.fixture
def deadly_log() -> Iterator[None]:
    """The thread of a worker of the name "mortal" ends at the job "die"."""
    handler, log = DeadlyLog(), logging.getLogger("facedown.store")
    log.addHandler(handler)
    yield
    log.removeHandler(handler)


def thread_of(name: str) -> threading.Thread:
    (thread,) = (each for each in threading.enumerate() if each.name == name)
    return thread


@pytest.mark.usefixtures("deadly_log")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_thread_that_has_ended_is_replaced() -> None:
    mortal = WorkerThread("mortal", run_or_die)
    thread, answers = thread_of("mortal"), Answers(mortal)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(StoreFailed, match=UNCERTAIN):
            await answers.put("die")
        await asyncio.to_thread(thread.join)
        assert await answers.put("next") == "NEXT"
        assert thread_of("mortal") is not thread
        await asyncio.to_thread(mortal.close)
    assert answers.counts == {"die": 1, "next": 1}


@pytest.mark.usefixtures("deadly_log")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_worker_whose_thread_has_ended_closes_after_its_last_jobs() -> None:
    mortal = WorkerThread("mortal", run_or_die)
    thread, answers = thread_of("mortal"), Answers(mortal)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(StoreFailed):
            await answers.put("die")
        await asyncio.to_thread(thread.join)
        last = answers.put("last")
        await asyncio.to_thread(mortal.close)
        assert await last == "LAST"
        with pytest.raises(StoreFailed, match="closed"):
            await answers.put("late")
        await asyncio.to_thread(mortal.close)
    assert answers.counts == {"die": 1, "last": 1, "late": 1}


@pytest.mark.usefixtures("deadly_log")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_worker_whose_thread_ends_while_it_closes_runs_its_last_jobs() -> None:
    is_busy, may_die = threading.Event(), threading.Event()

    def run_batch(jobs: list[str]) -> list[JobOutcome]:
        if "die" in jobs:
            is_busy.set()
            may_die.wait(PATIENCE)
        return run_or_die(jobs)

    mortal = WorkerThread("mortal", run_batch)
    answers = Answers(mortal)
    async with asyncio.timeout(PATIENCE):
        first = answers.put("die")
        await asyncio.to_thread(is_busy.wait)
        last = answers.put("last")
        closing = asyncio.create_task(asyncio.to_thread(mortal.close))
        while mortal.waiting == 0 or not mortal._closed:
            await asyncio.sleep(0.001)
        may_die.set()
        await closing
        outcomes = await asyncio.gather(first, last, return_exceptions=True)
    assert isinstance(outcomes[0], StoreFailed)
    assert outcomes[1] == "LAST"
    assert answers.counts == {"die": 1, "last": 1}


# --- answers ---------------------------------------------------------------------------------------------


async def test_one_answer_that_cannot_be_handled_leaves_the_others_as_they_are() -> None:
    worker = WorkerThread("answering", run_or_die)
    loop = asyncio.get_running_loop()
    reported: list[Any] = []
    loop.set_exception_handler(lambda _, context: reported.append(context["exception"]))

    def cannot(*_: object) -> None:
        raise Killed

    async with asyncio.timeout(PATIENCE):
        first = future_of(worker, "first")
        worker.put("cannot", cannot)
        last = future_of(worker, "last")
        assert (await first, await last) == ("FIRST", "LAST")
        await asyncio.to_thread(worker.close)
    assert [type(each) for each in reported] == [Killed]


async def test_jobs_do_not_wait_for_a_loop_that_is_gone() -> None:
    worker = WorkerThread("two loops", run_or_die)

    async def put_and_stop() -> None:
        asyncio.get_running_loop().stop()
        future_of(worker, "lost")

    def run_to_the_stop() -> None:
        loop = asyncio.new_event_loop()
        task = loop.create_task(put_and_stop())
        loop.run_forever()  # ends before the job is handed over
        assert task.done()
        loop.close()

    await asyncio.to_thread(run_to_the_stop)
    assert worker.waiting == 1
    async with asyncio.timeout(PATIENCE):
        assert await future_of(worker, "next") == "NEXT"
        await asyncio.to_thread(worker.close)


async def test_a_job_that_comes_while_the_worker_closes_is_answered() -> None:
    worker = WorkerThread("closing", run_or_die)
    future = future_of(worker, "job")
    thread = threading.Thread(target=worker.close)  # before the loop hands the job over
    thread.start()
    thread.join()
    async with asyncio.timeout(PATIENCE):
        assert await future == "JOB"


# --- the worker of a page --------------------------------------------------------------------------------


async def test_a_copy_that_cannot_be_kept_fails_its_writes_and_no_others() -> None:
    fails: list[BaseException] = []

    async def kept() -> None:
        await asyncio.sleep(0)
        if fails:
            raise fails.pop()

    worker = LoopWorker(run_or_die, kept)
    async with asyncio.timeout(PATIENCE):
        for failure in (OSError("no space left"), asyncio.CancelledError(), Killed()):
            fails.append(failure)
            first = future_of(worker, "first")
            await asyncio.sleep(0)
            second = future_of(worker, "second")
            with pytest.raises(StoreFailed, match=UNCERTAIN):
                await first
            assert await second == "SECOND"
        with pytest.raises(StoreFailed, match=UNCERTAIN):
            await future_of(worker, "die")
        assert await future_of(worker, "next") == "NEXT"


async def test_a_page_reads_nothing_of_which_no_copy_is_kept(folder: Path) -> None:
    copies, full_up = [0], [False]

    async def keep() -> None:
        if full_up[0]:
            raise OSError("no space left")
        copies[0] += 1

    server = await PageServer.open(str(folder), keep)
    store = server._services.store
    async with asyncio.timeout(PATIENCE):
        await store.append(creation("T"))
        full_up[0] = True
        with pytest.raises(StoreFailed, match=UNCERTAIN):
            await store.append(step("T", 1))
        with pytest.raises(StoreFailed):
            await store.rows("T")
        full_up[0], before = False, copies[0]
        assert await head_of(store, "T") == 2
        assert copies[0] == before + 1
        assert await head_of(store, "T") == 2
        assert copies[0] == before + 1
        await store.append(step("T", 2))
        await server.close()
