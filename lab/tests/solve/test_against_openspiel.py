"""The generic solver on games that others have solved, checked by OpenSpiel on its own versions of them."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.game import AnyGame, Pick
from facedown.games.ecard.game import GAME as ECARD
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from facedown.solve.best_response import exploitability, uniform
from facedown.solve.best_response import value as value_of
from facedown.solve.cfr import Learner
from facedown.solve.sequence_form import solve_sequence_form
from facedown.solve.tree import Situation, Tree, lay_out
from lab.bench.rivals import openspiel_round
from lab.tests.solve.openspiel import InStep, nash_conv, pyspiel, value
from tests.solve.ecard import mixes_of_solution
from tests.solve.poker import Kuhn, Leduc, PokerRules
from tests.third_game.goofspiel.game import GAME as GOOFSPIEL
from tests.third_game.goofspiel.rules import GoofspielRules

POKER: list[Any] = [
    pytest.param(Kuhn(), "kuhn_poker", {"p": 0, "b": 1}, -1 / 18, id="kuhn"),
    pytest.param(Leduc(), "leduc_poker", {"f": 0, "c": 1, "r": 2}, -0.0856064240780, id="leduc"),
]


def beside(tree: Tree, game: Any, actions: dict[Pick, int], played_out: bool = False) -> InStep:
    def action_of(situation: Situation, pick: Pick) -> int:
        return actions[pick]

    return InStep(tree, game, action_of, played_out)


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


# --- games in which both pick at once --------------------------------------------------------------------

CARDS = {"C": 0, "E": 1, "S": 2}
ORDERS = {"random": "random", "rising": "ascending", "falling": "descending"}


def goofspiels(cards: int, order: str) -> tuple[Tree, Any]:
    """Ours and theirs."""
    options = f"num_cards={cards},points_order={ORDERS[order]},imp_info=False,returns_type=win_loss"
    tree = lay_out(GOOFSPIEL, GoofspielRules.of(cards=cards, order=order))
    return tree, pyspiel().load_game_as_turn_based(f"goofspiel({options})")


@pytest.mark.parametrize(("cards", "order"), [(2, "random"), (3, "random"), (3, "rising"), (3, "falling")])
def test_goofspiel_is_solved_as_openspiel_has_it(cards: int, order: str) -> None:
    tree, game = goofspiels(cards, order)
    bids = {str(card): card - 1 for card in range(1, cards + 1)}

    found, equilibrium = solve_sequence_form(tree)
    policy = beside(tree, game, bids, played_out=True).policy(game, equilibrium)

    assert found == pytest.approx(0, abs=1e-9)  # the seats are alike
    assert value(game, policy) == pytest.approx(0, abs=1e-9)
    assert nash_conv(game, policy) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("order", ["rising", "falling"])
def test_uniform_bids_lose_as_much_as_in_openspiel(order: str) -> None:
    """With four cards OpenSpiel forgets in which order bids were made; uniform play does not mind."""
    tree, game = goofspiels(4, order)
    from open_spiel.python.policy import UniformRandomPolicy

    gained = nash_conv(game, UniformRandomPolicy(game))
    assert gained > 0.5
    assert 2 * exploitability(tree, uniform(tree)) == pytest.approx(gained, rel=1e-9)


@pytest.mark.parametrize("rounds", [1, 2])
def test_ecard_is_solved_as_openspiel_has_it(rounds: int) -> None:
    rules = ECardRules.read(f"decisive(rounds={rounds},group=1,tie=draw,first=1)")
    pyspiel()
    game = openspiel_round.load(rounds)
    tree = lay_out(ECARD, rules)

    found, equilibrium = solve_sequence_form(tree)
    policy = beside(tree, game, CARDS).policy(game, equilibrium)

    assert found == pytest.approx(2 * float(solve(rules).value) - 1, abs=1e-9)
    assert value(game, policy) == pytest.approx(found, abs=1e-9)
    assert nash_conv(game, policy) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("rounds", [1, 2])
def test_openspiel_gains_nothing_on_the_mixes_of_our_own_solver(rounds: int) -> None:
    rules = ECardRules.read(f"decisive(rounds={rounds},group=1,tie=draw,first=1)")
    pyspiel()
    game = openspiel_round.load(rounds)
    tree = lay_out(ECARD, rules)

    policy = beside(tree, game, CARDS).policy(game, mixes_of_solution(tree, solve(rules)))

    assert nash_conv(game, policy) == pytest.approx(0, abs=1e-12)
    assert (1 + value(game, policy)) / 2 == pytest.approx(float(solve(rules).value), abs=1e-12)


def test_our_cfr_learns_as_fast_as_theirs() -> None:
    """After the same number of rounds, within a factor of two."""
    game = pyspiel().load_game("kuhn_poker")
    from open_spiel.python.algorithms.cfr import CFRPlusSolver

    theirs = CFRPlusSolver(game)
    tree = lay_out(Kuhn(), PokerRules.of())
    ours = Learner(tree)
    ours.run(20)
    for _ in range(20):
        theirs.evaluate_and_update_policy()

    gained = nash_conv(game, theirs.average_policy())
    assert gained / 2 < 2 * exploitability(tree, ours.average()) < gained * 2
