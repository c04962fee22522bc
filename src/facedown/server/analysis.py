"""Long work, done beside the loop: verdicts and reviews, each in a process of its own that can be stopped.

Owns the process, the time it may take and the answers that are remembered. The other side is
`python -m facedown.server.analysis`: one question in, one answer out.
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
from facedown.core.text.phrases import ENGLISH
from facedown.protocol.errors import ServerError, TooMany
from facedown.server.ops.metrics import Metrics

_REMEMBERED: Final = 256
_WAITING: Final = 16
_MOST_ANSWER: Final = 4_000_000
_encode = msgspec.json.Encoder().encode


class Question(Struct, frozen=True, omit_defaults=True):
    """What is to be found out: the verdict on a rule set, or the review of a record."""

    kind: Literal["verdict", "review"]
    game: str
    rules: str = ""
    record: str = ""
    seat: int = 0
    language: str = ENGLISH


class Found(Struct, frozen=True, omit_defaults=True):
    """The answer as JSON, or why there is none."""

    answer: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    say: str = ""


class StudyFailed(ServerError):
    """A process that worked on an answer and did not come back with one."""

    code = "study_failed"
    status = 503


class Study:
    """Asks questions, one at a time, and remembers the answers."""

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        self._seconds = seconds
        self._metrics = metrics
        self._one = asyncio.Semaphore(1)
        self._known: OrderedDict[Question, Found] = OrderedDict()
        self._asked: dict[Question, asyncio.Task[Found]] = {}

    async def ask(self, question: Question) -> msgspec.Raw:
        """The answer; raises `Unsupported` where there is none, or it would take too long."""
        found = self._known.get(question)
        if found is None:
            task = self._asked.get(question) or self._begin(question)
            found = await asyncio.shield(task)  # others may wait for the same, whoever gives up
        else:
            self._known.move_to_end(question)
        if found.code == Unsupported.code:
            raise Unsupported(found.say)
        if found.code:
            raise StudyFailed(found.say)
        return found.answer

    def knows(self, question: Question) -> bool:
        """Whether the answer is there already."""
        return question in self._known

    async def close(self) -> None:
        """Stop whatever is being worked on."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, question: Question) -> asyncio.Task[Found]:
        if len(self._asked) >= _WAITING:
            raise TooMany("too many long questions at once", again=10_000)
        task = asyncio.create_task(self._find(question), name="study")
        self._asked[question] = task
        task.add_done_callback(lambda _: self._asked.pop(question, None))
        return task

    async def _find(self, question: Question) -> Found:
        async with self._one:
            found = await self._work(question)
        self._metrics.studies.labels(question.kind, found.code or "ok").inc()
        if found.code in ("", Unsupported.code):
            self._known[question] = found
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found

    async def _work(self, question: Question) -> Found:
        command = (sys.executable, "-P", "-m", "facedown.server.analysis")
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, env=environment
        )
        try:
            async with asyncio.timeout(self._seconds):
                out, _ = await process.communicate(_encode(question))
            return msgspec.json.decode(out, type=Found)
        except TimeoutError:
            return Found(code=Unsupported.code, say=f"this takes longer than {self._seconds:g} s to find out")
        except msgspec.MsgspecError:
            return Found(code=StudyFailed.code, say="nobody could work this out just now")
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


# --- the other side --------------------------------------------------------------------------------------


def _verdict(question: Question) -> dict[str, Any]:
    from facedown.core import registry
    from facedown.solve.answer import answer

    game = registry.get(question.game)
    rules = game.rules.read(question.rules)
    found = answer(game, rules)
    facts, words = found.facts(), found.words()
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
    from facedown.review.as_json import facts
    from facedown.review.review import review

    found = review(Record.read(question.record), question.seat, language=question.language)
    findings = [each._asdict() for each in found.findings]
    return {
        **facts(found),
        "title": found.title,
        "names": found.names,
        "told": found.told,
        "checked": findings,
    }


def find(question: Question) -> Found:
    """Work on one question, however long it takes."""
    try:
        answer = _verdict(question) if question.kind == "verdict" else _review(question)
    except FacedownError as error:
        return Found(code=error.code, say=error.say)
    return Found(msgspec.Raw(_encode(answer)))


def main() -> None:
    """One question on standard input, its answer on standard output."""
    os.nice(10)  # the tables come first
    question = msgspec.json.decode(sys.stdin.buffer.read(_MOST_ANSWER), type=Question)
    sys.stdout.buffer.write(_encode(find(question)))


if __name__ == "__main__":
    main()
