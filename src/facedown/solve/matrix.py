"""Matrix games: two seats pick at once, one pays the other. Solved by the simplex method, without a library.

Rows belong to the seat that gains, columns to the one that pays. Whole numbers and fractions stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from facedown.core.errors import Unsupported

Payoff: TypeAlias = "int | Fraction | float"
_TINY: Final = 1e-12
"""Rounding errors of the method, when numbers are floats."""


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
    return _saddle(payoffs) or _Tableau(payoffs).solution()


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


class _Tableau:
    """The program of the columns, all payoffs moved above zero: the largest sum of weights, no row above one.

    Its dual is that of the rows. Both begin with nothing, which every row allows.
    """

    def __init__(self, payoffs: Sequence[Sequence[Payoff]]) -> None:
        self.exact = not any(isinstance(cell, float) for row in payoffs for cell in row)
        number = Fraction if self.exact else float
        self.tiny = 0 if self.exact else _TINY
        self.height, self.width = len(payoffs), len(payoffs[0])
        self.moved = 1 - number(min(map(min, payoffs)))
        self.lines: list[list[Fraction | float]] = [
            [
                *(cell + self.moved for cell in row),
                *(number(place == at) for place in range(self.height)),
                number(1),
            ]
            for at, row in enumerate(payoffs)
        ]
        self.prices: list[Fraction | float] = [number(-1)] * self.width + [number(0)] * (self.height + 1)
        self.basis = list(range(self.width, self.width + self.height))

    def solution(self) -> MatrixSolution:
        pivots = 0
        while (entering := self._entering(pivots)) is not None:
            self._pivot(self._leaving(entering), entering)
            pivots += 1
        whole = self.prices[-1]
        weights = dict(zip(self.basis, (line[-1] for line in self.lines), strict=True))
        columns = tuple(weights.get(place, 0) / whole for place in range(self.width))
        rows = tuple(price / whole for price in self.prices[self.width : -1])
        return MatrixSolution(1 / whole - self.moved, rows, columns)

    def _entering(self, pivots: int) -> int | None:
        """The column that promises most; after many pivots the first one, which always ends (Bland)."""
        if not self.exact and pivots < 4 * (self.width + self.height):
            best = min(range(self.width + self.height), key=self.prices.__getitem__)
            return best if self.prices[best] < -self.tiny else None
        return next((place for place, price in enumerate(self.prices[:-1]) if price < -self.tiny), None)

    def _leaving(self, entering: int) -> int:
        """The line that limits the entering column most; of several, the one whose column is the first."""
        limits = [
            (line[-1] / line[entering], self.basis[at], at)
            for at, line in enumerate(self.lines)
            if line[entering] > self.tiny
        ]
        return min(limits)[2]

    def _pivot(self, at: int, entering: int) -> None:
        cell = self.lines[at][entering]
        pivot = self.lines[at] = [each / cell for each in self.lines[at]]
        for other, line in enumerate(self.lines):
            if other != at and line[entering]:
                self.lines[other] = _without(line, pivot, entering)
        self.prices = _without(self.prices, pivot, entering)
        self.basis[at] = entering


def _without(
    line: list[Fraction | float], pivot: list[Fraction | float], entering: int
) -> list[Fraction | float]:
    """The line less so much of the pivot's that the entering column is gone."""
    times = line[entering]
    return [each - times * less for each, less in zip(line, pivot, strict=True)]
