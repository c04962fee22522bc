"""Studies in warm worker processes: explorations, exercises and marks, with progress.

Owns the processes, which keep the rule sets that they have solved, and their time limit. What nobody asks
about any more is stopped. A process is `python -m facedown.server.studies`: a question a line on standard
input; on standard output lines that say how far it is, and the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections import OrderedDict
from typing import Any, Final, Literal

import msgspec

from facedown.core.errors import FacedownError, Unsupported
from facedown.core.text.translation import ENGLISH
from facedown.protocol.errors import ServerError
from facedown.protocol.study import StudyProgress
from facedown.server.ops.metrics import Metrics
from facedown.server.questions import AnalysisFailed, AnalysisResult, Question, Questions, Work, environment

_AT_ONCE_S: Final = 1.0
"""How long a call waits for the answer, before it says how far it is."""
_ABANDONED_S: Final = 6.0
"""After so long without a call a study is stopped."""
_IDLE_S: Final = 120.0
_LOOK_S: Final = 0.5
_MOST_LINE: Final = 4_000_000
_KNOWN: Final = 64
_SAID_S: Final = 0.2
_encode = msgspec.json.Encoder().encode


class StudyQuestion(Question, frozen=True, omit_defaults=True):
    """One question about a game, with all that its answer follows from."""

    kind: Literal["explore", "exercise", "mark"]
    game: str
    rules: str = ""
    at: str = ""
    habit: str = ""
    seed: str = ""
    answer: str = ""
    seats: int = 0
    record: str = ""
    language: str = ENGLISH


class StudyLine(AnalysisResult, frozen=True, omit_defaults=True):
    """A line of a worker process: how far it is, or (`of` 0) the answer."""

    done: int = 0
    of: int = 0


class StudyRefused(ServerError):
    """The position cannot occur, or the answer or habit cannot be read."""

    code = "study_refused"


class _Study(Work):
    """A question that is being answered, and how far that is."""

    __slots__ = ("asked_at", "done", "of")

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.asked_at = time.monotonic()
        self.done = 0
        self.of = 0


class Studies(Questions[StudyQuestion, _Study]):
    """Answers questions in a few warm processes."""

    name = "study"
    too_many = "too many studies are being worked on"
    most_cached = 512
    most_waiting = 200
    work_type = _Study

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        super().__init__(seconds, metrics)
        self._idle: list[_Worker] = []
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def is_cheap(self, question: StudyQuestion) -> bool:
        """Whether the answer is at hand, or the rule set was solved before and nothing is played out."""
        if question in self._cache or question in self._running:
            return True
        return question.kind != "mark" and (question.game, question.rules) in self._known

    async def ask(self, question: StudyQuestion, address: str = "") -> msgspec.Raw | StudyProgress:
        """The answer, or how far it is; raises what the question is refused with."""
        found = self._cached(question)
        if found is None:
            study = self._work(question, address)
            study.asked_at = time.monotonic()
            done, _ = await asyncio.wait((study.task,), timeout=_AT_ONCE_S)
            if not done:
                return StudyProgress(study.done, study.of)
            if study.task.cancelled():  # nobody had asked about it for a while: it starts anew
                return StudyProgress(0, 0)
            found = study.task.result()
        if found.code == Unsupported.code:
            raise Unsupported(found.say)
        if found.code == AnalysisFailed.code:
            raise AnalysisFailed(found.say)
        if found.code:
            raise StudyRefused(found.say)
        return found.answer

    async def close(self) -> None:
        """Stop all processes."""
        await super().close()
        for worker in self._idle:
            await worker.stop()
        self._idle.clear()

    async def _answer(self, question: StudyQuestion, work: _Study) -> AnalysisResult:
        found = await self._worked_out(question, work)
        if not found.code:
            self._known[question.game, question.rules] = None
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
        return found

    async def _worked_out(self, question: StudyQuestion, study: _Study) -> AnalysisResult:
        worker = self._idle.pop() if self._idle else await _Worker.start()
        kept = False
        try:
            found = await self._heard(worker, question, study)
            kept = found.code != AnalysisFailed.code
            return found
        except TimeoutError:
            return self._too_long()
        finally:
            if kept and worker.runs:
                self._idle.append(worker)
                asyncio.get_running_loop().call_later(_IDLE_S, self._let_go, worker, worker.questions)
            else:
                await worker.stop()

    async def _heard(self, worker: _Worker, question: StudyQuestion, study: _Study) -> StudyLine:
        """Lines of the process until one is the answer; `TimeoutError` after the limit."""
        worker.ask(question)
        async with asyncio.timeout(self._seconds):
            reading = asyncio.ensure_future(worker.line())
            try:
                while True:
                    done, _ = await asyncio.wait((reading,), timeout=_LOOK_S)
                    if not done:
                        if time.monotonic() - study.asked_at > _ABANDONED_S:
                            raise asyncio.CancelledError
                        continue
                    line = reading.result()
                    if not line.of:
                        return line
                    study.done, study.of = line.done, line.of
                    reading = asyncio.ensure_future(worker.line())
            finally:
                reading.cancel()

    def _let_go(self, worker: _Worker, questions: int) -> None:
        """Stop a process that has had nothing to do meanwhile."""
        if worker in self._idle and worker.questions == questions:
            self._idle.remove(worker)
            worker.kill()


class LoopStudies(Studies):
    """Answers on the event loop, which stands still meanwhile: for one person, and without processes."""

    async def _worked_out(self, question: StudyQuestion, study: _Study) -> AnalysisResult:
        return answer_to_study(question)


class _Worker:
    """A worker process, as the server sees it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.questions = 0

    @classmethod
    async def start(cls) -> _Worker:
        pipe = asyncio.subprocess.PIPE
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "facedown.server.studies"),
                stdin=pipe,
                stdout=pipe,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_MOST_LINE,
                env=environment(),
            )
        )

    @property
    def runs(self) -> bool:
        return self._process.returncode is None

    def ask(self, question: StudyQuestion) -> None:
        assert self._process.stdin is not None
        self.questions += 1
        self._process.stdin.write(_encode(question) + b"\n")

    async def line(self) -> StudyLine:
        assert self._process.stdout is not None
        try:
            return msgspec.json.decode(await self._process.stdout.readline(), type=StudyLine)
        except (msgspec.MsgspecError, ValueError, ConnectionError):
            return StudyLine(code=AnalysisFailed.code, say="the study failed; try again later")

    def kill(self) -> None:
        if self.runs:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def stop(self) -> None:
        self.kill()
        await self._process.wait()


