"""Long work beside the loop: asked once, remembered, and stopped when it takes too long."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from facedown.core.errors import Unsupported
from facedown.server.analysis import Question, Study, StudyFailed, find
from facedown.server.ops.metrics import Metrics

CLASSIC = Question("verdict", "ecard", rules="decisive")
LONG = Question("verdict", "ecard", rules="purse")


def count(metrics: Metrics, result: str) -> float:
    labels = {"kind": "verdict", "result": result}
    return metrics.registry.get_sample_value("facedown_studies_total", labels) or 0.0


def test_many_ask_the_same_and_it_is_worked_out_once() -> None:
    async def main() -> None:
        metrics = Metrics()
        study = Study(60, metrics)
        answers = await asyncio.gather(*(study.ask(CLASSIC) for _ in range(5)))
        answers.append(await study.ask(CLASSIC))

        assert len({bytes(each) for each in answers}) == 1
        assert msgspec.json.decode(answers[0])["rules"] == "decisive"
        assert count(metrics, "ok") == 1
        assert study.knows(CLASSIC)

    asyncio.run(main())


def test_what_takes_too_long_is_stopped() -> None:
    async def main() -> None:
        study = Study(0.05, Metrics())
        with pytest.raises(Unsupported, match=r"takes longer than 0\.05 s"):
            await study.ask(LONG)

    asyncio.run(main())


def test_a_process_that_breaks_is_not_remembered() -> None:
    async def main() -> None:
        study = Study(60, Metrics())
        broken = Question("review", "ecard", record="nonsense", seat=1)
        with pytest.raises(StudyFailed):
            await study.ask(broken)

        assert not study.knows(broken)

    asyncio.run(main())


def test_closing_stops_the_work() -> None:
    async def main() -> None:
        study = Study(60, Metrics())
        asked = asyncio.create_task(study.ask(LONG))
        await asyncio.sleep(0.05)
        await study.close()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(main())


def test_a_game_that_is_not_solved() -> None:
    assert find(Question("verdict", "davenport")).code == "unsupported"
