"""One round of E-Card, solved in closed form, and the numbers that it is done with."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from facedown.games.ecard.solve.numbers import Marked, TooClose, closely, sign
from facedown.games.ecard.solve.round import RoundEnds, choices, mixes, odds, timing, value

HALF = Fraction(1, 2)


# --- a round ---------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(st.tuples(*[st.integers(-3, 3)] * 3), st.integers(1, 5), st.sampled_from((1, -1)))
def test_each_play_of_a_round_is_the_canonical_equilibrium(
    worths: tuple[int, int, int], plays: int, towards: int
) -> None:
    emperor, slave, undecided = (Fraction(worth) for worth in worths)
    ends = RoundEnds(emperor, slave, slave if plays == 5 else undecided, towards)
    free = choices(plays)

    for played, mix in enumerate(mixes(ends, free, Fraction)):
        after = value(ends, free - played - 1, Fraction)
        a, b, c = (towards * each for each in (emperor, slave, after))
        rows = _best_mixes([[b, a], [a, c]])
        columns = _best_mixes([[-b, -a], [-a, -c]])
        assert (mix.emperor, mix.slave) == (_canonical(rows), _canonical(columns))
        assert mix.unique == (len(rows) == len(columns) == 1)
        assert towards * value(ends, free - played, Fraction) == _assured_payoff([[b, a], [a, c]], rows[0])


def _assured_payoff(cells: list[list[Fraction]], special: Fraction) -> Fraction:
    (one, two), (three, four) = cells
    return min(special * one + (1 - special) * three, special * two + (1 - special) * four)


def _best_mixes(cells: list[list[Fraction]]) -> list[Fraction]:
    """The ends of the row player's best chances of the first row: one if it is unique."""
    (one, two), (three, four) = cells
    corners = {Fraction(0), Fraction(1)}
    slope = (one - three) - (two - four)
    if slope and 0 <= (four - three) / slope <= 1:
        corners.add((four - three) / slope)
    most = max(_assured_payoff(cells, corner) for corner in corners)
    best = sorted(corner for corner in corners if _assured_payoff(cells, corner) == most)
    return best if len(best) < 2 else [best[0], best[-1]]


def _canonical(best: list[Fraction]) -> Fraction:
    """A best mix that is not unique is any mix at all; the canonical one plays both cards alike."""
    if len(best) == 1:
        return best[0]
    assert best == [0, 1]
    return HALF


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(-3, 3)] * 3), st.integers(1, 5))
def test_a_round_has_the_value_of_the_linear_program(worths: tuple[int, int, int], plays: int) -> None:
    """Each side chooses the play of its special card beforehand, or none; each cell is played out."""
    emperor, slave, undecided = worths
    forced = plays == 5
    moments = range(plays) if forced else range(plays + 1)
    cells = [[_played_out(e, s, plays, (emperor, slave, undecided)) for s in moments] for e in moments]
    ends = RoundEnds(Fraction(emperor), Fraction(slave), Fraction(slave if forced else undecided), towards=1)

    assert float(value(ends, choices(plays), Fraction)) == pytest.approx(_by_linear_program(cells), abs=1e-9)


def _played_out(emperor: int, slave: int, plays: int, worths: tuple[int, int, int]) -> int:
    for play in range(plays):
        special = (emperor == play) + (slave == play)
        if special:
            return worths[special - 1]
    return worths[2]


def _by_linear_program(cells: list[list[int]]) -> float:
    from scipy.optimize import linprog  # takes long, in every process that collects tests

    count = len(cells)
    answer: Any = linprog(
        c=[0.0] * count + [-1.0],
        A_ub=[[-cells[row][column] for row in range(count)] + [1.0] for column in range(count)],
        b_ub=[0.0] * count,
        A_eq=[[1.0] * count + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
    )
    return float(-answer.fun)


@given(st.tuples(*[st.integers(-3, 3)] * 3), st.integers(0, 4), st.sampled_from((1, -1)))
def test_the_odds_of_a_round_are_those_of_its_mixes(
    worths: tuple[int, int, int], free: int, towards: int
) -> None:
    emperor, slave, drawn = (Fraction(worth) for worth in worths)
    ends = RoundEnds(emperor, slave, drawn, towards)
    plays = mixes(ends, free, Fraction)
    both = zip(
        timing([mix.emperor for mix in plays], Fraction),
        timing([mix.slave for mix in plays], Fraction),
        strict=True,
    )
    met = [one * other for one, other in both]
    odd = odds(ends, free, Fraction)

    assert odd.slave == sum(met[:-1])
    assert odd.drawn == met[-1]
    assert sum(odd) == 1
    assert odd.emperor * emperor + odd.slave * slave + odd.drawn * drawn == value(ends, free, Fraction)


# --- numbers ---------------------------------------------------------------------------------------------


def test_marked_numbers_know_that_they_are_equal_when_digits_do_not() -> None:
    with localcontext(prec=60):
        seventh = Marked(1, 7)
        whole = Marked(0)
        for _ in range(7):
            whole = whole + seventh

        assert whole.near != 1
        assert sign(whole - Marked(1)) == 0
        assert sign(Marked(1, 3) - seventh) == 1
        assert "0.142857" in repr(seventh)


def test_numbers_that_are_too_close_get_more_digits() -> None:
    def difference(digits: int) -> tuple[int, int]:
        return digits, sign(Marked(1) + Marked(1, 10**50) - Marked(1))

    with localcontext(prec=60), pytest.raises(TooClose):
        difference(60)
    assert closely(difference) == (120, 1)


@given(*[st.fractions(Fraction(1, 10**6), 1, max_denominator=10**6)] * 2)
def test_marked_numbers_calculate_like_fractions(one: Fraction, other: Fraction) -> None:
    assume(other)
    with localcontext(prec=60):
        a, b = Marked(*one.as_integer_ratio()), Marked(*other.as_integer_ratio())
        for mine, exact in (
            (a + b, one + other),
            (a - b, one - other),
            (a * b, one * other),
            (a / b, one / other),
        ):
            assert sign(mine - Marked(*exact.as_integer_ratio())) == 0
            assert abs(mine.near - Decimal(exact.numerator) / exact.denominator) <= Decimal(10) ** -40
