"""Verdicts and reviews in worker processes: computed once, cached, stopped when they take too long."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from facedown.core.errors import Unsupported
from facedown.protocol.errors import TooMany
from facedown.server.analysis import Analysis, AnalysisFailed, AnalysisQuestion, answer_to
from facedown.server.ops.metrics import Metrics
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio
CLASSIC = AnalysisQuestion("verdict", "ecard", rules="decisive")
LONG = AnalysisQuestion("verdict", "ecard", rules="purse")


def count(metrics: Metrics, result: str) -> float:
    labels = {"kind": "verdict", "result": result}
    return metrics.registry.get_sample_value("facedown_studies_total", labels) or 0.0


async def test_equal_questions_are_worked_out_once() -> None:
    metrics = Metrics()
    analysis = Analysis(60, metrics)
    answers = await asyncio.gather(*(analysis.ask(CLASSIC) for _ in range(5)))
    answers.append(await analysis.ask(CLASSIC))

    assert len({bytes(each) for each in answers}) == 1
    assert msgspec.json.decode(answers[0])["rules"] == "decisive"
    assert count(metrics, "ok") == 1
    assert analysis.knows(CLASSIC)


async def test_what_takes_too_long_is_stopped() -> None:
    analysis = Analysis(0.05, Metrics())
    with pytest.raises(Unsupported, match=r"takes longer than 0\.05 s"):
        await analysis.ask(LONG)


async def test_a_process_that_breaks_is_not_remembered() -> None:
    analysis = Analysis(60, Metrics())
    broken = AnalysisQuestion("review", "ecard", record="nonsense", seat=1)
    with pytest.raises(AnalysisFailed):
        await analysis.ask(broken)

    assert not analysis.knows(broken)


async def test_a_question_that_another_call_has_just_given_up_is_answered() -> None:
    """The process of the first question is still being stopped while the second comes."""

    analysis = Analysis(PATIENCE, Metrics())
    gives_up = asyncio.create_task(analysis.ask(CLASSIC, "someone"))
    while not analysis.running:
        await asyncio.sleep(0)
    gives_up.cancel()
    await asyncio.gather(gives_up, return_exceptions=True)

    assert msgspec.json.decode(await analysis.ask(CLASSIC, "someone"))["rules"] == "decisive"

    assert analysis.running == 0
    await analysis.close()


async def test_closing_stops_the_work() -> None:
    analysis = Analysis(60, Metrics())
    asked = asyncio.create_task(analysis.ask(LONG))
    await asyncio.sleep(0.05)
    await analysis.close()
    with pytest.raises(asyncio.CancelledError):
        await asked


def test_a_game_that_is_not_solved() -> None:
    assert answer_to(AnalysisQuestion("verdict", "davenport")).code == "unsupported"


async def test_an_address_fills_no_queue_and_keeps_no_other_waiting() -> None:
    """Forty questions of one address: four are taken, one runs; another address is answered."""

    analysis = Analysis(PATIENCE, Metrics())
    rules = [f"purse(max_stake={number})" for number in range(11, 51)]
    many = [AnalysisQuestion("verdict", "ecard", rules=each) for each in rules]
    asked = [asyncio.create_task(analysis.ask(each, "flooder")) for each in many]
    assert await analysis.ask(CLASSIC, "another")
    refused = [task for task in asked if task.done()]
    assert len(refused) >= len(many) - 4
    assert all(isinstance(task.exception(), TooMany) for task in refused)
    assert analysis.running <= 4
    for task in asked:
        task.cancel()  # the callers leave
    await asyncio.gather(*asked, return_exceptions=True)
    while analysis.running:
        await asyncio.sleep(0.01)
    await analysis.close()
