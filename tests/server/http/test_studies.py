"""Explorers and trainers on a server: warm processes, progress, a cache, and refusals in words."""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urlencode

import msgspec
import pytest

from facedown.core.errors import Unsupported
from facedown.protocol.errors import TooMany
from facedown.protocol.study import StudyProgress
from facedown.server.analysis import AnalysisQuestion, Studies, StudyRefused
from facedown.server.ops.metrics import Metrics
from tests.patience import PATIENCE
from tests.server.http.client import Caller

pytestmark = pytest.mark.anyio
START = AnalysisQuestion("explore", "ecard", rules="decisive")
LONG = AnalysisQuestion("explore", "ecard", rules="purse(purse=150,max_stake=20)")


async def answered(studies: Studies, question: AnalysisQuestion) -> dict[str, object]:
    """The answer, asked for until it is there."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = await studies.ask(question)
        if not isinstance(found, StudyProgress):
            answer: dict[str, object] = msgspec.json.decode(found)
            return answer
    raise AssertionError("no answer")


async def test_a_process_stays_warm_and_answers_are_kept() -> None:
    metrics = Metrics()
    studies = Studies(PATIENCE, metrics)
    assert not studies.is_cheap(START)
    first = await answered(studies, START)
    again = await answered(studies, START)
    later = await answered(studies, msgspec.structs.replace(START, at="round=2,score=1:0"))

    assert first == again
    assert later["at"] == "round=2,score=1:0,play=1"
    assert studies.is_cheap(START)
    assert studies.is_cheap(msgspec.structs.replace(START, at="round=3,score=1:1")), "its rules are solved"
    assert not studies.is_cheap(msgspec.structs.replace(START, kind="mark", seed="x", answer="1"))
    labels = {"kind": "explore", "result": "ok"}
    assert metrics.registry.get_sample_value("facedown_studies_total", labels) == 2
    with pytest.raises(StudyRefused, match="cannot occur"):
        await answered(studies, msgspec.structs.replace(START, at="round=2,score=6:5"))
    await studies.close()


async def test_long_work_reports_progress_and_too_long_work_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("facedown.server.analysis._AT_ONCE_S", 0.02)

    studies = Studies(1.0, Metrics())
    assert isinstance(await studies.ask(LONG), StudyProgress)
    with pytest.raises(Unsupported, match="takes longer than 1 s"):
        await answered(studies, LONG)
    await studies.close()


async def test_a_study_that_no_call_asks_about_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.server.analysis._AT_ONCE_S", 0.02)
    monkeypatch.setattr("facedown.server.analysis._ABANDONED_S", 0.1)

    studies = Studies(PATIENCE, Metrics())
    assert isinstance(await studies.ask(LONG, "here"), StudyProgress)
    (running,) = studies._running.values()
    await asyncio.wait((running.task,), timeout=PATIENCE)

    assert running.task.cancelled()
    assert not studies._running
    await studies.close()


async def test_one_address_cannot_fill_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.server.analysis._AT_ONCE_S", 0.0)

    studies = Studies(PATIENCE, Metrics())
    for number in range(4):
        await studies.ask(msgspec.structs.replace(START, seed=str(number)), "here")
    with pytest.raises(TooMany):
        await studies.ask(msgspec.structs.replace(START, seed="one more"), "here")
    await studies.close()


# --- over the API ----------------------------------------------------------------------------------------


def ask(caller: Caller, path: str, **query: str) -> dict[str, object]:
    """The answer to a question, asked again while it is worked out."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answer = caller.ask("GET", f"{path}?{urlencode(query)}")
        if answer.status_code != 202:
            assert answer.status_code == 200, answer.text
            found: dict[str, object] = answer.json()
            return found
        assert set(answer.json()) == {"done", "of"}
    raise AssertionError("no answer")


def test_a_stranger_explores_and_trains(stranger: Caller) -> None:
    games = {game["name"]: game for game in stranger.ok("GET", "/games")}
    assert games["ecard"]["explorer"]
    assert games["davenport"]["trainer"]
    assert not games["davenport"]["explorer"]

    here = ask(stranger, "/games/ecard/explore", rules="decisive", habit="side=slave,chances=40")
    assert here["answer"]
    today = stranger.ok("GET", "/games/ecard/daily")
    assert today["seeds"][0].startswith(f"daily {today['day']}")
    asked = ask(stranger, "/games/ecard/exercise", seed=today["seeds"][0])
    marked = ask(stranger, "/games/ecard/exercise", seed=today["seeds"][0], answer="50")
    assert asked["kind"] == "share"
    assert marked["answer"] == "50"


