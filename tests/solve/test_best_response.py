"""Best responses: they gain what they claim, and no other way of playing gains more."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.solve.best_response import Mix, Strategy, best_response, exploitability, uniform, value
from facedown.solve.tree import Situation, Tree, lay_out
from tests.solve.poker import Kuhn, Leduc, PokerRules

KUHN = lay_out(Kuhn(), PokerRules.of())
SEATS = pytest.mark.parametrize("seat", [1, 2])


def shaken(tree: Tree, dice: random.Random) -> dict[Situation, Mix]:
    """Any strategy: some picks are never made."""
    strategy: dict[Situation, Mix] = {}
    for situation in tree.situations:
        weights = [dice.choice((0.0, dice.random())) for _ in situation.legal]
        weights[dice.randrange(len(weights))] += 0.1
        strategy[situation] = [weight / sum(weights) for weight in weights]
    return strategy


def gain(tree: Tree, seat: int, strategy: Strategy) -> float:
    return value(tree.root, strategy) * (1 if seat == 1 else -1)


def test_uniform_play_in_kuhn_has_the_published_value() -> None:
    assert value(KUHN.root, uniform(KUHN)) == pytest.approx(1 / 8)
    assert best_response(KUHN, 1, uniform(KUHN))[0] == pytest.approx(1 / 2)
    assert best_response(KUHN, 2, uniform(KUHN))[0] == pytest.approx(5 / 12)
    assert exploitability(KUHN, uniform(KUHN)) == pytest.approx(11 / 24)


@SEATS
@settings(max_examples=25, deadline=None)
@given(dice=st.randoms(use_true_random=False))
def test_no_other_way_gains_more(seat: int, dice: random.Random) -> None:
    """Against every plan that a seat of Kuhn poker can have: 64 of them."""
    strategy = shaken(KUHN, dice)
    own = [situation for situation in KUHN.situations if situation.seat == seat]
    plans = product(((1.0, 0.0), (0.0, 1.0)), repeat=len(own))

    most = max(gain(KUHN, seat, strategy | dict(zip(own, plan, strict=True))) for plan in plans)

    assert best_response(KUHN, seat, strategy)[0] == pytest.approx(most, abs=1e-12)


@SEATS
@pytest.mark.parametrize("seed", range(3))
def test_a_best_response_gains_what_it_claims(seat: int, seed: int) -> None:
    tree = lay_out(Leduc(), PokerRules.of())
    strategy = shaken(tree, random.Random(seed))

    claimed, response = best_response(tree, seat, strategy)

    assert {situation.seat for situation in response} == {seat}
    assert all(sorted(mix)[-2:] == [0, 1] for mix in response.values())
    assert gain(tree, seat, strategy | response) == pytest.approx(claimed, abs=1e-12)


def test_a_situation_that_is_never_reached_still_gets_a_pick() -> None:
    """Seat 1 always passes in Kuhn poker: seat 2 never faces a bet, and its answer covers that too."""
    passing: Strategy = {each: (1.0, 0.0) for each in KUHN.situations if each.seat == 1}

    _, response = best_response(KUHN, 2, passing)

    assert set(response) == {each for each in KUHN.situations if each.seat == 2}
    assert all(sum(mix) == 1 for mix in response.values())
