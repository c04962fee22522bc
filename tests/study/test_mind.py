"""The mind of the day: its position follows from the date, and mixtures meet by the exact values."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from facedown.core.errors import UnreadablePick, Unsupported
from facedown.core.parts.mind import Mind
from facedown.core.parts.trainer import OfferedPick
from facedown.study.mind import CHIPS, crowd_of, mean_of, position_of, read_chips, seat_of, settle

DAYS = [(date(2026, 11, 18) + timedelta(each)).isoformat() for each in range(10)]
PENNIES = Mind((OfferedPick("H", "heads"), OfferedPick("T", "tails")), ((1.0, 0.0), (0.0, 1.0)), 0.5, 0.5, {})
"""Matching pennies, for the seat that wants both alike."""


@pytest.mark.parametrize("day", DAYS)
def test_a_position_is_worth_asking_both_seats_and_fits_the_answer(day: str) -> None:
    position = position_of("ecard", day)
    assert position_of("ecard", day) == position, "the same everywhere"
    one, two = position.mind(1), position.mind(2)
    for own, other in ((one, two), (two, one)):
        assert own.exact_other == pytest.approx(other.exact)
        even = own.value(own.exact, own.exact_other)
        assert own.value(0.0, own.exact_other) == pytest.approx(even)
        assert own.value(1.0, own.exact_other) == pytest.approx(even)
        assert even + other.value(other.exact, other.exact_other) == pytest.approx(1.0)
        assert own.house["notary"] == pytest.approx(own.exact)
        assert len(set(own.house.values())) > 2, "a crowd of one mind is none"


def test_days_differ_and_people_are_spread_over_both_seats() -> None:
    assert len({str(position_of("ecard", day).question(1, "en")) for day in DAYS}) > 4
    seats = [seat_of(DAYS[0], f"person {each}") for each in range(400)]
    assert 150 < seats.count(1) < 250


def test_chips_meet_the_crowd_of_the_other_seat() -> None:
    same, others = {1.0: 1, 0.5: 2, 0.0: 1}, {0.8: 1, 0.6: 1}
    best = settle(PENNIES, 10, same, others)
    assert best.gain == pytest.approx(0.2)
    assert best.risk == pytest.approx(0.5)
    assert (best.beaten, best.squares) == (0.875, 4)
    assert best.perfect_beaten == pytest.approx(0.5)
    worst = settle(PENNIES, 0, same, others)
    assert (worst.beaten, worst.squares) == (0.125, 1)
    safe = settle(PENNIES, 5, same, others)
    assert safe.gain == pytest.approx(0.0)
    assert safe.risk == pytest.approx(0.0)


def test_a_crowd_is_the_house_and_the_people() -> None:
    crowd = crowd_of({"pip": 0.5, "mara": 0.25}, (0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1))
    assert {each: count for each, count in crowd.items() if count} == {0.5: 4, 0.25: 1, 1.0: 1}
    assert mean_of(crowd) == pytest.approx((4 * 0.5 + 0.25 + 1) / 6)


def test_what_cannot_be_read_says_what_can() -> None:
    assert (read_chips(" 7 "), read_chips("10")) == (7, CHIPS)
    for text in ("11", "-1", "", "3.5", "all", "9" * 400):
        with pytest.raises(UnreadablePick, match="from 0 to 10"):
            read_chips(text)
    with pytest.raises(Unsupported, match="no mind of the day"):
        position_of("davenport", DAYS[0])
