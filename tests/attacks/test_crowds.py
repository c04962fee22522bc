"""Attacks on what people picked: finding out about fewer than twenty of them, by any two questions."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from facedown.server.store.crowds import BANDS, LEAST, SeatPick
from facedown.server.store.sqlite.store import SqliteStore
from tests.patience import PATIENCE
from tests.server.http.client import Caller, Meet, meeting, sit_down
from tests.server.running import Server
from tests.server.store.steps import end_game

START = "round=1,score=0:0,play=1"
_AT_ONCE = """
import facedown.server.accounts.crowds as crowds
import facedown.server.accounts.finished_games as finished_games
crowds._FRESH_S = 0.0
finished_games._EVERY_S = 0.05
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that counts the picks of a game as soon as it is over, and answers as of now."""
    wide = {"FACEDOWN_GUESSES": "100000", "FACEDOWN_STUDIES": "100000"}
    running = Server(tmp_path_factory.mktemp("crowds") / "data", **wide).after(_AT_ONCE).start()
    yield running
    running.close()


@pytest.fixture
def meet(server: Server) -> Iterator[Meet]:
    with meeting(server.base) as meet:
        yield meet


def play_once(one: Caller, other: Caller, rules: str) -> None:
    """A game of one play: both lay a Citizen, and then one of them gives up."""
    table = sit_down(one, other, rules=rules)
    while one.see(table)["table"]["turn"]["decision"] == 1:
        for seat, caller in ((1, one), (2, other)):
            if seat in caller.see(table)["table"]["turn"]["may_seal"]:
                caller.pick(table, seat, 1, "C")
    one.do(table, "resign", decision=2)


def people_at(caller: Caller, rules: str, **query: str) -> Any:
    """What the server says, once it has worked it out."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answer = caller.http.get("/games/ecard/people", params={"rules": rules, **query})
        if answer.status_code != 202:
            assert answer.status_code == 200, answer.text
            return answer.json()
    raise AssertionError("no answer")


def wait_until_counted(caller: Caller) -> None:
    """Until a person's own picks are among what is counted."""
    until = time.monotonic() + PATIENCE
    while not caller.ok("GET", "/people/me/data")["picks"]:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_no_one_learns_about_fewer_than_twenty_people(meet: Meet) -> None:
    rules, eve, stranger = "short", meet("Eve"), meet()
    people = [(meet(f"One {number}"), meet(f"Other {number}")) for number in range(LEAST + 1)]
    for one, other in people[: LEAST - 1]:
        play_once(one, other, rules)
    wait_until_counted(people[LEAST - 2][1])
    empty = {"game": "ecard", "rules": rules, "band": "all", "bands": [], "positions": {}, "sides": []}
    assert people_at(stranger, rules) == empty
    for band in ("own", *BANDS):
        assert people_at(eve, rules, band=band)["positions"] == {}

    play_once(*people[LEAST - 1], rules)
    wait_until_counted(people[LEAST - 1][1])
    seen = people_at(stranger, rules)
    assert seen["positions"] == {START: [{"people": 20, "picks": {"C": 20}}] * 2}
    assert [(each["side"], each["people"], each["best"]) for each in seen["sides"]] == [
        (0, 20, ["C"]),
        (1, 20, ["E"]),
    ]
    assert people_at(eve, rules, band="own")["positions"] == seen["positions"]
    assert people_at(eve, rules, band="from_1600")["positions"] == {}

    play_once(*people[LEAST], rules)
    wait_until_counted(people[LEAST][1])
    assert people_at(stranger, rules) == seen, "one game more shows nothing about the two who played it"
    people[0][0].ok("DELETE", "/people/me", status=204)
    gone = people_at(stranger, rules)
    assert gone["positions"][START][0] == {"people": 0, "picks": {}}, "of that side, nineteen are left"
    assert gone["positions"][START][1] == seen["positions"][START][1]
    assert not [name for one, other in people for name in (one.person, other.person) if name in str(seen)]


def test_questions_are_read_strictly_and_limited(meet: Meet, tmp_path: Path) -> None:
    eve, stranger = meet("Eve"), meet()
    assert stranger.refused("GET", "/games/ecard/people?band=own") == (401, "needs_session")
    assert stranger.refused("GET", "/games/ecard/people?band=everybody") == (400, "bad_message")
    assert stranger.refused("GET", "/games/davenport/people")[1] == "unsupported"
    assert stranger.refused("GET", "/games/chess/people") == (404, "unknown_game")
    for at in ("nonsense", "round=1", "round=0,score=0:0", "round=1,score=0:0,person=1", "x" * 200):
        assert eve.refused("GET", f"/games/ecard/people?at={at}")[1] == "study_refused", at
    assert eve.refused("GET", f"/games/ecard/people?at={'x' * 300}")[1] == "bad_message"
    narrow = Server(tmp_path / "data", FACEDOWN_STUDIES="2").start()
    with meeting(narrow.base) as meet_there:
        flood = meet_there()
        asked = [
            flood.ask("GET", f"/games/ecard/people?at=round={n},score=0:0").status_code for n in range(1, 60)
        ]
    narrow.close()
    assert set(asked) == {200, 429}


@pytest.mark.anyio
@pytest.mark.parametrize("seed", range(3))
async def test_no_two_answers_ever_differ_by_fewer_than_twenty_people(tmp_path: Path, seed: int) -> None:
    """Each card is one pick of one person, so that an answer says whose picks are in it; people come, pick,
    rise and fall between bands, and are erased, and everything is asked after each step."""
    source, store = random.Random(seed), SqliteStore(tmp_path / "data")
    living, answers = list[str](), dict[tuple[tuple[str, int], ...], None]()
    for step in range(260):
        if len(living) < 30 or source.random() < 0.3:
            living.append(f"p{step}")
            await store.add_person(living[-1], living[-1], 5)
        if len(living) > 35 and source.random() < 0.15:
            await store.erase_person(living.pop(source.randrange(len(living))), "gone")
        person = source.choice(living)
        if source.random() < 0.2:
            points = source.choice((1300, 1700))
            await store._execute("delete from standings where person = $1", person)
            await store._execute(
                "insert into standings values ('ecard', $1, $2, 50, 9, 9, 0)", person, points
            )
        await end_game(store, f"T{step}", person)
        (ended,) = await store.crowds.uncounted(9)
        await store.crowds.count(ended, [SeatPick(1, START, 0, f"{person}.{step}")])
        for band in ("", *BANDS):
            sides = (await store.crowds.at("ecard", "classic", START, band)).sides
            picks = {card: n for card, n in sides[0].picks.items() if n} if sides else {}
            answers[tuple(sorted(picks.items()))] = None
    await store.close()

    assert len(answers) > 4
    for one, other in combinations(answers, 2):
        differing = (Counter(dict(one)) - Counter(dict(other))) + (Counter(dict(other)) - Counter(dict(one)))
        people = {card.partition(".")[0] for card in differing}
        assert len(people) >= LEAST, (len(one), len(other), people)
