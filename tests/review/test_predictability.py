"""How readable: one number from what a reader thought of each pick, and an interval that is honest."""

from __future__ import annotations

import pytest

from facedown.core.chance import Stream, seed_of
from facedown.core.parts.judge import Foretold
from facedown.review.predictability import Predictability, predictability


def predictability_of(*foretold: Foretold) -> Predictability:
    number = predictability(foretold)
    assert number is not None
    return number


def picks(reader: float, chance: float, rounds: int = 10) -> list[Foretold]:
    return [Foretold(number, reader, chance) for number in range(rounds)]


def test_a_player_who_surprises_the_reader_as_much_as_chance_is_closed() -> None:
    number = predictability_of(*picks(0.2, 0.2))

    assert (number.number, number.low) == (0, 0)
    assert 10 < number.high < 50, "ten rounds do not show that the next will not be read"


def test_a_player_who_never_surprises_the_reader_is_an_open_book() -> None:
    number = predictability_of(*picks(1.0, 0.2))

    assert number.number > 99
    assert number.bits == pytest.approx(10 * 2.32, abs=0.2)


def test_a_reader_that_is_misled_loses_bits_and_the_number_stays_at_nothing() -> None:
    number = predictability_of(*picks(0.1, 0.2))

    assert number.bits == pytest.approx(-10)
    assert number.number == 0


def test_a_bit_is_a_chance_twice_as_good() -> None:
    assert predictability_of(Foretold(1, 0.5, 0.25), Foretold(1, 0.4, 0.2)).bits == pytest.approx(2)


def test_no_prediction_counts_for_more_than_a_hundred_to_one() -> None:
    assert predictability_of(*picks(0.0, 0.5, rounds=1)).bits == pytest.approx(-5.64, abs=0.01)
    assert predictability_of(*picks(0.5, 0.0, rounds=1)).bits == pytest.approx(5.64, abs=0.01)


def test_rounds_that_differ_widen_the_interval() -> None:
    mixed = [Foretold(number, 0.9 if number % 2 else 0.4, 0.5) for number in range(12)]
    even = predictability_of(*picks(0.9, 0.5, rounds=12))
    number = predictability_of(*mixed)

    assert even.low < even.number < even.high
    assert number.high - number.low > 20
    assert number.low <= number.number <= number.high


def test_picks_of_one_round_are_resampled_together() -> None:
    """Ten picks in two rounds are two rounds: too few to say anything."""
    number = predictability_of(*(Foretold(place % 2, 0.4, 0.2) for place in range(10)))

    assert (number.low, number.high) == (0, 100)
    assert (number.picks, number.rounds) == (10, 2)


def test_more_rounds_make_the_interval_narrower() -> None:
    stream = Stream(seed_of("readers"), "test")
    chances = [(1 + stream.below(9)) / 10 for _ in range(120)]

    def width(rounds: int) -> float:
        number = predictability_of(*(Foretold(place, chances[place], 0.3) for place in range(rounds)))
        return number.high - number.low

    assert width(120) < width(12) / 2


def test_a_number_with_the_widest_interval_is_not_shown() -> None:
    assert not predictability_of(*picks(0.5, 0.25, rounds=3)).tells
    assert predictability_of(*picks(0.5, 0.25, rounds=60)).tells


def test_there_may_be_nothing_to_read() -> None:
    assert predictability([]) is None


def test_the_same_picks_get_the_same_number() -> None:
    foretold = [Foretold(number, 0.1 * (1 + number % 9), 0.3) for number in range(12)]

    assert predictability(foretold) == predictability(list(foretold))
