"""The generic solver on games that others have solved, checked by OpenSpiel on its own versions of them."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.game import AnyGame, Pick
from facedown.solve.cfr import Learner
from facedown.solve.respond import exploitability
from facedown.solve.respond import value as value_of
from facedown.solve.sequence_form import solve_sequence_form
from facedown.solve.tree import Situation, Tree, lay_out
from tests.solve.openspiel import InStep, nash_conv, pyspiel, value
from tests.solve.poker import Kuhn, Leduc, PokerRules

POKER: list[Any] = [
    pytest.param(Kuhn(), "kuhn_poker", {"p": 0, "b": 1}, -1 / 18, id="kuhn"),
    pytest.param(Leduc(), "leduc_poker", {"f": 0, "c": 1, "r": 2}, -0.0856064240780, id="leduc"),
]


def beside(tree: Tree, game: Any, actions: dict[Pick, int]) -> InStep:
    def action_of(situation: Situation, pick: Pick) -> int:
        return actions[pick]

    return InStep(tree, game, action_of)


@pytest.mark.parametrize(("ours", "theirs", "actions", "known"), POKER)
def test_the_sequence_form_finds_what_openspiel_cannot_better(
    ours: AnyGame, theirs: str, actions: dict[Pick, int], known: float
) -> None:
    tree = lay_out(ours, PokerRules.of())
    game = pyspiel().load_game(theirs)
    found, equilibrium = solve_sequence_form(tree)
    policy = beside(tree, game, actions).policy(game, equilibrium)
    assert found == pytest.approx(known, abs=1e-9)
    assert value(game, policy) == pytest.approx(found, abs=1e-9)
    assert nash_conv(game, policy) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("ours", "theirs", "actions", "known"), POKER)
def test_exploitability_is_what_openspiel_measures(
    ours: AnyGame, theirs: str, actions: dict[Pick, int], known: float
) -> None:
    tree = lay_out(ours, PokerRules.of())
    game = pyspiel().load_game(theirs)
    learner = Learner(tree)
    learner.run(5)
    strategy = learner.average()
    policy = beside(tree, game, actions).policy(game, strategy)
    assert 2 * exploitability(tree, strategy) == pytest.approx(nash_conv(game, policy), rel=1e-9)
    assert value_of(tree.root, strategy) == pytest.approx(value(game, policy), rel=1e-9)


def test_cfr_comes_close_to_the_equilibrium() -> None:
    tree = lay_out(Kuhn(), PokerRules.of())
    learner = Learner(tree)
    learner.run(20)
    early = exploitability(tree, learner.average())
    learner.run(480)
    late = exploitability(tree, learner.average())
    assert late < early / 5
    assert late < 2e-3
