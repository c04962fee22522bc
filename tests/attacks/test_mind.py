"""Attacks on the mind of the day: reading the crowd early, chips of others, and days that are not today."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from facedown.bots.house import house_of
from facedown.server.ops.rate_limits import MINDS
from tests.server.http.client import Meet, meeting
from tests.server.http.midnight import PassingDays, before

NOT_NOW = (409, "not_now")
FIVE = {"chips": [5, 5]}


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PassingDays]:
    passing = PassingDays(tmp_path_factory.mktemp("mind"))
    yield passing
    passing.server.close()


@pytest.fixture
def meet(days: PassingDays) -> Iterator[Meet]:
    with meeting(days.server.base) as meet:
        yield meet


def test_no_one_reads_the_crowd_before_midnight(meet: Meet, days: PassingDays) -> None:
    """Whatever the others have sealed, what a person sees is the same: nothing is learned by sealing."""
    ann, eve, day = meet("Ann"), meet("Eve"), days.day
    eve.ok("PUT", f"/mind/{day}", FIVE)
    seen = []
    for chips in range(11):
        ann.ok("PUT", f"/mind/{day}", {"chips": [chips, 10 - chips]})
        seen.append(
            (eve.ok("PUT", f"/mind/{day}", FIVE), eve.ok("GET", "/mind/today"), eve.ok("GET", "/mind"))
        )
        assert eve.refused("GET", f"/mind/{day}") == NOT_NOW
    assert all(each == seen[0] for each in seen)


def test_the_position_tells_neither_the_exact_answer_nor_the_house(meet: Meet) -> None:
    seen = meet("Eve").ok("GET", "/mind/today")
    assert not {"exact", "house", "counts", "others"} & (set(seen) | set(seen["state"]))
    assert not [each for each in house_of("ecard") if each.bot.name in str(seen)]


def test_no_one_seals_or_reads_for_another(meet: Meet, days: PassingDays) -> None:
    ann, eve, stranger, day = meet("Ann"), meet("Eve"), meet(), days.day
    ann.ok("PUT", f"/mind/{day}", {"chips": [1, 9]})
    assert stranger.refused("PUT", f"/mind/{day}", FIVE) == (401, "needs_session")
    assert stranger.refused("GET", "/mind/today") == (401, "needs_session")
    eve.ok("PUT", f"/mind/{day}?person={ann.person}", {**FIVE, "person": ann.person, "seat": 2, "day": day})
    assert ann.ok("GET", "/mind/today")["chips"] == 1
    seen = eve.ok("GET", f"/mind/today?person={ann.person}")
    assert seen["chips"] == 5
    over = days.pass_one()
    result = eve.ok("GET", f"/mind/{over}?person={ann.person}")
    assert (result["own"]["chips"], result["counts"]) == (5, [])
    assert ann.person not in str(result)


@pytest.mark.parametrize(
    "chips",
    [
        [5, 4],
        [5, 6],
        [11, -1],
        [-1, 11],
        [10**30, -(10**30)],
        [5],
        [5, 5, 0],
        [2.5, 7.5],
        ["5", "5"],
        5,
        None,
    ],
)
def test_chips_add_up_to_ten(meet: Meet, days: PassingDays, chips: object) -> None:
    eve = meet("Eve")
    assert eve.refused("PUT", f"/mind/{days.day}", {"chips": chips}) == (400, "bad_message")
    assert eve.ok("GET", "/mind")["sealed"] is False


def test_chips_are_for_today_alone(meet: Meet, days: PassingDays) -> None:
    eve, day = meet("Eve"), days.day
    for other in (before(day), before(day, -1), before(day, 300)):
        assert eve.refused("PUT", f"/mind/{other}", FIVE) == NOT_NOW
    assert eve.refused("GET", f"/mind/{before(day, -1)}") == NOT_NOW
    for text in (
        "yesterday",
        "2026-1-1",
        "2026-02-30",
        "20261118",
        "0001-01-01",
        before(day, 400),
        "2026-W47-3",
    ):
        assert eve.refused("GET", f"/mind/{text}") == (404, "not_there"), text
        assert eve.refused("PUT", f"/mind/{text}", FIVE) == (404, "not_there"), text


def test_a_day_that_is_settled_stays_as_it_is(meet: Meet, days: PassingDays) -> None:
    ann, eve = meet("Ann"), meet("Eve")
    ann.ok("PUT", f"/mind/{days.day}", FIVE)
    over = days.pass_one()
    first = ann.ok("GET", f"/mind/{over}")
    assert eve.refused("PUT", f"/mind/{over}", {"chips": [10, 0]}) == NOT_NOW
    assert ann.refused("PUT", f"/mind/{over}", {"chips": [10, 0]}) == NOT_NOW
    assert ann.ok("GET", f"/mind/{over}") == first


def test_names_of_the_house_are_not_guessed_by_the_dozen(meet: Meet, days: PassingDays) -> None:
    """One guess for each character and call: the last of several counts."""
    eve, day = meet("Eve"), before(days.day)
    tells = [each.tell.id for each in house_of("ecard") if each.tell]
    every = ",".join(f"ecard/pip:{tell}" for tell in [*tells, "wrong"])
    assert not [each for each in eve.ok("GET", f"/mind/{day}?known={every}")["house"] if each["name"]]
    assert eve.refused("GET", f"/mind/{day}?known={'x' * 1001}") == (400, "bad_message")


def test_a_mind_is_not_changed_without_end(meet: Meet, days: PassingDays) -> None:
    eve = meet("Eve")
    answers = [eve.ask("PUT", f"/mind/{days.day}", FIVE).status_code for _ in range(MINDS.count + 1)]
    assert answers == [200] * MINDS.count + [429]
