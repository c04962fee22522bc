"""The numbers that solving is done with: fractions, or decimals that still know which of them are equal.

Owns precision and rounding. Must not know what the numbers are about.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias, TypeVar

Share: TypeAlias = "Fraction | float"
"""A probability or a value as it is handed out: a fraction where solving was exact, else a float."""

HALF: Final = Fraction(1, 2)

_PRIME: Final = (1 << 61) - 1
_SPARE_DIGITS: Final = 25
"""Digits of a difference that have to be good before its sign, or a quotient by it, is trusted."""


class TooClose(ArithmeticError):
    """Two different numbers that agree in all digits that can be trusted: more digits are needed."""


class Marked:
    """A decimal with the digits of the decimal context, and its exact value's residue modulo a large prime.

    It is for numbers of about the size of 1, like chances. Solving uses only rational arithmetic,
    which the residue follows without any rounding. So two numbers that agree in their digits are equal if
    their marks are, and `TooClose` to distinguish if not: whether two continuations tie is never a matter
    of tolerance.

    >>> third = Marked(1, 3)
    >>> sign(third + third + third - Marked(1))
    0
    """

    __slots__ = ("mark", "near")

    def __init__(self, numerator: int, denominator: int = 1) -> None:
        self.near = Decimal(numerator) / denominator
        self.mark = numerator * _inverse(denominator) % _PRIME

    def __add__(self, other: Marked) -> Marked:
        return _with_mark(self.near + other.near, self.mark + other.mark)

    def __sub__(self, other: Marked) -> Marked:
        return _with_mark(self.near - other.near, self.mark - other.mark)

    def __mul__(self, other: Marked) -> Marked:
        return _with_mark(self.near * other.near, self.mark * other.mark)

    def __rmul__(self, times: int) -> Marked:
        return _with_mark(self.near * times, self.mark * times)

    def __truediv__(self, other: Marked) -> Marked:
        return _with_mark(self.near / other.near, self.mark * pow(other.mark, -1, _PRIME))

    def __repr__(self) -> str:
        return f"<Marked {self.near}>"


@lru_cache(maxsize=4096)
def _inverse(denominator: int) -> int:
    """Few denominators are written down, and often: small ones, and the powers of two of floats."""
    return pow(denominator, -1, _PRIME)


def _with_mark(near: Decimal, mark: int) -> Marked:
    number = Marked.__new__(Marked)
    number.near = near
    number.mark = mark % _PRIME
    return number


FIRST_DIGITS: Final = 60

Found = TypeVar("Found")


def closely(find: Callable[[int], Found]) -> Found:
    """What is found with decimals of as many digits as it takes that none are `TooClose`."""
    digits = FIRST_DIGITS
    while True:
        with localcontext(prec=digits):
            try:
                return find(digits)
            except TooClose:
                digits *= 2


Number = TypeVar("Number", Fraction, Marked)
"""What solving is done with; called as `kind(numerator, denominator)`."""


def sign(difference: Fraction | Marked) -> int:
    """Whether a difference is negative, nothing or positive: -1, 0 or 1.

    >>> sign(Fraction(1, 3) - Fraction(2, 6)), sign(Fraction(-1, 7))
    (0, -1)
    """
    if isinstance(difference, Fraction):
        return (difference.numerator > 0) - (difference.numerator < 0)
    near = difference.near
    if near and near.adjusted() > _SPARE_DIGITS - getcontext().prec:
        return 1 if near > 0 else -1
    if difference.mark:
        raise TooClose(near)
    return 0


def compare(one: Number, other: Number) -> int:
    """The sign of one − other.

    >>> compare(Fraction(1, 3), Fraction(1, 2))
    -1
    """
    if isinstance(one, Fraction):
        return (one > other) - (one < other)
    return sign(one - other)


def number_in(kind: type[Number], shared: Share) -> Number:
    """A number that was handed out, back in the kind that is calculated with; nothing is rounded.

    >>> number_in(Fraction, 0.25)
    Fraction(1, 4)
    """
    return kind(*shared.as_integer_ratio())


def share(number: Fraction | Marked) -> Share:
    """The number as it is handed out."""
    return number if isinstance(number, Fraction) else float(number.near)
