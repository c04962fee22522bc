"""Backward induction over the starts of rounds: what each is worth when both seats play their best.

Owns the worth of every state: exact, or with as many digits as it takes to tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, NamedTuple

from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED
from facedown.games.ecard.solve.course import Course, FinalResult, Next, Spot, backward, has_pairs
from facedown.games.ecard.solve.numbers import FIRST_DIGITS, Marked, Number, closely, compare, sign
from facedown.games.ecard.solve.round import RoundEnds, odds, value

SMALL_BITS: Final = 512
"""Fractions with longer denominators are not worth their time."""


class TooLong(ArithmeticError):
    """Fractions that have grown past `SMALL_BITS`."""


class Worth(NamedTuple, Generic[Number]):
    """What a state is worth to the first Emperor side: P(win) + P(draw)/2, and P(draw)."""

    value: Number
    draw: Number


@dataclass(frozen=True, slots=True)
class Solved(Generic[Number]):
    """What everything is worth that a game can come to, in one kind of number with that number of digits."""

    course: Course
    kind: type[Number]
    digits: int
    worths: dict[Next, Worth[Number]]


def solve_exactly(course: Course) -> Solved[Fraction] | None:
    """In fractions; None where they do not stay small. They do where rounds are always decided."""
    solved = Solved(course, Fraction, FIRST_DIGITS, results(Fraction))
    try:
        _fill(solved, _check_small)
    except TooLong:
        return None
    return solved


def solve_closely(course: Course) -> Solved[Marked]:
    """In decimals, with as many digits as it takes to tell all states apart that differ."""

    def find(digits: int) -> Solved[Marked]:
        solved = Solved(course, Marked, digits, results(Marked))
        _fill(solved, lambda _: None)
        return solved

    return closely(find)


def results(kind: type[Number]) -> dict[Next, Worth[Number]]:
    """What the results of a game are worth."""
    return {
        FinalResult.WIN: Worth(kind(1), kind(0)),
        FinalResult.DRAW: Worth(kind(1, 2), kind(1)),
        FinalResult.LOSE: Worth(kind(0), kind(0)),
    }


def _check_small(worth: Worth[Fraction]) -> None:
    if worth.value.denominator.bit_length() > SMALL_BITS:
        raise TooLong


def _fill(solved: Solved[Number], check: Callable[[Worth[Number]], None]) -> None:
    course = solved.course
    if has_pairs(course):
        fifth = solved.kind(1, DECIDED)
        solved.worths[course.extra_start] = pair_worth(course, lambda _: fifth, solved.kind)

    def at(spot: Spot) -> Worth[Number]:
        worth = _start_worth(solved, spot)
        check(worth)
        return worth

    backward(course, solved.worths, at)


def _start_worth(solved: Solved[Number], spot: Spot) -> Worth[Number]:
    """The start of a round; where stakes are named, one of the best is (E13)."""
    if not solved.course.naming(spot):
        return play_worth(solved, spot, 1)
    named = [play_worth(solved, spot, stake) for stake in solved.course.stakes(spot)]
    best = best_stakes(solved.course, spot, [worth.value for worth in named])
    draw = named[best[0]].draw
    for index in best[1:]:
        draw = draw + named[index].draw
    return Worth(named[best[0]].value, draw / solved.kind(len(best)))


def best_stakes(course: Course, spot: Spot, values: list[Number]) -> list[int]:
    """The places of all stakes that are best for the Slave side, from what each is worth."""
    towards = -1 if course.first_is_emperor(spot) else 1
    best = [0]
    for index in range(1, len(values)):
        better = compare(values[index], values[best[0]]) * towards
        if better > 0:
            best = [index]
        elif better == 0:
            best.append(index)
    return best


def ends_of(solved: Solved[Number], spot: Spot, stake: int) -> RoundEnds[Number]:
    """What the ends of a round are worth."""
    course, worths = solved.course, solved.worths
    emperor = worths[course.after(spot, stake, EMPEROR)].value
    slave = worths[course.after(spot, stake, SLAVE)].value
    drawn = worths[course.after_draw(spot, stake)].value
    return RoundEnds(emperor, slave, drawn, towards=1 if course.first_is_emperor(spot) else -1)


def play_worth(solved: Solved[Number], spot: Spot, stake: int, play: int = 1) -> Worth[Number]:
    """What a round is worth at one of its plays, the earlier ones having been drawn."""
    course, kind, worths = solved.course, solved.kind, solved.worths
    ends = ends_of(solved, spot, stake)
    free = max(course.free(spot) - play + 1, 0)
    if course.rules.tie != "draw":
        return Worth(value(ends, free, kind), kind(0))
    odd = odds(ends, free, kind)
    emperor, slave = (worths[course.after(spot, stake, side)].draw for side in (EMPEROR, SLAVE))
    drawn = worths[course.after_draw(spot, stake)].draw
    return Worth(value(ends, free, kind), odd.emperor * emperor + odd.slave * slave + odd.drawn * drawn)


# --- pairs of extra rounds -------------------------------------------------------------------------------


def pair_worth(course: Course, slave_wins: Callable[[Spot], Number], kind: type[Number]) -> Worth[Number]:
    """What pairs of extra rounds (E12) are worth, from how likely the Slave side is to win each round of one.

    In equilibrium that is one in five in every decided round, whatever it leads to. Pairs that never end
    are worth a draw.
    """
    win, again = _pair_odds(course, course.extra_start, slave_wins, kind)
    ended = kind(1) - again
    return Worth(win / ended, kind(0)) if sign(ended) else Worth(kind(1, 2), kind(1))


def _pair_odds(
    course: Course, spot: Spot, slave_wins: Callable[[Spot], Number], kind: type[Number]
) -> tuple[Number, Number]:
    """How likely the first Emperor side is to win more of the pair, and the pair to be shared."""
    slave = slave_wins(spot)
    win, again = kind(0), kind(0)
    for side, chance in ((EMPEROR, kind(1) - slave), (SLAVE, slave)):
        then = course.after(spot, 1, side)
        if then is FinalResult.WIN:
            win = win + chance
        elif then == course.extra_start:
            again = again + chance
        elif isinstance(then, Spot):
            later_win, later_again = _pair_odds(course, then, slave_wins, kind)
            win, again = win + chance * later_win, again + chance * later_again
    return win, again
