"""Questions that take long to answer: each is answered once for all who ask, and the answer is cached.

What verdicts, reviews and studies have in common. Of each address one question is worked on at a time, so
that nobody keeps the others waiting by asking much.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from typing import ClassVar, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from facedown.core.errors import Unsupported
from facedown.protocol.errors import ServerError, TooMany
from facedown.server.ops.metrics import Metrics

_OF_ADDRESS: Final = 4
"""Questions of one address that run or wait."""
_AT_ONCE: Final = 2
"""Processes at once."""


class AnalysisFailed(ServerError):
    """The process ended without an answer."""

    code = "study_failed"
    status = 503


class Question(Struct, frozen=True, omit_defaults=True):
    """A question, with all that its answer follows from."""

    kind: str


class AnalysisResult(Struct, frozen=True, omit_defaults=True):
    """An answer as JSON, or the error."""

    answer: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    say: str = ""


class Work:
    """A question that is being answered: its task, who asked first, and how many wait for it."""

    __slots__ = ("address", "task", "waiting")

    def __init__(self, address: str) -> None:
        self.address = address
        self.waiting = 0
        self.task: asyncio.Task[AnalysisResult]


AskedT = TypeVar("AskedT", bound=Question)
WorkT = TypeVar("WorkT", bound=Work)


class Questions(Generic[AskedT, WorkT]):
    """The questions that run or wait, and the answers to earlier ones. A subclass answers them."""

    name: ClassVar[str]
    """What one piece of work is called among the tasks of the server."""
    too_many: ClassVar[str]
    most_cached: ClassVar[int]
    most_waiting: ClassVar[int]
    work_type: type[WorkT]

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        self._seconds = seconds
        self._metrics = metrics
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._cache: OrderedDict[AskedT, AnalysisResult] = OrderedDict()
        self._running: dict[AskedT, WorkT] = {}
        self._lanes: dict[str, asyncio.Lock] = {}

    def knows(self, question: AskedT) -> bool:
        """Whether the answer is in the cache."""
        return question in self._cache

    @property
    def running(self) -> int:
        """How many questions are being answered, or wait for their turn."""
        return len(self._running)

    async def close(self) -> None:
        """Stop whatever runs."""
        tasks = [work.task for work in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- for subclasses -------------------------------------------------------------------------------

    async def _answer(self, question: AskedT, work: WorkT) -> AnalysisResult:
        raise NotImplementedError

    def _cached(self, question: AskedT) -> AnalysisResult | None:
        found = self._cache.get(question)
        if found is not None:
            self._cache.move_to_end(question)
        return found

    def _work(self, question: AskedT, address: str) -> WorkT:
        """The work on this question, which begins now unless it runs; raises `TooMany`.

        Work that was stopped, because nobody waited for it, may take a moment to end: it is begun anew.
        """
        running = self._running.get(question)
        if running is not None and not running.task.cancelling():
            return running
        theirs = sum(work.address == address for work in self._running.values())
        if theirs >= _OF_ADDRESS or len(self._running) >= self.most_waiting:
            raise TooMany(self.too_many, again=10_000)
        work = self._running[question] = self.work_type(address)
        work.task = asyncio.create_task(self._compute(question, work), name=self.name)
        work.task.add_done_callback(lambda _: self._done(question, work))
        return work

    def _too_long(self) -> AnalysisResult:
        return AnalysisResult(
            code=Unsupported.code, say=f"computing this takes longer than {self._seconds:g} s"
        )

    # --------------------------------------------------------------------------------------------------

    async def _compute(self, question: AskedT, work: WorkT) -> AnalysisResult:
        async with self._lanes.setdefault(work.address, asyncio.Lock()), self._turn:
            found = await self._answer(question, work)
        self._metrics.studies.labels(question.kind, found.code or "ok").inc()
        if found.code != AnalysisFailed.code:
            self._cache[question] = found
            if len(self._cache) > self.most_cached:
                self._cache.popitem(last=False)
        return found

    def _done(self, question: AskedT, work: WorkT) -> None:
        if self._running.get(question) is work:
            del self._running[question]
        if all(other.address != work.address for other in self._running.values()):
            self._lanes.pop(work.address, None)


def environment() -> dict[str, str]:
    """The environment of a worker process: one thread each, and the tables come first."""
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
