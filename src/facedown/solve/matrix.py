"""Matrix games: two seats pick at once, one pays the other. Exact for 2 × 2, by linear programming otherwise.

Rows belong to the seat that gains, columns to the one that pays.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from facedown.core.errors import Unsupported

Payoff: TypeAlias = "int | Fraction | float"


class MatrixSolution(NamedTuple):
    """The value to the row seat, and one optimal mix for each seat."""

    value: Payoff
    rows: tuple[Payoff, ...]
    columns: tuple[Payoff, ...]


def solve_matrix(payoffs: Sequence[Sequence[Payoff]]) -> MatrixSolution:
    """The equilibrium of a matrix game.

    >>> value, rows, columns = solve_matrix([[3, -1], [-2, 1]])
    >>> str(value), [str(share) for share in rows], [str(share) for share in columns]
    ('1/7', ['3/7', '4/7'], ['2/7', '5/7'])
    """
    if not payoffs or not payoffs[0] or any(len(row) != len(payoffs[0]) for row in payoffs):
        raise Unsupported("a matrix game needs rows of the same length, at least one of each")
    saddle = _saddle(payoffs)
    if saddle is not None:
        return saddle
    if len(payoffs) == 2 and len(payoffs[0]) == 2:
        return _mixed_two_by_two(payoffs)
    return _by_linear_program(payoffs)


def _saddle(payoffs: Sequence[Sequence[Payoff]]) -> MatrixSolution | None:
    """A cell that is the least of its row and the greatest of its column: both seats pick it for sure."""
    columns = list(zip(*payoffs, strict=True))
    for i, row in enumerate(payoffs):
        for j, cell in enumerate(row):
            if cell == min(row) and cell == max(columns[j]):
                return MatrixSolution(cell, _sure(i, len(payoffs)), _sure(j, len(row)))
    return None


def _sure(chosen: int, count: int) -> tuple[Payoff, ...]:
    return tuple(int(place == chosen) for place in range(count))


def _mixed_two_by_two(payoffs: Sequence[Sequence[Payoff]]) -> MatrixSolution:
    """Without a saddle, each seat makes the other indifferent; the closed form is exact for whole numbers."""
    (a, b), (c, d) = (tuple(map(_exact, row)) for row in payoffs)
    spread = a + d - b - c
    row = (d - c) / spread
    column = (d - b) / spread
    return MatrixSolution((a * d - b * c) / spread, (row, 1 - row), (column, 1 - column))


def _exact(number: Payoff) -> Fraction | float:
    return Fraction(number) if isinstance(number, int) else number


def _by_linear_program(payoffs: Sequence[Sequence[Payoff]]) -> MatrixSolution:
    """The row seat's most certain gain, by HiGHS; the columns' mix are the prices of that program."""
    import numpy as np
    from scipy.optimize import linprog

    table = np.array([[float(cell) for cell in row] for row in payoffs])
    rows, columns = table.shape
    found = linprog(
        c=np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-table.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    if not found.success or found.x is None:
        raise Unsupported(f"the linear program of this matrix game failed: {found.message}")
    mix = _as_mix(found.x[:rows].tolist())
    prices = _as_mix([-price for price in found.ineqlin.marginals.tolist()])
    return MatrixSolution(float(found.x[-1]), mix, prices)


def _as_mix(weights: list[float]) -> tuple[float, ...]:
    """Weights as probabilities: none below zero, together one."""
    kept = [max(0.0, weight) for weight in weights]
    return tuple(weight / sum(kept) for weight in kept)
