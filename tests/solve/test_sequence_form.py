"""The sequence form: on matrices like the matrix solver, on E-Card like E-Card's own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from facedown.core.seats import Seat
from facedown.games.ecard.game import GAME as ECARD
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from facedown.solve.best_response import best_response, exploitability, uniform, value
from facedown.solve.matrix import solve_matrix
from facedown.solve.sequence_form import restricted_response, solve_sequence_form
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


# --- what is known of the other seat ---------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
def test_a_restricted_response_lies_between_the_equilibrium_and_the_best_response(seat: Seat) -> None:
    tree = lay_out(ECARD, ECardRules.read("short(rounds=2,group=1)"))
    model = uniform(tree)
    sign = 1 if seat == 1 else -1

    def worth(**known: Any) -> tuple[float, float]:
        """What it gains on the model, and what it is sure of."""
        mine = restricted_response(tree, seat, model, **known)
        theirs = {situation: mix for situation, mix in model.items() if situation.seat != seat}
        return sign * value(tree.root, {**theirs, **mine}), -best_response(tree, 3 - seat, mine)[0]

    solved, best = sign * solve_sequence_form(tree)[0], best_response(tree, seat, model)[0]
    by_weight = [worth(weight=weight) for weight in (0.0, 0.3, 0.7, 1.0)]
    by_trust = [worth(trust=lambda _, trust=trust: trust) for trust in (0.0, 0.3, 0.7, 1.0)]

    for found in (by_weight, by_trust):
        gains, sure = zip(*found, strict=True)
        assert sure[0] == pytest.approx(solved, abs=1e-6)
        assert gains[-1] == pytest.approx(best, abs=1e-6)
        assert max(gains) <= best + 1e-6
        assert max(sure) <= solved + 1e-6
    gains, sure = zip(*by_weight, strict=True)  # a trust in situations need not lead steadily from end to end
    assert list(gains) == pytest.approx(sorted(gains), abs=1e-6)
    assert list(sure) == pytest.approx(sorted(sure, reverse=True), abs=1e-6)
