"""Analysis in worker processes: verdicts and reviews, which may take long and can be stopped.

Owns the process and its time limit. The process is
`python -m facedown.server.analysis`: a question on standard input, its answer on standard output.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import Any, Final, Literal

import msgspec

from facedown.core.errors import FacedownError, Unsupported
from facedown.core.text.translation import ENGLISH, in_language
from facedown.server.questions import AnalysisFailed, AnalysisResult, Question, Questions, Work, environment

_MOST_ANSWER: Final = 4_000_000
_encode = msgspec.json.Encoder().encode


class AnalysisQuestion(Question, frozen=True, omit_defaults=True):
    """The question of an analysis: the verdict on a rule set, or the review of a record."""

    kind: Literal["verdict", "review"]
    game: str
    rules: str = ""
    record: str = ""
    seat: int = 0
    language: str = ENGLISH


class Analysis(Questions[AnalysisQuestion, Work]):
    """Runs verdicts and reviews in worker processes. What nobody waits for any more is stopped."""

    name = "analysis"
    too_many = "too many verdicts and reviews are being computed"
    most_cached = 256
    most_waiting = 400
    work_type = Work

    async def ask(self, question: AnalysisQuestion, address: str = "") -> msgspec.Raw:
        """The answer; raises `Unsupported` where there is none, or it would take too long.

        `address` is the key of whoever asks: its questions are answered one after the other.
        """
        found = self._cached(question)
        if found is None:
            found = await self._wait(self._work(question, address))
        if found.code == Unsupported.code:
            raise Unsupported(found.say)
        if found.code:
            raise AnalysisFailed(found.say)
        return found.answer

    async def _wait(self, work: Work) -> AnalysisResult:
        work.waiting += 1
        try:
            return await asyncio.shield(work.task)  # others may wait for the same answer
        finally:
            work.waiting -= 1
            if not work.waiting:
                work.task.cancel()

    async def _answer(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        command = (sys.executable, "-P", "-m", "facedown.server.analysis")
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, env=environment()
        )
        try:
            async with asyncio.timeout(self._seconds):
                out, _ = await process.communicate(_encode(question))
            return msgspec.json.decode(out, type=AnalysisResult)
        except TimeoutError:
            return self._too_long()
        except msgspec.MsgspecError:
            return AnalysisResult(code=AnalysisFailed.code, say="the analysis failed; try again later")
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


class LoopAnalysis(Analysis):
    """Answers on the event loop, which stands still meanwhile: for one person, and without processes."""

    async def _answer(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        return answer_to(question)


# --- the worker process ----------------------------------------------------------------------------------


def _verdict(question: AnalysisQuestion) -> dict[str, Any]:
    from facedown.core import registry
    from facedown.solve.answer import answer

    game = registry.get(question.game)
    rules = game.rules.read(question.rules)
    found = answer(game, rules)
    facts, words = found.as_json(), found.words(question.language)
    said = words[: words.index("")] if "" in words else words
    return {
        "rules": str(rules),
        "favoured": facts["favoured"],
        "value": facts["value"],
        "tie": facts.get("draw"),
        "sentences": said,
        "rounds": facts.get("rounds"),
    }


def _review(question: AnalysisQuestion) -> dict[str, Any]:
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


def answer_to(question: AnalysisQuestion) -> AnalysisResult:
    """AnalysisResult one question, in this process, without a time limit."""
    try:
        answer = _verdict(question) if question.kind == "verdict" else _review(question)
    except Unsupported as error:
        return AnalysisResult(code=error.code, say=str(error.message))
    except FacedownError as error:
        return AnalysisResult(code=AnalysisFailed.code, say=str(error.message))
    return AnalysisResult(answer=msgspec.Raw(_encode(answer)))


def main() -> None:
    """AnalysisResult the question on standard input, on standard output."""
    os.nice(10)  # the tables come first
    question = msgspec.json.decode(sys.stdin.buffer.read(_MOST_ANSWER), type=AnalysisQuestion)
    sys.stdout.buffer.write(_encode(answer_to(question)))


if __name__ == "__main__":
    main()
