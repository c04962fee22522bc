"""The mind of the day on a server: sealing, changing one's mind, midnight, and what the result tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from facedown.bots.house import house_of
from facedown.study.mind import position_of, seat_of
from tests.server.http.client import Caller, Meet, meeting
from tests.server.http.midnight import PassingDays, before


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PassingDays]:
    passing = PassingDays(tmp_path_factory.mktemp("mind"))
    yield passing
    passing.server.close()


@pytest.fixture
def meet(days: PassingDays) -> Iterator[Meet]:
    with meeting(days.server.base) as meet:
        yield meet


def on_seat(meet: Meet, day: str, seat: int) -> Caller:
    """A new person who has this seat on a day."""
    while True:
        found = meet("Mind")
        if seat_of(day, found.person) == seat:
            return found


def seal(caller: Caller, day: str, first: int) -> Any:
    return caller.ok("PUT", f"/mind/{day}", {"chips": [first, 10 - first]})


def test_a_person_sees_their_seat_seals_and_changes_it(meet: Meet, days: PassingDays) -> None:
    ann, day = meet("Ann"), days.day
    seen = ann.ok("GET", "/mind/today")
    seat = seat_of(day, ann.person)
    mind = position_of("ecard", day).mind(seat)
    assert (seen["seat"], seen["chips"], seen["state"]["sealed"]) == (seat, None, False)
    assert [each["pick"] for each in seen["picks"]] == [each.pick for each in mind.picks]
    assert seen["values"] == [list(each) for each in mind.values]
    assert len(seen["hand"]) > 1
    before_people = seen["state"]["people"]
    assert seal(ann, day, 3)["people"] == before_people + 1
    assert seal(ann, day, 4)["people"] == before_people + 1
    again = ann.ok("GET", "/mind/today")
    assert (again["chips"], again["state"]["sealed"], again["state"]["days"][-1]) == (4, True, True)
    assert meet().ok("GET", "/mind")["sealed"] is False


def test_texts_are_in_the_language_that_is_asked_for(meet: Meet) -> None:
    ann = meet("Ann")
    english, japanese = (
        ann.ok("GET", "/mind/today", Accept_Language=each)["picks"][1]["name"] for each in ("en", "ja")
    )
    assert (english, japanese) == ("Citizen", "市民")


def test_at_midnight_all_minds_meet(meet: Meet, days: PassingDays) -> None:
    days.pass_one()
    day = days.day
    ann, bob, cem = (on_seat(meet, day, seat) for seat in (1, 1, 2))
    for person, chips in ((ann, 10), (bob, 0), (cem, 0)):
        seal(person, day, chips)
    over = days.pass_one()
    assert over == day
    ann_day, bob_day, cem_day = (each.ok("GET", f"/mind/{day}") for each in (ann, bob, cem))
    position = position_of("ecard", day)
    for found, seat in ((ann_day, 1), (bob_day, 1), (cem_day, 2)):
        mind = position.mind(seat)
        assert found["exact"] == pytest.approx(mind.exact)
        assert found["people"] == 3
        assert found["counts"] == [], "too few people to be shown"
        house = sorted(round(10 * each) for each in mind.house.values())
        assert found["house"] == [{"chips": each, "name": ""} for each in house]
    mind, other = position.mind(1), position.mind(2)
    crowd = sum(other.house.values()) / (len(other.house) + 1)
    assert ann_day["others"] == pytest.approx(crowd)
    gain = mind.value(1.0, crowd) - mind.value(mind.exact, mind.exact_other)
    assert ann_day["own"]["gain"] == pytest.approx(gain)
    better = ann_day["own"]["score"]["beaten"] > bob_day["own"]["score"]["beaten"]
    assert better == (ann_day["own"]["gain"] > bob_day["own"]["gain"])
    assert ann.ok("GET", "/mind")["yesterday"] == ann_day["own"]["score"]
    assert ann.ok("GET", "/mind")["days"][-2:] == [True, False]


def test_results_stay_when_others_are_erased(meet: Meet, days: PassingDays) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    seal(ann, days.day, 4)
    seal(bob, days.day, 9)
    day = days.pass_one()
    first = ann.ok("GET", f"/mind/{day}")
    bob.ok("DELETE", "/people/me", status=204)
    assert ann.ok("GET", f"/mind/{day}") == first


def test_the_crowd_is_shown_from_twenty_people_on(meet: Meet, days: PassingDays) -> None:
    day = days.day
    for person in [on_seat(meet, day, 1) for _ in range(20)]:
        seal(person, day, 4)
    days.pass_one()
    stranger = meet()
    while seat_of(day, stranger.person) != 1:
        stranger = meet("Other")
    found = stranger.ok("GET", f"/mind/{day}")
    assert found["counts"] == [0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0]
    assert (found["own"], found["people"]) == (None, 20)


def test_those_whose_tell_is_known_have_a_name(meet: Meet, days: PassingDays) -> None:
    ann, day = meet("Ann"), before(days.day)
    tells = {each.bot.name: each.tell.id for each in house_of("ecard") if each.tell}
    known = f"ecard/pip:{tells['pip']},ecard/mara:{tells['pip']},ecard/notary:,nobody:x,,::"
    named = [each["name"] for each in ann.ok("GET", f"/mind/{day}?known={known}")["house"] if each["name"]]
    assert named == ["pip"]


def test_a_persons_export_has_their_minds(meet: Meet, days: PassingDays) -> None:
    ann = meet("Ann")
    seal(ann, days.day, 2)
    minds = ann.ok("GET", "/people/me/data")["minds"]
    assert minds == [{"day": days.day, "seat": seat_of(days.day, ann.person), "chips": 2}]