# --- the worker process ----------------------------------------------------------------------------------


def answer_to_study(question: StudyQuestion) -> AnalysisResult:
    """AnalysisResult one question, in this process, without a time limit."""
    try:
        return AnalysisResult(answer=msgspec.Raw(_encode(_answered(question))))
    except FacedownError as error:
        return AnalysisResult(code=error.code, say=str(error))


def _answered(question: StudyQuestion) -> dict[str, Any]:
    from facedown.core import registry
    from facedown.core.parts.solver import report
    from facedown.core.record import Record
    from facedown.study import explore, train

    record = Record.read(question.record) if question.record else None
    game = registry.get(question.game)
    rules = game.rules.read(question.rules if record is None else record.rules)
    if question.kind == "explore":
        return explore.as_json(explore.explore(game, rules, question.at, question.habit), question.language)
    asked = train.trainings(game, rules, question.seats, record)
    if question.kind == "exercise":
        return explore.as_json(train.exercise(asked, question.seed, question.language), question.language)
    return explore.as_json(train.mark(asked, question.seed, question.answer, report), question.language)


def main() -> None:
    """AnalysisResult the questions on standard input, line by line, until it ends."""
    from facedown.core.parts.solver import listening

    os.nice(10)  # the tables come first
    said = 0.0

    def write(line: AnalysisResult) -> None:
        sys.stdout.buffer.write(_encode(line) + b"\n")
        sys.stdout.buffer.flush()

    def heard(done: int, of: int) -> None:
        nonlocal said
        if of and time.monotonic() - said > _SAID_S:
            said = time.monotonic()
            write(StudyLine(done=done, of=of))

    for text in sys.stdin.buffer:
        with listening(heard):
            found = answer_to_study(msgspec.json.decode(text, type=StudyQuestion))
        write(found)


if __name__ == "__main__":
    main()
