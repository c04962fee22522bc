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
_WAITING: Final = 16
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


class Analysis:
    """Runs verdicts and reviews in worker processes, one at a time, and caches the answers."""

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        self._seconds = seconds
        self._metrics = metrics
        self._turn = asyncio.Semaphore(1)
        self._cache: OrderedDict[Question, AnalysisResult] = OrderedDict()
        self._running: dict[Question, asyncio.Task[AnalysisResult]] = {}

    async def ask(self, question: Question) -> msgspec.Raw:
        """The answer; raises `Unsupported` where there is none, or it would take too long."""
        found = self._cache.get(question)
        if found is None:
            task = self._running.get(question) or self._start(question)
            found = await asyncio.shield(task)  # others may wait for the same answer
        else:
            self._cache.move_to_end(question)
        if found.code == Unsupported.code:
            raise Unsupported(found.say)
        if found.code:
            raise AnalysisFailed(found.say)
        return found.answer

    def knows(self, question: Question) -> bool:
        """Whether the answer is in the cache."""
        return question in self._cache

    async def close(self) -> None:
        """Stop the running processes."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, question: Question) -> asyncio.Task[AnalysisResult]:
        if len(self._running) >= _WAITING:
            raise TooMany("too many verdicts and reviews are being computed", again=10_000)
        task = asyncio.create_task(self._compute(question), name="analysis")
        self._running[question] = task
        task.add_done_callback(lambda _: self._running.pop(question, None))
        return task

    async def _compute(self, question: Question) -> AnalysisResult:
        async with self._turn:
            found = await self._run_process(question)
        self._metrics.studies.labels(question.kind, found.code or "ok").inc()
        if found.code in ("", Unsupported.code):
            self._cache[question] = found
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return found

    async def _run_process(self, question: Question) -> AnalysisResult:
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
