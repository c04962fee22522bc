"""Habits: when the special card came, what a perfect reader would have won, and what stands out."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from facedown.core.chance import Stream, seed_of
from facedown.core.parts.judge import Pattern
from facedown.games.ecard.review import habits as habits_module
from facedown.games.ecard.review.habits import SpecialCardHabits, best_share
from facedown.games.ecard.solve.round import round_table

ROOT = Path(__file__).parents[4]
BLIND = (1 / 5, 1 / 4, 1 / 3, 1 / 2)
"""The equilibrium of a round that is always decided: all times alike."""


def habits(times: list[int], side: str = "E", usual: tuple[float, ...] = BLIND) -> SpecialCardHabits:
    """A player whose special card came at these plays (0: at none of those with a choice)."""
    found = SpecialCardHabits()
    for number, time in enumerate(times, 1):
        for at in range(time or len(usual)):
            found.time(at, at + 1 == time, usual[at])
            found.add(number, (side, True), usual, at + 1 == time)
    return found


def share(times: list[int]) -> float:
    return habits_module._share([(kind, shown) for (kind, _), shown in habits(times).shown.items()])


# --- the perfect reader ----------------------------------------------------------------------------------


@pytest.mark.parametrize("plays", [1, 2, 3, 4])
def test_in_equilibrium_every_time_is_as_good_as_any_other(plays: int) -> None:
    """Where the Slave side's card comes at a play, it meets the Emperor as often as at any other play."""
    hazards = [float(each) for each in round_table(plays, slave_pays=5).hazards]
    each_time = hazards[0]

    assert best_share("E", False, hazards) == pytest.approx(each_time)
    assert best_share("S", False, hazards) == pytest.approx(1 - each_time)


def test_E6_a_special_card_kept_to_the_end_is_played_there() -> None:
    hazards = [float(Fraction(1, left)) for left in (5, 4, 3, 2)]

    assert best_share("E", True, hazards) == pytest.approx(1 / 5)
    assert best_share("S", True, hazards) == pytest.approx(4 / 5)
    assert best_share("E", True, [0.0] * 4) == 1
    assert best_share("E", False, [0.0] * 4) == 0


def test_a_habit_is_worth_much_to_a_reader_and_so_is_the_interval_sure_of_it() -> None:
    exposure = habits([2] * 12).exposure()

    assert exposure is not None
    assert exposure.share > 0.85
    assert exposure.low > exposure.usual
    assert exposure.rounds == 12


def test_the_usual_exposure_is_the_average_of_the_equilibrium() -> None:
    """The same count on throws of our own; both are averages of a few hundred games of six rounds."""
    stream = Stream(seed_of("dice"), "times")
    thrown = [share([stream.below(5) for _ in range(6)]) for _ in range(60)]
    usual = habits([0] * 6).exposure()

    assert usual is not None
    assert usual.usual == pytest.approx(sum(thrown) / len(thrown), abs=0.03)


def test_a_round_that_the_other_seat_ended_is_no_evidence_about_later_plays() -> None:
    """Ten rounds cut short after a Citizen at play 1: no reason to think that later plays are never used."""
    cut = SpecialCardHabits()
    for number in range(10):
        cut.add(number, ("E", True), BLIND, False)
    exposure = cut.exposure()

    assert exposure is not None
    assert exposure.share < 0.35


# --- when it came ----------------------------------------------------------------------------------------


def test_the_special_card_is_counted_beside_the_equilibriums_at_the_same_plays() -> None:
    timing = habits([1, 2, 2]).timing()

    assert timing is not None
    assert tuple(map(str, timing.labels)) == ("play 1", "play 2")
    assert timing.yours == (1, 2)
    assert timing.judges == pytest.approx((3 / 5, 2 / 4))


# --- what stands out -------------------------------------------------------------------------------------


def pattern(found: SpecialCardHabits) -> Pattern:
    striking = found.striking()
    assert striking is not None
    return found.describe(striking)


def test_a_habit_that_chance_hardly_explains_is_reported_with_interval_and_advice() -> None:
    habit = pattern(habits([2] * 12))

    assert str(habit.say) == "the Emperor at the second play in 12 of 12 rounds"
    assert (habit.share, habit.high) == (1.0, 1.0)
    assert habit.usual == pytest.approx(0.25)
    assert 0.7 < habit.low < 0.8
    assert str(habit.advice) == "Next time: the Emperor at the first play, one time in five."


def test_a_card_that_never_comes_is_reported() -> None:
    habit = pattern(habits([0] * 12, side="S"))

    assert str(habit.say) == "the Slave kept back in 12 of 12 rounds"
    assert str(habit.advice) == "Next time: the Slave at the first play, one time in five."
    assert habit.usual == pytest.approx(1 / 5)  # a share of rounds, at most all of them
    assert habit.low > 0.7


@pytest.mark.parametrize("plays", [2, 4])
def test_advice_for_short_rounds_does_not_count_plays_that_only_an_extra_round_had(plays: int) -> None:
    found = habits([0] * 12, usual=(0.4,))
    for _ in range(plays):
        found.add(13, ("E", True), BLIND[:plays], special=False)

    assert str(pattern(found).advice) == "Next time: the Emperor at the first play, one time in three."


def test_a_habit_of_one_side_is_reported_with_its_card() -> None:
    found = habits([1] * 9)
    for number, time in enumerate([0, 4, 3, 2, 1, 4, 0, 3, 2], 10):
        for at in range(time or 4):
            found.add(number, ("S", True), BLIND, at + 1 == time)

    assert str(pattern(found).say) == "the Emperor at the first play in 9 of 9 rounds on the Emperor side"


def test_rounds_that_did_not_matter_confirm_a_habit_of_few_rounds() -> None:
    """Three rounds alone are too few; with nine more, in which it did not matter, they are not."""
    few = habits([2] * 3)
    assert few.striking() is None

    for number in range(4, 13):
        few.add_idle(number, "E", special=False)
        few.add_idle(number, "E", special=True)
    assert str(pattern(few).say) == "the Emperor at the second play in 12 of 12 rounds"


def test_a_habit_in_plays_that_did_not_matter_is_not_reported_alone() -> None:
    found = habits([1, 3, 0, 4, 2])
    for number in range(6, 13):
        found.add_idle(number, "E", special=True)

    assert found.striking() is None


def test_chance_alone_is_rarely_reported_as_a_habit() -> None:
    """Nor for a player who tosses a coin when nothing depends on it."""
    stream = Stream(seed_of("luck"), "times")
    patterns = 0
    for _ in range(200):
        found = habits([stream.below(5) for _ in range(8)])
        for number in range(9, 13):
            special = False
            while not special and len(found.idle.get(("E", number), ())) < 4:
                special = bool(stream.below(2))
                found.add_idle(number, "E", special)
        patterns += found.striking() is not None

    assert patterns <= 10


def test_the_same_game_gets_the_same_numbers_in_every_process() -> None:
    """Sums of floats depend on their order, and the order of a set on the process."""
    code = (
        "from tests.review.reviewed import recorded_game; from facedown.review.review import review;"
        "print([review(recorded_game('ecard', line), 1).judged.exposure for line in (121, 125, 129)])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(printed) == 1
