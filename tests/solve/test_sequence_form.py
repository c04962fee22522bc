"""The sequence form: on matrices like the matrix solver, on E-Card like E-Card's own."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from facedown.games.ecard.game import GAME as ECARD
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from facedown.solve.best_response import exploitability, value
from facedown.solve.matrix import solve_matrix
from facedown.solve.sequence_form import solve_sequence_form
from facedown.solve.tree import lay_out
from tests.games.ecard.solve.cases import small_rules
from tests.solve.ecard import mixes_of_solution
from tests.solve.poker import Kuhn, PokerRules, PokerView
from tests.solve.test_matrix import matrices
from tests.solve.toys import Matrix, ToyRules


@settings(max_examples=50, deadline=None)
@given(matrices(5))
def test_a_matrix_is_worth_the_same_as_a_game(payoffs: list[list[int]]) -> None:
    tree = lay_out(Matrix(payoffs), ToyRules.of())

    found, equilibrium = solve_sequence_form(tree)

    assert found == pytest.approx(float(solve_matrix(payoffs).value), abs=1e-8)
    assert value(tree.root, equilibrium) == pytest.approx(found, abs=1e-8)
    assert exploitability(tree, equilibrium) == pytest.approx(0, abs=1e-8)


def test_kuhn_poker_is_solved_as_the_books_have_it() -> None:
    tree = lay_out(Kuhn(), PokerRules.of())

    found, equilibrium = solve_sequence_form(tree)

    assert found == pytest.approx(-1 / 18, abs=1e-12)
    assert exploitability(tree, equilibrium) == pytest.approx(0, abs=1e-12)
    middle = {
        situation.view: mix[situation.legal.index("b")]
        for situation, mix in equilibrium.items()
        if isinstance(situation.view, PokerView) and situation.view.card == "1"
    }
    calls = [share for view, share in middle.items() if view.viewer == 2 and view.bets == ("b",)]
    assert calls == pytest.approx([1 / 3])


# --- beside E-Card's own solver --------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(small_rules(), st.integers(1, 2))
def test_both_solvers_agree_on_small_games(rules: ECardRules, rounds: int) -> None:
    assume(rules.tie != "pair")  # pairs may go on forever
    short = ECardRules.read(f"{rules.preset}({_options(rules, rounds)})")
    assume(short.plays <= 3 or short.stakes == "fixed")
    tree = lay_out(ECARD, short)

    found, equilibrium = solve_sequence_form(tree)

    known = 2 * float(solve(short).value) - 1  # what the first Emperor side gains
    seat_1 = {"1": known, "2": -known, "drawn": 0.0}[short.first]
    assert found == pytest.approx(seat_1, abs=1e-9)
    assert exploitability(tree, equilibrium) == pytest.approx(0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(small_rules(), st.integers(1, 2))
def test_the_mixes_of_our_own_solver_cannot_be_exploited_on_the_whole_tree(
    rules: ECardRules, rounds: int
) -> None:
    assume(rules.tie != "pair" and rules.stakes == "fixed")
    short = ECardRules.read(f"{rules.preset}({_options(rules, rounds)})")
    tree, solution = lay_out(ECARD, short), solve(short)

    mixes = mixes_of_solution(tree, solution)

    assert exploitability(tree, mixes) == pytest.approx(0, abs=1e-12)


def _options(rules: ECardRules, rounds: int) -> str:
    changed = {option.name: option.write(rules.value(option)) for option in rules.options}
    changed |= {"rounds": str(rounds), "group": str(min(rounds, rules.group))}
    return ",".join(f"{name}={text}" for name, text in changed.items())
