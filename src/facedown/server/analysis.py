"""Analysis in worker processes: verdicts and reviews, which may take long and can be stopped.

Owns the process, its time limit and the cache of answers. The process is
`python -m facedown.server.analysis`: a question on standard input, its answer on standard output.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import OrderedDict
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from facedown.core.errors import FacedownError, Unsupported
from facedown.core.text.translation import ENGLISH, in_language
from facedown.protocol.errors import ServerError, TooMany
from facedown.server.ops.metrics import Metrics

_CACHED: Final = 256
_AT_ONCE: Final = 2
"""Processes at once."""
_OF_ADDRESS: Final = 4
"""Questions of one address that run or wait."""
_WAITING: Final = 400
_MOST_ANSWER: Final = 4_000_000
_encode = msgspec.json.Encoder().encode


class Question(Struct, frozen=True, omit_defaults=True):
    """The question of an analysis: the verdict on a rule set, or the review of a record."""

    kind: Literal["verdict", "review"]
    game: str
    rules: str = ""
    record: str = ""
    seat: int = 0
    language: str = ENGLISH


class AnalysisResult(Struct, frozen=True, omit_defaults=True):
    """The answer of an analysis as JSON, or the error."""

    answer: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    say: str = ""


class AnalysisFailed(ServerError):
    """The analysis process ended without an answer."""

    code = "study_failed"
    status = 503


class _Work:
    """A question that is being answered: its task, who asked first, and how many wait for it."""

    __slots__ = ("address", "task", "waiting")

    def __init__(self, task: asyncio.Task[AnalysisResult], address: str) -> None:
        self.task = task
        self.address = address
        self.waiting = 0


class Analysis:
    """Runs verdicts and reviews in worker processes, a few at a time and one for each address, and caches the
    answers. What nobody waits for any more is stopped."""

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        self._seconds = seconds
        self._metrics = metrics
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._cache: OrderedDict[Question, AnalysisResult] = OrderedDict()
        self._running: dict[Question, _Work] = {}
        self._lanes: dict[str, asyncio.Lock] = {}

    async def ask(self, question: Question, address: str = "") -> msgspec.Raw:
        """The answer; raises `Unsupported` where there is none, or it would take too long.

        `address` is the key of whoever asks: its questions are answered one after the other.
        """
        found = self._cache.get(question)
        if found is None:
            found = await self._wait(self._running.get(question) or self._start(question, address))
        else:
            self._cache.move_to_end(question)
        if found.code == Unsupported.code:
            raise Unsupported(found.say)
        if found.code:
            raise AnalysisFailed(found.say)
        return found.answer

    async def _wait(self, work: _Work) -> AnalysisResult:
        work.waiting += 1
        try:
            return await asyncio.shield(work.task)  # others may wait for the same answer
        finally:
            work.waiting -= 1
            if not work.waiting:
                work.task.cancel()

    def knows(self, question: Question) -> bool:
        """Whether the answer is in the cache."""
        return question in self._cache

    @property
    def running(self) -> int:
        """How many questions are being answered, or wait for their turn."""
        return len(self._running)

    async def close(self) -> None:
        """Stop the running processes."""
        tasks = [work.task for work in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, question: Question, address: str) -> _Work:
        theirs = sum(work.address == address for work in self._running.values())
        if theirs >= _OF_ADDRESS or len(self._running) >= _WAITING:
            raise TooMany("too many verdicts and reviews are being computed", again=10_000)
        task = asyncio.create_task(self._compute(question, address), name="analysis")
        work = self._running[question] = _Work(task, address)
        task.add_done_callback(lambda _: self._done(question, work))
        return work

    def _done(self, question: Question, work: _Work) -> None:
        if self._running.get(question) is work:
            del self._running[question]
        if all(other.address != work.address for other in self._running.values()):
            self._lanes.pop(work.address, None)

    async def _compute(self, question: Question, address: str) -> AnalysisResult:
        async with self._lanes.setdefault(address, asyncio.Lock()), self._turn:
            found = await self._answer(question)
        self._metrics.studies.labels(question.kind, found.code or "ok").inc()
        if found.code in ("", Unsupported.code):
            self._cache[question] = found
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return found

    async def _answer(self, question: Question) -> AnalysisResult:
        command = (sys.executable, "-P", "-m", "facedown.server.analysis")
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, env=environment
        )
        try:
            async with asyncio.timeout(self._seconds):
                out, _ = await process.communicate(_encode(question))
            return msgspec.json.decode(out, type=AnalysisResult)
        except TimeoutError:
            return AnalysisResult(
                code=Unsupported.code, say=f"computing this takes longer than {self._seconds:g} s"
            )
        except msgspec.MsgspecError:
            return AnalysisResult(code=AnalysisFailed.code, say="the analysis failed; try again later")
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


class LoopAnalysis(Analysis):
    """Answers on the event loop, which stands still meanwhile: for one person, and without processes."""

    async def _answer(self, question: Question) -> AnalysisResult:
        return answer_to(question)


# --- the worker process ----------------------------------------------------------------------------------


def _verdict(question: Question) -> dict[str, Any]:
    from facedown.core import registry
    from facedown.solve.answer import answer

    game = registry.get(question.game)
    rules = game.rules.read(question.rules)
    found = answer(game, rules)
    facts, words = found.facts(), found.words(question.language)
    said = words[: words.index("")] if "" in words else words
    return {
        "rules": str(rules),
        "favoured": facts["favoured"],
        "value": facts["value"],
        "tie": facts.get("draw"),
        "sentences": said,
        "rounds": facts.get("rounds"),
    }


def _review(question: Question) -> dict[str, Any]:
    from facedown.core.record import Record
    from facedown.protocol.views import game_event
    from facedown.review.as_json import as_json
    from facedown.review.review import review

    found = review(Record.read(question.record), question.seat, language=question.language)
    findings = [each._asdict() for each in in_language(found.findings, found.language)]
    return {
        **as_json(found),
        "title": found.title,
        "names": found.names,
        "told": found.narration,
        "events": [list(map(game_event, seen)) for seen in found.seen],
        "checked": findings,
    }


def answer_to(question: Question) -> AnalysisResult:
    """Answer one question, in this process, without a time limit."""
    try:
        answer = _verdict(question) if question.kind == "verdict" else _review(question)
    except FacedownError as error:
        return AnalysisResult(code=error.code, say=error.say)
    return AnalysisResult(msgspec.Raw(_encode(answer)))


def main() -> None:
    """Answer the question on standard input, on standard output."""
    os.nice(10)  # the tables come first
    question = msgspec.json.decode(sys.stdin.buffer.read(_MOST_ANSWER), type=Question)
    sys.stdout.buffer.write(_encode(answer_to(question)))


if __name__ == "__main__":
    main()
