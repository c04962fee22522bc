"""The sage's promise, proved: everything that an opponent could do is tried, and nothing breaks it."""

from __future__ import annotations

from functools import cache

import pytest

from facedown.core.parts.bot import Memory
from facedown.games.ecard.bots.plain import Equilibrium
from facedown.games.ecard.bots.reader import OUTLAY, Reader, Sage
from facedown.games.ecard.bots.worth import bet, place_of
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from tests.games.ecard.bot_games import Stubborn, at_worst, on_average, series
from tests.games.ecard.table import sit

ALWAYS_DECIDED = "decisive(rounds=3,group=1)"
RULES = (
    ALWAYS_DECIDED,
    "decisive(rounds=2,group=1)",
    "classic(rounds=3,group=1,tie=extra)",
    "classic(rounds=2,group=2,plays=4)",
    "victories(rounds=3,group=2)",
    "purse(rounds=2,group=1,purse=9,max_stake=3,tie=extra)",
    "purse(rounds=2,group=1,purse=3,max_stake=2,plays=3,tie=draw)",
)
SEATS = (1, 2)


def value(rules: str, seat: int) -> float:
    """What the game is worth to a seat if seat 1 is the Emperor side first."""
    first = float(solve(ECardRules.read(rules)).value)
    return first if seat == 1 else 1 - first


@cache
def memory_of_a_readable_one(rules: str) -> Memory:
    return series(rules, Sage, Stubborn, 10, "readable")[1]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seat", SEATS)
def test_no_opponent_gets_a_stranger_below_the_value(rules: str, seat: int) -> None:
    assert at_worst(Sage(), seat, rules, 1) == pytest.approx(value(rules, seat), abs=1e-12)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seat", SEATS)
def test_no_opponent_gets_below_the_value_by_more_than_the_outlay(rules: str, seat: int) -> None:
    """Its memory holds an opponent that it always reads, so it bets as much as it ever does."""
    worst = at_worst(Sage(memory_of_a_readable_one(rules)), seat, rules, 1)

    assert value(rules, seat) - OUTLAY - 1e-12 <= worst < value(rules, seat) - OUTLAY / 2


@pytest.mark.parametrize("seat", SEATS)
def test_the_proof_finds_a_bot_that_is_not_safe(seat: int) -> None:
    assert at_worst(Equilibrium(), seat, ALWAYS_DECIDED, 1) == pytest.approx(value(ALWAYS_DECIDED, seat))
    fooled = at_worst(Reader(memory_of_a_readable_one(ALWAYS_DECIDED)), seat, ALWAYS_DECIDED, 1)
    assert fooled == pytest.approx(0)


@pytest.mark.parametrize("seat", SEATS)
def test_the_outlay_pays_against_an_opponent_who_stays_readable(seat: int) -> None:
    sage = Sage(memory_of_a_readable_one(ALWAYS_DECIDED))

    gained = on_average(sage, seat, ALWAYS_DECIDED, 1, Stubborn()) - value(ALWAYS_DECIDED, seat)
    assert gained > 30 * OUTLAY


@pytest.mark.parametrize(
    ("rules", "seat"),
    [
        ("classic(rounds=3,group=1,tie=extra)", 1),
        ("purse(rounds=2,group=1,purse=9,max_stake=3,tie=extra)", 2),
    ],
    ids=["cards that are never right", "stakes badly named"],
)
def test_gains_from_mistakes_are_bet_on_the_reading(rules: str, seat: int) -> None:
    """Without any memory: the equilibrium gains by such mistakes, and the sage by more than them."""
    gained = [
        on_average(bot, seat, rules, 1, Stubborn()) - value(rules, seat) for bot in (Equilibrium(), Sage())
    ]
    assert 0 < gained[0] < gained[1]


def test_nothing_is_risked_against_an_unreadable_opponent() -> None:
    memory = series(ALWAYS_DECIDED, Sage, Equilibrium, 10, "unreadable")[1]

    assert at_worst(Sage(memory), 1, ALWAYS_DECIDED, 1) == pytest.approx(value(ALWAYS_DECIDED, 1), abs=1e-12)


def test_the_solution_is_played_against_an_opponent_in_a_play_of_chance_zero() -> None:
    worth = place_of(sit("decisive", "1").match.view(1)).round_at(1)

    assert bet(worth, 3, [0.0, 0.0], 0.1) == worth.ours[3] == 0.5
