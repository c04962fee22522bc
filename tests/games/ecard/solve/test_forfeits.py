"""Not opening a sealed pick never pays: in every state of every preset, against every pick of the other seat.

A seat that forfeits loses the round (E14). That is compared with whatever its picks could have come to; a
seat that loses the game by its second forfeit cannot have gained either.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import localcontext
from typing import Any

import pytest

from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.backward import Solved, ends_of, play_worth, solve_closely, solve_exactly
from facedown.games.ecard.solve.course import Course, Spot, spots
from facedown.games.ecard.solve.numbers import compare
from tests.games.ecard.solve.cases import PRESETS


def _solved(rules: str) -> Solved[Any]:
    course = Course(ECardRules.read(rules))
    return solve_exactly(course) or solve_closely(course)


def _results(solved: Solved[Any], spot: Spot, stake: int) -> Iterator[Any]:
    """What any pair of picks leads to, at any play of the round: an end of it, or the next play."""
    course = solved.course
    for winner in (EMPEROR, SLAVE):
        yield solved.worths[course.after(spot, stake, winner)].value
    for play in range(1, course.plays(spot) + 1):
        yield play_worth(solved, spot, stake, play).value
    yield ends_of(solved, spot, stake).drawn


@pytest.mark.parametrize("rules", PRESETS)
def test_a_forfeit_is_never_better_than_any_pick(rules: str) -> None:
    solved = _solved(rules)
    with localcontext(prec=solved.digits):
        assert _compared(solved) > 100


def _compared(solved: Solved[Any]) -> int:
    """How many results were compared; fails at the first that a forfeit beats."""
    course, compared = solved.course, 0
    for spot in [each for of_round in spots(course) for each in of_round]:
        towards = 1 if course.first_is_emperor(spot) else -1
        stakes = list(course.stakes(spot)) if course.naming(spot) else [1]
        for stake in stakes:
            ends = ends_of(solved, spot, stake)
            for result in _results(solved, spot, stake):
                assert compare(ends.slave, result) * towards <= 0, ("Emperor side", spot, stake)
                assert compare(ends.emperor, result) * towards >= 0, ("Slave side", spot, stake)
                compared += 2
        if course.naming(spot):  # a stake that is not opened counts as the highest one, lost
            lost = ends_of(solved, spot, stakes[-1]).emperor
            for stake in stakes:
                named = play_worth(solved, spot, stake).value
                assert compare(lost, named) * towards >= 0, ("stake", spot, stake)
                compared += 1
    return compared