def test_refusals(stranger: Caller) -> None:
    assert stranger.refused("GET", "/games/chess/explore") == (404, "unknown_game")
    assert stranger.refused("GET", "/games/ecard/explore?rules=nonsense")[1] == "unreadable_rules"
    until = time.monotonic() + PATIENCE
    for path, code in (
        ("/games/ecard/explore?at=round%3D2,score%3D9:9", "study_refused"),
        ("/games/ecard/explore?at=nonsense", "study_refused"),
        ("/games/davenport/explore", "unsupported"),
        ("/games/ecard/exercise?seed=a&answer=nonsense", "study_refused"),
    ):
        while (answer := stranger.ask("GET", path)).status_code == 202 and time.monotonic() < until:
            pass
        assert answer.json()["code"] == code, answer.text


def test_a_running_game_gives_no_question(ann: Caller) -> None:
    order = {"game": "ecard", "seats": [{"kind": "person"}, {"kind": "machine", "machine": "sage"}]}
    table = ann.ok("POST", "/tables", order, 201)["table"]

    assert ann.refused("GET", f"/games/ecard/exercise?seed=x&table={table}")[1] == "not_now"
    assert ann.refused("GET", f"/games/ecard/exercise?seed=x&answer=1&table={table}")[1] == "not_now"
    assert ann.refused("GET", f"/tables/{table}/review")[1] == "not_now", "nor does a machine explain itself"


def test_the_house_is_told_without_its_tells_and_a_guess_is_judged(stranger: Caller) -> None:
    house = {each["name"]: each for each in stranger.ok("GET", "/games/ecard/house")}
    mara, notary = house["mara"], house["notary"]
    assert (mara["price"], mara["error"], len(mara["guesses"])) == (0.581072, 0.0, 4)
    assert notary["guesses"] == []
    assert set(mara["talk"]) == {"hit", "pleased", "won", "lost"}
    davenport = {each["name"]: each for each in stranger.ok("GET", "/games/davenport/house")}
    assert [len(davenport[name]["guesses"]) for name in ("jorun", "ash")] == [4, 0]
    assert all(each["error"] > 0 for each in davenport.values()), "measured, and it says how well"
    judged = {
        each["id"]: stranger.ok("GET", f"/games/ecard/house/mara/guess?guess={each['id']}")["right"]
        for each in mara["guesses"]
    }
    assert sum(judged.values()) == 1
    assert judged["never_leads"]
    assert not stranger.ok("GET", "/games/ecard/house/notary/guess?guess=")["right"]
    assert stranger.ask("GET", "/games/ecard/house/nobody/guess?guess=x").json()["code"] == "unknown_bot"


def test_what_a_device_knows_of_the_house_is_kept_for_all_devices(ann: Caller, bob: Caller) -> None:
    pip = {
        "game": "ecard",
        "machine": "pip",
        "rounds": 24,
        "games": 4,
        "won": 2,
        "asks": 20,
        "found": "at_once",
    }
    sabine = pip | {"game": "davenport", "machine": "sabine", "rounds": 3, "found": ""}
    assert ann.ok("PUT", "/house", {"known": [pip, sabine]})["known"] == [sabine, pip]
    assert ann.ok("PUT", "/house", {})["known"] == [sabine, pip], "another device"
    assert bob.ok("PUT", "/house", {})["known"] == [], "another person"
    assert ann.ok("GET", "/people/me/data")["acquaintances"] == [sabine, pip]


def test_only_a_characters_own_tell_is_found(ann: Caller, stranger: Caller) -> None:
    mara = {
        "game": "ecard",
        "machine": "mara",
        "rounds": 1,
        "games": 1,
        "won": 0,
        "asks": 20,
        "found": "at_once",
    }
    others = [mara | {"machine": "habit"}, mara | {"game": "chess"}]
    assert ann.ok("PUT", "/house", {"known": [mara, *others]})["known"] == [mara | {"found": ""}]
    assert ann.refused("PUT", "/house", {"known": [mara | {"rounds": -1}]})[0] == 400
    assert stranger.refused("PUT", "/house", {"known": [mara]})[0] == 401
