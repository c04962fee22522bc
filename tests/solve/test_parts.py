"""Games solved part by part: the values and mixes that the whole tree's linear program and the books have."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from facedown.core.rules import Rules
from facedown.games.ecard.game import GAME as ECARD
from facedown.games.ecard.rules import ECardRules
from facedown.solve.best_response import exploitability, value
from facedown.solve.matrix import solve_matrix
from facedown.solve.parts import PartTooLarge, solve_parts
from facedown.solve.sequence_form import solve_sequence_form
from facedown.solve.tree import Tree, lay_out
from tests.games.ecard.solve.cases import small_rules
from tests.solve.poker import Kuhn, Leduc, PokerRules
from tests.solve.test_matrix import matrices
from tests.solve.test_sequence_form import _options
from tests.solve.toys import Matrix, ToyRules
from tests.third_game.goofspiel.game import GAME as GOOFSPIEL
from tests.third_game.goofspiel.rules import GoofspielRules


def check(tree: Tree) -> float:
    """The value, which the mixes for all situations are sure of."""
    found, mixes = solve_parts(tree)
    assert mixes.keys() == set(tree.situations)
    assert value(tree.root, mixes) == pytest.approx(found, abs=1e-12)
    assert exploitability(tree, mixes) == pytest.approx(0, abs=1e-12)
    return found


@given(matrices(5))
def test_a_matrix_is_worth_the_same_as_a_game(payoffs: list[list[int]]) -> None:
    found = check(lay_out(Matrix(payoffs), ToyRules.of()))
    assert found == pytest.approx(float(solve_matrix(payoffs).value), abs=1e-12)


def test_kuhn_poker_is_one_part_and_worth_what_the_books_have() -> None:
    assert check(lay_out(Kuhn(), PokerRules.of())) == pytest.approx(-1 / 18, abs=1e-12)


@pytest.mark.parametrize(
    "rules", [GoofspielRules.of(cards=3), GoofspielRules.of(cards=4, order="rising")], ids=str
)
def test_goofspiel_is_even(rules: Rules) -> None:
    assert check(lay_out(GOOFSPIEL, rules)) == pytest.approx(0, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(small_rules(), st.integers(1, 2))
def test_the_parts_of_a_small_game_are_worth_what_its_linear_program_finds(
    rules: ECardRules, rounds: int
) -> None:
    assume(rules.tie != "pair")  # pairs may go on forever
    short = ECardRules.read(f"{rules.preset}({_options(rules, rounds)})")
    assume(short.plays <= 3 or short.stakes == "fixed")
    tree = lay_out(ECARD, short)

    assert check(tree) == pytest.approx(solve_sequence_form(tree)[0], abs=1e-9)


def test_a_game_of_many_secrets_is_too_large() -> None:
    with pytest.raises(PartTooLarge):
        solve_parts(lay_out(Leduc(), PokerRules.of()))
