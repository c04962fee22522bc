"""Studies in warm worker processes: explorations, exercises and marks, with progress and a cache.

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
from msgspec import Struct

from facedown.core.errors import FacedownError, Unsupported
from facedown.core.text.translation import ENGLISH
from facedown.protocol.errors import ServerError, TooMany
from facedown.protocol.study import StudyProgress
from facedown.server.analysis import AnalysisFailed
from facedown.server.ops.metrics import Metrics

_CACHED: Final = 512
_PROCESSES: Final = 2
_OF_ADDRESS: Final = 4
"""Questions of one address that run or wait."""
_WAITING: Final = 200
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


class StudyQuestion(Struct, frozen=True, omit_defaults=True):
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


class StudyLine(Struct, frozen=True, omit_defaults=True):
    """A line of a worker process: how far it is, or (`of` 0) the answer as JSON or the error."""

    done: int = 0
    of: int = 0
    answer: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    say: str = ""


class StudyRefused(ServerError):
    """The position cannot occur, or the answer or habit cannot be read."""

    code = "study_refused"


class _Study:
    """A question that is being answered."""

    __slots__ = ("address", "asked_at", "done", "of", "task")

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked_at = time.monotonic()
        self.done = 0
        self.of = 0
        self.task: asyncio.Task[StudyLine]


class Studies:
    """Answers questions in a few warm processes, one of each address at a time, and caches the answers."""

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        self._seconds = seconds
        self._metrics = metrics
        self._turn = asyncio.Semaphore(_PROCESSES)
        self._idle: list[_Worker] = []
        self._cache: OrderedDict[StudyQuestion, StudyLine] = OrderedDict()
        self._running: dict[StudyQuestion, _Study] = {}
        self._lanes: dict[str, asyncio.Lock] = {}
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def is_cheap(self, question: StudyQuestion) -> bool:
        """Whether the answer is at hand, or the rule set was solved before and nothing is played out."""
        if question in self._cache or question in self._running:
            return True
        return question.kind != "mark" and (question.game, question.rules) in self._known

    async def ask(self, question: StudyQuestion, address: str = "") -> msgspec.Raw | StudyProgress:
        """The answer, or how far it is; raises what the question is refused with."""
        found = self._cache.get(question)
        if found is None:
            study = self._running.get(question) or self._start(question, address)
            study.asked_at = time.monotonic()
            done, _ = await asyncio.wait((study.task,), timeout=_AT_ONCE_S)
            if not done:
                return StudyProgress(study.done, study.of)
            if study.task.cancelled():  # nobody had asked about it for a while: it starts anew
                return StudyProgress(0, 0)
            found = study.task.result()
        else:
            self._cache.move_to_end(question)
        if found.code == Unsupported.code:
            raise Unsupported(found.say)
        if found.code == AnalysisFailed.code:
            raise AnalysisFailed(found.say)
        if found.code:
            raise StudyRefused(found.say)
        return found.answer

    async def close(self) -> None:
        """Stop all processes."""
        tasks = [study.task for study in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for worker in self._idle:
            await worker.stop()
        self._idle.clear()

    def _start(self, question: StudyQuestion, address: str) -> _Study:
        theirs = sum(study.address == address for study in self._running.values())
        if theirs >= _OF_ADDRESS or len(self._running) >= _WAITING:
            raise TooMany("too many studies are being worked on", again=5_000)
        study = self._running[question] = _Study(address)
        study.task = asyncio.create_task(self._compute(question, study), name="study")
        study.task.add_done_callback(lambda _: self._done(question, study))
        return study

    def _done(self, question: StudyQuestion, study: _Study) -> None:
        if self._running.get(question) is study:
            del self._running[question]
        if all(other.address != study.address for other in self._running.values()):
            self._lanes.pop(study.address, None)

    async def _compute(self, question: StudyQuestion, study: _Study) -> StudyLine:
        async with self._lanes.setdefault(study.address, asyncio.Lock()), self._turn:
            found = await self._answer(question, study)
        self._metrics.studies.labels(question.kind, found.code or "ok").inc()
        if found.code != AnalysisFailed.code:
            self._cache[question] = found
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        if not found.code:
            self._known[question.game, question.rules] = None
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
        return found

    async def _answer(self, question: StudyQuestion, study: _Study) -> StudyLine:
        worker = self._idle.pop() if self._idle else await _Worker.start()
        kept = False
        try:
            found = await self._heard(worker, question, study)
            kept = found.code != AnalysisFailed.code
            return found
        except TimeoutError:
            say = f"computing this takes longer than {self._seconds:g} s"
            return StudyLine(code=Unsupported.code, say=say)
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

    async def _answer(self, question: StudyQuestion, study: _Study) -> StudyLine:
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
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
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


def answer_to_study(question: StudyQuestion) -> StudyLine:
    """Answer one question, in this process, without a time limit."""
    try:
        return StudyLine(answer=msgspec.Raw(_encode(_answered(question))))
    except FacedownError as error:
        return StudyLine(code=error.code, say=str(error))


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
        return train.as_json(train.exercise(asked, question.seed, question.language), question.language)
    return train.as_json(train.mark(asked, question.seed, question.answer, report), question.language)


def main() -> None:
    """Answer the questions on standard input, line by line, until it ends."""
    from facedown.core.parts.solver import listening

    os.nice(10)  # the tables come first
    said = 0.0

    def write(line: StudyLine) -> None:
        sys.stdout.buffer.write(_encode(line) + b"\n")
        sys.stdout.buffer.flush()

    def heard(done: int, of: int) -> None:
        nonlocal said
        if of and time.monotonic() - said > _SAID_S:
            said = time.monotonic()
            write(StudyLine(done, of))

    for text in sys.stdin.buffer:
        with listening(heard):
            found = answer_to_study(msgspec.json.decode(text, type=StudyQuestion))
        write(found)


if __name__ == "__main__":
    main()
