"""CFR+: learns towards the equilibrium, the same way every time."""

from __future__ import annotations

import pytest

from facedown.games.ecard.game import GAME as ECARD
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.round import round_table
from facedown.solve.best_response import exploitability, value
from facedown.solve.cfr import Learner
from facedown.solve.tree import lay_out
from tests.solve.poker import Kuhn, PokerRules
from tests.solve.toys import Matrix, ToyRules

ROUND = lay_out(ECARD, ECardRules.read("decisive(rounds=1,group=1,first=1)"))


def test_it_learns_a_round_of_ecard() -> None:
    learner = Learner(ROUND)
    learner.run(2000)

    assert exploitability(ROUND, learner.average()) <= 1e-3
    assert value(ROUND.root, learner.average()) == pytest.approx(float(round_table(5).value), abs=1e-3)


def test_the_longer_it_learns_the_less_can_be_gained_on_it() -> None:
    tree = lay_out(Kuhn(), PokerRules.of())
    learner = Learner(tree)
    gains = [exploitability(tree, learner.average())]
    for rounds in (5, 25, 120):
        learner.run(rounds)
        gains.append(exploitability(tree, learner.average()))

    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < gains[0] / 50


def test_a_better_pick_is_found_at_once() -> None:
    tree = lay_out(Matrix([[0, 0], [5, 5]]), ToyRules.of())
    learner = Learner(tree)
    learner.run(50)

    assert learner.average()[tree.situations[0]][1] > 0.99
