"""E-Card, solved: known values, the slow way beside the fast one, what must always hold."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core.chance import Scripted
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.backward import solve_closely, solve_exactly
from facedown.games.ecard.solve.best_response import (
    Prospect,
)
from facedown.games.ecard.solve.course import Course, FinalResult, ImpossibleState, Spot
from facedown.games.ecard.solve.round import round_table
from facedown.games.ecard.solve.solution import Answers, solve
from facedown.games.ecard.state import ECardState
from tests.games.ecard import naive
from tests.games.ecard.solve.cases import PRESETS, small_rules, solve_rules

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "ecard_values.json").read_text())
HALF = Fraction(1, 2)


# --- what ratings know of it -----------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [each.name for each in ECardRules.presets])
def test_seats_are_worth_what_the_solver_says(preset: str) -> None:
    value = float(solve_rules(preset).value)
    for emperor, expected in ((1, (value, 1 - value)), (2, (1 - value, value))):
        rules = ECardRules.read(f"{preset}(first={emperor})")
        assert GAME.seat_shares(rules, 2, None) == pytest.approx(expected, abs=1e-6)
        drawn = ECardRules.read(f"{preset}(first=drawn)")
        dealt = GAME.setup(drawn, 2, Scripted([str(emperor)])).state
        assert GAME.seat_shares(drawn, 2, dealt) == pytest.approx(expected, abs=1e-6)
        assert GAME.seat_shares(drawn, 2, None) == (0.5, 0.5), "before the deal nobody is ahead"


def test_what_other_rule_sets_are_worth_is_not_known() -> None:
    assert GAME.seat_shares(ECardRules.read("classic(rounds=3)"), 2, None) is None


# --- known values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VECTORS["games"])
def test_games_have_the_values_that_are_known(name: str) -> None:
    known = VECTORS["games"][name]
    solution = solve_rules(name)

    assert float(solution.value) == pytest.approx(known["value"], abs=1e-12)
    assert _floats(solution)[1:] == pytest.approx(known["wdl"], abs=1e-12)


def test_a_short_game_is_the_second_half_of_a_classic_one_that_is_level() -> None:
    assert float(solve_rules("short").value) == pytest.approx(solve_rules("classic").at(7, (3, 3)).value)


@pytest.mark.parametrize(
    ("name", "plays", "slave_pays"),
    [
        ("plays3_pm1", 3, 1),
        ("plays3_winnings_1_5", 3, 5),
        ("plays5_pm1", 5, 1),
        ("plays5_winnings_1_5", 5, 5),
    ],
)
def test_single_rounds_have_the_tables_that_are_known(name: str, plays: int, slave_pays: int) -> None:
    table = round_table(plays, 1, slave_pays)
    known = VECTORS["rounds"][name]

    assert [str(hazard) for hazard in table.hazards] == known["hazards"]
    for field in ("value", "emperor_wins", "slave_wins", "undecided"):
        assert str(getattr(table, field)) == known[field], field


def test_a_round_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="1 to 5 plays, not 6"):
        round_table(6)
    with pytest.raises(ValueError, match="at least 1"):
        round_table(3, slave_pays=0)


def test_decided_rounds_are_solved_in_small_fractions() -> None:
    assert solve_rules("decisive").exact
    assert solve_rules("decisive").value == Fraction(4127943630848, 10**13)
    assert solve_rules("purse").exact
    assert not solve_rules("classic").exact
    assert solve_rules("classic(rounds=3)").exact
    assert isinstance(solve_rules("classic").value, float)


# --- the slow way ----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(small_rules())
def test_every_state_of_small_games_agrees_with_the_slow_way(rules: ECardRules) -> None:
    checked = naive.Checked(solve(rules))

    assert checked.value(naive.start(rules)) == pytest.approx(float(solve(rules).value), abs=1e-12)
    assert checked.states > 0


@settings(max_examples=25, deadline=None)
@given(small_rules())
def test_win_draw_and_lose_are_what_playing_the_solution_brings(rules: ECardRules) -> None:
    solution = solve(rules)
    win = naive.Played(solution, win=1.0, draw=0.0).value(naive.start(rules))
    draw = naive.Played(solution, win=0.0, draw=1.0).value(naive.start(rules))

    assert float(solution.win) == pytest.approx(win, abs=1e-12)
    assert float(solution.draw) == pytest.approx(draw, abs=1e-12)
    assert float(solution.win + solution.draw + solution.lose) == pytest.approx(1, abs=1e-15)
    assert float(solution.value) == pytest.approx(float(solution.win + solution.draw / 2), abs=1e-15)


@settings(max_examples=40, deadline=None)
@given(small_rules())
def test_nothing_is_to_be_gained_on_the_solution(rules: ECardRules) -> None:
    solution = solve(rules)
    slow = naive.Answered(solution, True).value(naive.start(rules))
    slow -= naive.Answered(solution, False).value(naive.start(rules))

    assert slow == pytest.approx(0, abs=1e-12)
    assert abs(solution.exploitability) <= 1e-12
    if solution.exact:
        assert solution.exploitability == 0


@settings(max_examples=60, deadline=None)
@given(small_rules())
def test_decimals_agree_with_fractions_at_every_state(rules: ECardRules) -> None:
    course = Course(rules)
    exact = solve_exactly(course)
    assert exact is not None
    fractions, decimals = Answers(exact), Answers(solve_closely(course))

    for spot in solve(rules).spots():
        assert _floats(decimals.prospect(spot)) == pytest.approx(_floats(fractions.prospect(spot)), abs=1e-16)
        assert decimals.naming(spot).stakes.keys() == fractions.naming(spot).stakes.keys()
        for stake in course.stakes(spot):
            for one, other in zip(decimals.plays(spot, stake), fractions.plays(spot, stake), strict=True):
                assert (one.emperor, one.slave) == (float(other.emperor), float(other.slave))
                assert one.unique == other.unique


def _floats(prospect: Prospect) -> list[float]:
    return [float(each) for each in (prospect.value, prospect.win, prospect.draw, prospect.lose)]


@pytest.mark.parametrize(
    "name", [*PRESETS, "classic(tie=pair)", "classic(rounds=24)", "purse(plays=3,tie=draw)"]
)
def test_nothing_is_to_be_gained_on_whole_games(name: str) -> None:
    assert abs(solve_rules(name).exploitability) <= 1e-12


@settings(max_examples=50, deadline=None)
@given(small_rules(), st.randoms(use_true_random=False))
def test_the_course_is_that_of_the_game(rules: ECardRules, dice: random.Random) -> None:
    """Rounds of random games: the course goes where `game` goes."""
    course, state = Course(rules), naive.start(rules)
    spot: Spot | FinalResult = course.start
    for _ in range(rules.rounds + 4):
        if not isinstance(spot, Spot):
            break
        assert spot == course.spot(state.round, naive.by_first(state, state.score))
        assert course.plays(spot) == state.last_play
        assert course.first_is_emperor(spot) == (state.emperor == naive.first_seat(state))
        stake = dice.choice(course.stakes(spot))
        winner = dice.choice(("E", "S") if state.last_play == 5 else ("E", "S", None))
        state, spot = _round(state, stake, winner), course.after(spot, stake, winner)
    if not isinstance(spot, Spot):
        assert state.outcome is not None
        assert (
            state.outcome.winner
            == {
                FinalResult.WIN: naive.first_seat(state),
                FinalResult.DRAW: None,
                FinalResult.LOSE: 3 - naive.first_seat(state),
            }[spot]
        )


def _round(state: ECardState, stake: int, winner: str | None) -> ECardState:
    if state.stake is None:
        assert [
            str(each)
            for each in Course(state.rules).stakes(
                Course(state.rules).spot(state.round, naive.by_first(state, state.score))
            )
        ] == list(GAME.legal(state, state.at.slave))
        state = _resolve(state, "", str(stake))
    if winner is None:
        for _ in range(state.last_play):
            state = _resolve(state, "C", "C")
        return state
    return _resolve(state, "E", "C" if winner == "E" else "S")


def _resolve(state: ECardState, emperor: str, slave: str) -> ECardState:
    picks = (emperor or None, slave) if state.emperor == 1 else (slave, emperor or None)
    return GAME.resolve(state, picks, Scripted(())).state


# --- what must always hold -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*PRESETS, "purse(plays=3)", "classic(slave_pays=2,group=1)"])
def test_a_larger_lead_is_never_worse(name: str) -> None:
    solution = solve_rules(name)
    step = 2 if solution.course.named else 1
    worths = {spot: solution.answers.prospect(spot).value for spot in solution.spots()}
    for spot, worth in worths.items():
        ahead = worths.get(Spot(spot.round, spot.lead + step), worth)
        assert ahead >= worth or solution.course.extra(spot)


@pytest.mark.parametrize("idle", ["placing=together", "first=2", "first=drawn", "purse=7", "max_stake=3"])
def test_options_that_change_no_chance_change_no_value(idle: str) -> None:
    assert solve_rules(f"classic({idle})").value == solve_rules("classic").value


def test_pay_has_no_effect_if_every_round_is_decided_and_sides_are_even() -> None:
    assert solve_rules("classic(plays=5)").value == solve_rules("victories(plays=5)").value


def test_E12_a_pair_is_fair_and_an_extra_round_is_not() -> None:
    assert solve_rules("classic(tie=pair)").at(13, (6, 6)).value == 0.5
    assert solve_rules("decisive(tie=pair)").at(13, (6, 6)).value == HALF
    assert solve_rules("decisive").at(13, (6, 6)).value == Fraction(1, 5)
    assert solve_rules("decisive(rounds=11,group=4)").at(11, (5, 5)).value == Fraction(4, 5)


def test_E12_every_pair_is_like_the_first() -> None:
    solution = solve_rules("decisive(tie=pair)")

    assert solution.at(15, (7, 7)) == solution.at(13, (6, 6))
    assert solution.at(16, (8, 7)) == solution.at(14, (7, 6))
    assert solution.at(14, (7, 6)).value == Fraction(9, 10)
    assert solution.at(14, (6, 7)).value == Fraction(2, 5)


def test_E13_ruin_ends_a_pair() -> None:
    """Purses of 1: the first extra round ruins one seat."""
    solution = solve_rules("purse(purse=1,rounds=1,group=1,plays=1)")

    assert solution.at(2, (1, 1)).value == Fraction(4, 5)
    with pytest.raises(ImpossibleState):
        solution.at(3, (2, 0))


def test_solutions_of_different_rules_are_different() -> None:
    """Though their numbers are the same."""
    assert solve_rules("classic") != solve_rules("classic(first=2)")
    assert solve_rules("classic") == solve_rules(" classic ( ) ")
    assert hash(solve_rules("classic"))
