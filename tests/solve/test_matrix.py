"""Matrix games: every solution carries its own proof, which these tests carry out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core.errors import Unsupported
from facedown.solve.matrix import MatrixSolution, Payoff, solve_matrix

NUMBERS = st.integers(-9, 9)


def matrices(most: int) -> st.SearchStrategy[list[list[int]]]:
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(NUMBERS, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
        )
    )


def guarantees(payoffs: list[list[int]], found: MatrixSolution) -> tuple[Payoff, Payoff]:
    """What the rows' mix is sure of, and what the columns' mix never pays more than."""
    columns = zip(*payoffs, strict=True)
    sure = min(sum(share * cell for share, cell in zip(found.rows, each, strict=True)) for each in columns)
    most = max(sum(share * cell for share, cell in zip(found.columns, row, strict=True)) for row in payoffs)
    return sure, most


@given(matrices(6))
def test_no_row_and_no_column_does_better(payoffs: list[list[int]]) -> None:
    found = solve_matrix(payoffs)

    sure, most = guarantees(payoffs, found)
    assert float(sure) == pytest.approx(float(found.value), abs=1e-9)
    assert float(most) == pytest.approx(float(found.value), abs=1e-9)
    for mix in (found.rows, found.columns):
        assert min(mix) >= 0
        assert float(sum(mix)) == pytest.approx(1, abs=1e-12)


@given(matrices(6))
def test_whole_numbers_are_exact_and_floats_agree(payoffs: list[list[int]]) -> None:
    found = solve_matrix(payoffs)
    rounded = solve_matrix([[cell / 7 for cell in row] for row in payoffs])

    assert guarantees(payoffs, found) == (found.value, found.value)
    assert sum(found.rows) == sum(found.columns) == 1
    assert float(rounded.value) == pytest.approx(float(found.value) / 7, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(matrices(8))
def test_a_linear_program_finds_the_same_value(payoffs: list[list[int]]) -> None:
    from scipy.optimize import linprog

    rows, columns = len(payoffs), len(payoffs[0])
    found: Any = linprog(
        c=[0] * rows + [-1],
        A_ub=[[*(-row[place] for row in payoffs), 1] for place in range(columns)],
        b_ub=[0] * columns,
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )

    assert float(solve_matrix(payoffs).value) == pytest.approx(found.x[-1], abs=1e-9)


@given(matrices(5))
def test_the_other_seat_sees_the_same_game_from_the_other_side(payoffs: list[list[int]]) -> None:
    turned = [[-cell for cell in column] for column in zip(*payoffs, strict=True)]

    assert float(solve_matrix(turned).value) == pytest.approx(-float(solve_matrix(payoffs).value), abs=1e-9)


def test_fractions_stay_fractions() -> None:
    """The last play with a choice of a decided E-Card round: it is worth 0 to both, both cards alike."""
    assert solve_matrix([[-1, 1], [1, -1]]) == (0, (Fraction(1, 2),) * 2, (Fraction(1, 2),) * 2)
    assert solve_matrix([[Fraction(-1), Fraction(1)], [Fraction(1), Fraction(3, 5)]]).value == Fraction(2, 3)


@pytest.mark.parametrize("payoffs", [[], [[]], [[], []], [[1, 2], [3]], [[1], [2, 3]]])
def test_an_invalid_matrix_is_refused(payoffs: list[list[int]]) -> None:
    with pytest.raises(Unsupported, match="rows of the same length"):
        solve_matrix(payoffs)
