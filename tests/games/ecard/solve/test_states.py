"""E-Card, solved: single states and behaviours, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest

from facedown.core.errors import Unsupported
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.best_response import (
    best_response,
    exploitability,
)
from facedown.games.ecard.solve.course import ImpossibleState, Spot
from tests.games.ecard.solve.cases import solve_rules

HALF = Fraction(1, 2)


# --- states ----------------------------------------------------------------------------------------------


def test_a_leading_emperor_side_may_do_best_to_play_citizens_only() -> None:
    """Classic, last round: the other seat is the Emperor side, and only losing the round could cost it."""
    moment = solve_rules("classic").at(12, (0, 3))

    assert not moment.first_is_emperor
    assert moment.value == 0
    assert list(moment.emperor) == [0, 0, 0]
    assert list(moment.slave) == [0.5, 0.5, 0.5]
    assert not moment.unique


def test_a_decided_game_is_played_with_both_cards_alike() -> None:
    moment = solve_rules("classic").at(12, (30, 0))

    assert (moment.value, moment.win, moment.draw, moment.lose) == (1, 1, 0, 0)
    assert list(moment.emperor) == list(moment.slave) == [0.5, 0.5, 0.5]
    assert not moment.unique


def test_a_round_that_decides_everything_is_the_single_round() -> None:
    """Round 12 of the game of victories, equal: win, draw and lose are a round at ±1."""
    moment = solve_rules("victories").at(12, (4, 4))

    assert moment.emperor == moment.slave == pytest.approx((1 / 5, 1 / 4, 1 / 3), abs=1e-16)
    assert moment.unique
    assert (moment.lose, moment.win, moment.draw) == pytest.approx((18 / 25, 3 / 25, 4 / 25), abs=1e-16)
    assert (moment.if_emperor, moment.if_slave) == (0, 1)


def test_a_later_play_is_what_a_draw_leads_to() -> None:
    solution = solve_rules("classic")
    first, second, third = (solution.at(5, (6, 5), play) for play in (1, 2, 3))

    assert first.if_drawn == second.value
    assert second.if_drawn == third.value
    assert first.emperor[1:] == second.emperor
    assert second.slave[1:] == third.slave
    assert third.if_drawn == solution.at(6, (6, 5)).value


def test_the_fifth_play_has_no_choice() -> None:
    moment = solve_rules("decisive").at(1, (0, 0), 5)

    assert list(moment.emperor) == list(moment.slave) == [1]
    assert moment.unique
    assert moment.value == moment.if_slave == moment.if_drawn
    assert solve_rules("decisive").at(1, (0, 0)).emperor == (
        Fraction(1, 5),
        Fraction(1, 4),
        Fraction(1, 3),
        HALF,
        1,
    )


def test_E13_the_best_stakes_are_named_alike() -> None:
    """One round with purses of 3: any stake that the Slave side wins with is as good as any other."""
    naming = solve_rules("purse(purse=3,max_stake=10,rounds=1,group=1)").naming(1, (3, 3))

    assert naming.stakes == {stake: Fraction(1, 3) for stake in (1, 2, 3)}
    assert not naming.unique
    assert naming.first_is_emperor
    assert naming.value == naming.values[1] == Fraction(4, 5)


def test_E13_a_stake_that_is_best_alone_is_named_alone() -> None:
    solution = solve_rules("purse")
    names = [solution.answers.naming(spot) for spot in solution.spots() if not solution.course.extra(spot)]

    assert any(naming.unique for naming in names)
    for naming in names:
        best = (min if naming.first_is_emperor else max)(naming.values.values())
        assert set(naming.stakes) == {stake for stake, worth in naming.values.items() if worth == best}
        assert sum(naming.stakes.values()) == 1


def test_uniqueness_of_a_round() -> None:
    assert solve_rules("classic").unique_at(Spot(1, 0))


@pytest.mark.parametrize(
    ("rules", "round", "score", "play", "stake", "sentence"),
    [
        ("classic", 13, (0, 0), 1, None, "there is no round 13: a game has rounds 1 to 12"),
        ("classic", 0, (0, 0), 1, None, "there is no round 0"),
        ("decisive", 14, (7, 6), 1, None, "there is no round 14: a game has rounds 1 to 13"),
        ("classic", 2, (0, 0), 4, None, "there is no play 4: round 2 has plays 1 to 3"),
        ("classic", 2, (0, 0), 0, None, "there is no play 0"),
        ("classic", 2, (2, 0), 1, None, "the score 2,0 cannot occur at the start of round 2"),
        ("classic", 2, (5, 0), 1, None, "the score 5,0 cannot occur"),
        ("classic", 3, (-1, 0), 1, None, "the score -1,0 cannot occur"),
        ("decisive", 3, (1, 0), 1, None, "the score 1,0 cannot occur"),
        ("decisive", 13, (7, 5), 1, None, "the score 7,5 cannot occur"),
        ("decisive(tie=pair)", 14, (6, 6), 1, None, "the score 6,6 cannot occur"),
        ("decisive(tie=pair)", 15, (6, 6), 1, None, "the score 6,6 cannot occur"),
        ("classic", 2, (1, 0), 1, 2, "the stake cannot be 2: in round 2 it is 1"),
        ("purse", 1, (30, 30), 1, None, "which stake"),
        ("purse", 1, (30, 30), 1, 11, "the stake cannot be 11: in round 1 it is 1 to 10"),
        ("purse", 1, (30, 29), 1, 1, "the score 30,29 cannot occur"),
        ("purse", 1, (31, 29), 1, 1, "the score 31,29 cannot occur"),
        ("purse", 2, (60, 0), 1, 1, "the score 60,0 cannot occur"),
        ("purse", 13, (31, 29), 1, 1, "the score 31,29 cannot occur"),
        ("purse(rounds=1,group=1)", 2, (30, 30), 1, 1, "the score 30,30 cannot occur"),
    ],
)
def test_a_state_that_cannot_occur_is_refused_in_a_sentence(
    rules: str, round: int, score: tuple[int, int], play: int, stake: int | None, sentence: str
) -> None:
    with pytest.raises(ImpossibleState, match=sentence) as refused:
        solve_rules(rules).at(round, score, play, stake)

    assert refused.value.code == "impossible_state"


def test_no_stake_is_named_if_stakes_are_fixed_or_the_round_is_extra() -> None:
    with pytest.raises(ImpossibleState, match="no stake is named in round 1"):
        solve_rules("classic").naming(1, (0, 0))
    with pytest.raises(ImpossibleState, match="no stake is named in round 13"):
        solve_rules("purse").naming(13, (30, 30))


def test_too_many_stakes_are_refused() -> None:
    with pytest.raises(Unsupported, match="purses of 1000 and stakes up to 1000"):
        solve_rules("purse(purse=1000,max_stake=1000)")


# --- behaviours ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Always:
    """The special card at one play of every round (0: never, if there is a choice), and always one stake."""

    play: int
    stake: int = 1

    def special(self, spot: Spot, stake: int, side: str) -> Sequence[float]:
        return [float(play == self.play) for play in range(1, 6)]

    def stakes(self, spot: Spot) -> Mapping[int, float]:
        return {self.stake: 1.0}


def test_a_predictable_strategy_loses() -> None:
    rules = ECardRules.read("decisive")

    assert best_response(rules, Always(1), "first") == 1
    assert best_response(rules, Always(1), "other") == 1
    assert exploitability(rules, Always(3)) == 1


def test_pairs_that_never_end_are_answered() -> None:
    """Both Emperor sides keep the Citizen when both Slaves come: the Emperor side wins every round."""
    rules = ECardRules.read("decisive(tie=pair,rounds=2,group=1)")

    @dataclass(frozen=True, slots=True)
    class EmperorWins(Always):
        def special(self, spot: Spot, stake: int, side: str) -> Sequence[float]:
            return [float(side == "S")] * 4

    assert best_response(rules, EmperorWins(0), "first") == 1
