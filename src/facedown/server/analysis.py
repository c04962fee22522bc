"""Analysis in worker processes: verdicts, reviews and readings of people, and studies (explorations,
exercises and marks).

Each question is answered once for all who ask, and the answer is cached, unless it is about a person. The
questions of one address are answered one at a time, so that no address keeps the others waiting. A worker
process is `python -m facedown.server.analysis`: a question a line on standard input; on standard output lines
of progress, and the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections import OrderedDict
from typing import Any, ClassVar, Final, Literal

import msgspec
from msgspec import Struct

from facedown.core.errors import FacedownError, Unsupported
from facedown.core.text.translation import ENGLISH, in_language
from facedown.protocol.errors import ServerError, TooMany
from facedown.protocol.study import StudyProgress
from facedown.server.ops.metrics import Metrics
from facedown.server.ops.slots import waiting

_OF_ADDRESS: Final = 4
"""Questions of one address that run or wait."""
_PROCESSES: Final = 2
"""Processes at once for verdicts and reviews, and as many for studies."""
_AT_ONCE_S: Final = 1.0
"""How long a call waits for the answer of a study, before it is answered with the progress."""
_ABANDONED_S: Final = 6.0
"""A study that no call has asked about for this long is stopped."""
_IDLE_S: Final = 120.0
_SOLVED: Final = 64
_LONGEST_LINE: Final = 4_000_000
_PROGRESS_S: Final = 0.2
_STUDIES: Final = ("explore", "exercise", "mark")
_PRIVATE: Final = "readable"
"""What is found out about a person is not cached: it goes when their games go."""
_encode = msgspec.json.Encoder().encode


class AnalysisFailed(ServerError):
    """The process ended without an answer."""

    code = "study_failed"
    status = 503


class StudyRefused(ServerError):
    """The position cannot occur, or the answer or habit cannot be read."""

    code = "study_refused"


class ReadGame(Struct, frozen=True):
    """A finished game of a person, whose picks are read: its record, their seat, and when it ended."""

    record: str
    seat: int
    at: int


class AnalysisQuestion(Struct, frozen=True, omit_defaults=True):
    """A question about a game, with everything that its answer follows from."""

    kind: Literal["verdict", "review", "readable", "explore", "exercise", "mark", "mind"]
    game: str
    rules: str = ""
    record: str = ""
    seat: int = 0
    """Of a review."""
    at: str = ""
    """The position to explore, or the day whose mind is requested; `habit` is the one to answer."""
    habit: str = ""
    seed: str = ""
    """Of an exercise; `answer` is the one to be marked."""
    answer: str = ""
    seats: int = 0
    games: tuple[ReadGame, ...] = ()
    """Of a person who asks what gives them away, the oldest first."""
    language: str = ENGLISH


class AnalysisResult(Struct, frozen=True, omit_defaults=True):
    """A line of a worker process: the answer as JSON, the error, or (if `of` is not 0) the progress."""

    answer: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    say: str = ""
    done: int = 0
    of: int = 0


class Work:
    """A question that is being answered: its task, its progress, and the calls that wait for it."""

    __slots__ = ("address", "done", "expiry", "of", "task", "waiting")

    def __init__(self, address: str) -> None:
        self.address = address
        self.waiting = 0
        self.done = self.of = 0
        self.task: asyncio.Task[AnalysisResult]
        self.expiry: asyncio.TimerHandle | None = None

    def expire_in(self, seconds: float) -> None:
        """Stop the work then, unless this is called again."""
        if self.expiry is not None:
            self.expiry.cancel()
        self.expiry = asyncio.get_running_loop().call_later(seconds, self.task.cancel)


class Questions:
    """The questions that run or wait, and the cached answers. A subclass answers them."""

    name: ClassVar[str]
    """The name of the tasks."""
    too_many: ClassVar[str]
    most_cached: ClassVar[int]
    most_waiting: ClassVar[int]

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        self._seconds = seconds
        self._metrics = metrics
        self._turn = asyncio.Semaphore(_PROCESSES)
        self._cache: OrderedDict[AnalysisQuestion, AnalysisResult] = OrderedDict()
        self._running: dict[AnalysisQuestion, Work] = {}
        self._turn_of_address: dict[str, asyncio.Lock] = {}

    def knows(self, question: AnalysisQuestion) -> bool:
        return question in self._cache

    @property
    def running(self) -> int:
        return len(self._running)

    async def close(self) -> None:
        tasks = [work.task for work in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- for subclasses -------------------------------------------------------------------------------

    async def _answer(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        raise NotImplementedError

    def _cached_result(self, question: AnalysisQuestion) -> AnalysisResult | None:
        found = self._cache.get(question)
        if found is not None:
            self._cache.move_to_end(question)
        return found

    def _work(self, question: AnalysisQuestion, address: str) -> Work:
        """The work on this question, which begins now unless it runs; raises `TooMany`.

        Work that was cancelled may take a moment to end: it begins again.
        """
        running = self._running.get(question)
        if running is not None and not running.task.cancelling():
            return running
        theirs = sum(work.address == address for work in self._running.values())
        if theirs >= _OF_ADDRESS or len(self._running) >= self.most_waiting:
            raise TooMany(self.too_many, again=10_000)
        work = self._running[question] = Work(address)
        work.task = asyncio.create_task(self._compute(question, work), name=self.name)
        work.task.add_done_callback(lambda _: self._finish(question, work))
        return work

    async def _ask_worker(self, worker: _Worker, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        try:
            async with asyncio.timeout(self._seconds):
                worker.ask(question)
                while (line := await worker.line()).of:
                    work.done, work.of = line.done, line.of
                return line
        except TimeoutError:
            await worker.stop()
            say = f"computing this takes longer than {self._seconds:g} s"
            return AnalysisResult(code=Unsupported.code, say=say)

    # --------------------------------------------------------------------------------------------------

    async def _compute(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        async with self._turn_of_address.setdefault(work.address, asyncio.Lock()), self._turn:
            found = await self._answer(question, work)
        self._metrics.studies.labels(question.kind, found.code or "ok").inc()
        if found.code != AnalysisFailed.code and question.kind != _PRIVATE:
            self._cache[question] = found
            if len(self._cache) > self.most_cached:
                self._cache.popitem(last=False)
        return found

    def _finish(self, question: AnalysisQuestion, work: Work) -> None:
        if work.expiry is not None:
            work.expiry.cancel()
        if self._running.get(question) is work:
            del self._running[question]
        if all(other.address != work.address for other in self._running.values()):
            self._turn_of_address.pop(work.address, None)


class Analysis(Questions):
    """Verdicts and reviews, each in a process of its own, which is stopped when no call waits for it."""

    name = "analysis"
    too_many = "too many verdicts and reviews are being computed"
    most_cached = 256
    most_waiting = 400

    async def ask(self, question: AnalysisQuestion, address: str = "") -> msgspec.Raw:
        """The answer; raises `Unsupported` if there is none, or it would take too long.

        `address` is the key of the caller: its questions are answered one after the other.
        """
        found = self._cached_result(question)
        if found is None:
            found = await self._wait(self._work(question, address))
        return _answer_of(found)

    async def _wait(self, work: Work) -> AnalysisResult:
        work.waiting += 1
        try:
            async with waiting():
                return await asyncio.shield(work.task)  # others may wait for the same answer
        finally:
            work.waiting -= 1
            if not work.waiting:
                work.task.cancel()

    async def _answer(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        worker = await _Worker.start()
        try:
            return await self._ask_worker(worker, question, work)
        finally:
            await worker.stop()


class Studies(Questions):
    """Explorations, exercises and marks, in a few warm processes that keep the rule sets they have solved.

    A study that no call asks about any more is stopped."""

    name = "study"
    too_many = "too many studies are being worked on"
    most_cached = 512
    most_waiting = 200

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        super().__init__(seconds, metrics)
        self._idle: list[_Worker] = []
        self._solved: OrderedDict[tuple[str, str], None] = OrderedDict()

    def is_cheap(self, question: AnalysisQuestion) -> bool:
        """Whether the answer is at hand, or the rule set was solved before and nothing is played out."""
        if question in self._cache or question in self._running:
            return True
        return question.kind != "mark" and (question.game, question.rules) in self._solved

    async def ask(self, question: AnalysisQuestion, address: str = "") -> msgspec.Raw | StudyProgress:
        """The answer, or the progress; raises the refusal of the question."""
        found = self._cached_result(question)
        if found is None:
            study = self._work(question, address)
            study.expire_in(_ABANDONED_S)
            async with waiting():
                done, _ = await asyncio.wait((study.task,), timeout=_AT_ONCE_S)
            if not done:
                return StudyProgress(study.done, study.of)
            if study.task.cancelled():  # the next call begins it again
                return StudyProgress(0, 0)
            found = study.task.result()
        return _answer_of(found)

    async def close(self) -> None:
        await super().close()
        for worker in self._idle:
            await worker.stop()
        self._idle.clear()

    async def _answer(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        worker = self._idle.pop() if self._idle else await _Worker.start()
        is_answered = False
        try:
            found = await self._ask_worker(worker, question, work)
            is_answered = found.code != AnalysisFailed.code
        finally:
            if is_answered and worker.is_alive:
                self._idle.append(worker)
                asyncio.get_running_loop().call_later(_IDLE_S, self._stop_if_idle, worker, worker.questions)
            else:
                await worker.stop()
        if not found.code:
            self._solved[question.game, question.rules] = None
            if len(self._solved) > _SOLVED:
                self._solved.popitem(last=False)
        return found

    def _stop_if_idle(self, worker: _Worker, questions: int) -> None:
        if worker in self._idle and worker.questions == questions:
            self._idle.remove(worker)
            worker.kill()


class LoopAnalysis(Analysis):
    """Answers on the event loop, which blocks: for one person, without processes."""

    async def _answer(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        return answer_to(question)


class LoopStudies(Studies):
    """Answers on the event loop, which blocks: for one person, without processes."""

    async def _answer(self, question: AnalysisQuestion, work: Work) -> AnalysisResult:
        return answer_to(question)


def _answer_of(found: AnalysisResult) -> msgspec.Raw:
    if found.code == Unsupported.code:
        raise Unsupported(found.say)
    if found.code == AnalysisFailed.code:
        raise AnalysisFailed(found.say)
    if found.code:
        raise StudyRefused(found.say)
    return found.answer


class _Worker:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.questions = 0

    @classmethod
    async def start(cls) -> _Worker:
        pipe = asyncio.subprocess.PIPE
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "facedown.server.analysis"),
                stdin=pipe,
                stdout=pipe,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_LINE,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        )

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    def ask(self, question: AnalysisQuestion) -> None:
        assert self._process.stdin is not None
        self.questions += 1
        self._process.stdin.write(_encode(question) + b"\n")

    async def line(self) -> AnalysisResult:
        assert self._process.stdout is not None
        try:
            return msgspec.json.decode(await self._process.stdout.readline(), type=AnalysisResult)
        except (msgspec.MsgspecError, ValueError, ConnectionError):
            return AnalysisResult(code=AnalysisFailed.code, say="the analysis failed; try again later")

    def kill(self) -> None:
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def stop(self) -> None:
        self.kill()
        await self._process.wait()


# --- the worker process ----------------------------------------------------------------------------------


def _verdict(question: AnalysisQuestion) -> dict[str, Any]:
    from facedown.core import registry
    from facedown.solve.answer import answer

    game = registry.get(question.game)
    rules = game.rules.read(question.rules)
    found = answer(game, rules)
    facts, words = found.as_json(), found.words(question.language)
    return {
        "rules": str(rules),
        "favoured": facts["favoured"],
        "value": facts["value"],
        "tie": facts.get("draw"),
        "sentences": words[: words.index("")] if "" in words else words,
        "rounds": facts.get("rounds"),
    }


def _review(question: AnalysisQuestion) -> dict[str, Any]:
    from facedown.core.record import Record
    from facedown.protocol.views import game_event
    from facedown.review.reports import as_json
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


def _readable(question: AnalysisQuestion) -> dict[str, Any]:
    from facedown.core.record import Record
    from facedown.review.readable import TimedRecord, readability

    played = [TimedRecord(Record.read(each.record), each.seat, each.at) for each in question.games]
    return readability(question.game, played, question.language).as_json()


def _study(question: AnalysisQuestion) -> dict[str, Any]:
    from facedown.core import registry
    from facedown.core.parts.solver import report
    from facedown.core.record import Record
    from facedown.study import explore, train

    record = Record.read(question.record) if question.record else None
    game = registry.get(question.game)
    rules = game.rules.read(question.rules if record is None else record.rules)
    if question.kind == "explore":
        return explore.as_json(explore.explore(game, rules, question.at, question.habit), question.language)
    asked = train.trainings(game, rules, question.seats, record, question.habit)
    if question.kind == "exercise":
        return explore.as_json(train.exercise(asked, question.seed, question.language), question.language)
    return explore.as_json(train.mark(asked, question.seed, question.answer, report), question.language)


def _mind(question: AnalysisQuestion) -> dict[str, Any]:
    """The position of a day, as each seat sees it, with the house on it: for the server alone."""
    from facedown.study.explore import as_json
    from facedown.study.mind import position_of

    day, language = position_of(question.game, question.at), question.language
    sides = ((as_json(day.question(seat, language), language), day.mind(seat)) for seat in (1, 2))
    return {"sides": [{**asked, **as_json(mind, language)} for asked, mind in sides]}


def answer_to(question: AnalysisQuestion) -> AnalysisResult:
    """Answer one question in this process, without a time limit."""
    answers = {"verdict": _verdict, "review": _review, "mind": _mind, "readable": _readable}
    answer = answers.get(question.kind, _study)
    try:
        return AnalysisResult(answer=msgspec.Raw(_encode(answer(question))))
    except Unsupported as error:
        return AnalysisResult(code=error.code, say=str(error.message))
    except FacedownError as error:
        if question.kind in _STUDIES:
            return AnalysisResult(code=error.code, say=str(error))
        return AnalysisResult(code=AnalysisFailed.code, say=str(error.message))


def main() -> None:
    """Answer the questions on standard input, line by line, until it ends."""
    from facedown.core.parts.solver import listening

    os.nice(10)  # the tables come first
    written_at = 0.0

    def write(line: AnalysisResult) -> None:
        sys.stdout.buffer.write(_encode(line) + b"\n")
        sys.stdout.buffer.flush()

    def write_progress(done: int, of: int) -> None:
        nonlocal written_at
        if of and time.monotonic() - written_at > _PROGRESS_S:
            written_at = time.monotonic()
            write(AnalysisResult(done=done, of=of))

    for text in sys.stdin.buffer:
        with listening(write_progress):
            found = answer_to(msgspec.json.decode(text, type=AnalysisQuestion))
        write(found)


if __name__ == "__main__":
    main()
