"""One round of E-Card as a game of its own: when does each side play its special card?

Owns a round's equilibrium, in closed form. Knows what the ends of a round are worth, and not what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final, Generic, NamedTuple

from facedown.games.ecard.rules import DECIDED
from facedown.games.ecard.solve.numbers import HALF, Number, sign


class RoundEnds(NamedTuple, Generic[Number]):
    """What the ends of a round are worth to the first Emperor side.

    In a play (E1) the special cards meeting is the Slave's win, one of them meeting a Citizen is the Emperor
    side's win, whichever side played it, and two Citizens lead to the next play:

                  S          C
        E       slave     emperor
        C      emperor   next play
    """

    emperor: Number
    slave: Number
    drawn: Number
    """All plays with a choice were drawn: neither has won, or (E6) the Slave side does in the fifth play."""
    towards: int
    """1 where the Emperor side wants much of it, being the first Emperor side; -1 where it wants little."""


class PlayMix(NamedTuple, Generic[Number]):
    """One play in equilibrium: how likely each side's special card is now, if it is still held."""

    emperor: Number
    slave: Number
    unique: bool


class Odds(NamedTuple, Generic[Number]):
    """How likely each end of a round is."""

    emperor: Number
    slave: Number
    drawn: Number


# Let d = emperor − slave and x = emperor − drawn. Where both have the same sign, neither side may be
# predictable: with j plays left that have a choice, both play the special card with x / (d + j·x), which
# seen from the start of the round is the same chance for each play. In every other case one card of some
# side is as good as the other whatever happens, and the round is worth `emperor`. There, by the signs of d
# and x (to the Emperor side): the mixes of the last play, and of the plays before it. They are canonical: a
# side that may do anything plays both cards alike. (A side's best mixes are always one mix, or all of them.)
_NEVER: Final = Fraction(0)
_NOW: Final = Fraction(1)
_SETTLED: Final[dict[tuple[int, int], tuple[PlayMix[Fraction], PlayMix[Fraction]]]] = {
    (1, 0): (PlayMix(_NEVER, HALF, False), PlayMix(_NEVER, HALF, False)),
    (1, -1): (PlayMix(_NEVER, _NOW, True), PlayMix(_NEVER, HALF, False)),
    (0, 1): (PlayMix(_NOW, HALF, False), PlayMix(HALF, HALF, False)),
    (0, 0): (PlayMix(HALF, HALF, False), PlayMix(HALF, HALF, False)),
    (0, -1): (PlayMix(HALF, _NOW, False), PlayMix(HALF, HALF, False)),
    (-1, 1): (PlayMix(_NOW, _NEVER, True), PlayMix(HALF, _NEVER, False)),
    (-1, 0): (PlayMix(HALF, _NEVER, False), PlayMix(HALF, _NEVER, False)),
}


def choices(plays: int) -> int:
    """The plays of a round that have a choice: not the fifth, when only the special card is left."""
    return min(plays, DECIDED - 1)


def value(ends: RoundEnds[Number], free: int, kind: type[Number]) -> Number:
    """What a round is worth to the first Emperor side when `free` plays that have a choice are left."""
    if not free:
        return ends.drawn
    d = ends.emperor - ends.slave
    if ends.drawn is ends.slave:  # a round that will be decided: x = d, so that much of this falls away
        return ends.emperor - d / kind(free + 1)
    x = ends.emperor - ends.drawn
    if _open(sign(d), sign(x)):
        return ends.emperor - x * d / (d + free * x)
    return ends.emperor


def mixes(ends: RoundEnds[Number], free: int, kind: type[Number]) -> tuple[PlayMix[Number], ...]:
    """The canonical equilibrium of each play that has a choice."""
    d = ends.emperor - ends.slave
    x = ends.emperor - ends.drawn
    signs = sign(d), sign(x)
    if _open(*signs):
        decided = ends.drawn is ends.slave  # x = d, as in `value`
        hazards = [kind(1, left + 1) if decided else x / (d + left * x) for left in range(free, 0, -1)]
        return tuple(PlayMix(hazard, hazard, True) for hazard in hazards)
    settled = _forced_mixes((signs[0] * ends.towards, signs[1] * ends.towards), free)
    return tuple(PlayMix(_in(kind, mix.emperor), _in(kind, mix.slave), mix.unique) for mix in settled)


def odds(ends: RoundEnds[Number], free: int, kind: type[Number]) -> Odds[Number]:
    """How likely the ends are in the canonical equilibrium."""
    d = ends.emperor - ends.slave
    x = ends.emperor - ends.drawn
    signs = sign(d), sign(x)
    if not _open(*signs):
        settled = _settled_odds((signs[0] * ends.towards, signs[1] * ends.towards), free)
        return Odds(*(_in(kind, each) for each in settled))
    each = x / (d + free * x)
    never = kind(1) - free * each
    slave, drawn = free * (each * each), never * never
    return Odds(kind(1) - slave - drawn, slave, drawn)


def timing(hazards: Sequence[Number], kind: type[Number]) -> list[Number]:
    """From the chance at each play, if still held, to each play's chance from the start; the last is: never.

    >>> [str(each) for each in timing([Fraction(1, 5), Fraction(1, 4), Fraction(1, 3)], Fraction)]
    ['1/5', '1/5', '1/5', '2/5']
    """
    held = kind(1)
    plays: list[Number] = []
    for hazard in hazards:
        now = held * hazard
        plays.append(now)
        held = held - now
    plays.append(held)
    return plays


def _open(d: int, x: int) -> bool:
    """Whether both sides have to mix."""
    return d == x != 0


def _forced_mixes(signs: tuple[int, int], free: int) -> tuple[PlayMix[Fraction], ...]:
    last, before = _SETTLED[signs]
    return (before,) * (free - 1) + (last,) * min(free, 1)


@cache
def _settled_odds(signs: tuple[int, int], free: int) -> Odds[Fraction]:
    mixes = _forced_mixes(signs, free)
    emperor = timing([mix.emperor for mix in mixes], Fraction)
    slave = timing([mix.slave for mix in mixes], Fraction)
    *met, never = (ours * theirs for ours, theirs in zip(emperor, slave, strict=True))
    return Odds(1 - sum(met, never), sum(met, Fraction(0)), never)


def _in(kind: type[Number], fraction: Fraction) -> Number:
    return kind(fraction.numerator, fraction.denominator)


# --- a round for itself ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One round for itself, solved: its value to the Emperor side, and what happens in it."""

    value: Fraction
    hazards: tuple[Fraction, ...]
    """The chance of the special card at each play, if it is still held; the same for both sides."""
    emperor_wins: Fraction
    slave_wins: Fraction
    undecided: Fraction


def round_table(plays: int, emperor_pays: int = 1, slave_pays: int = 1) -> RoundTable:
    """One round that pays its winner these units, which the loser pays (E6, E10).

    >>> table = round_table(3, slave_pays=5)
    >>> str(table.value), [str(hazard) for hazard in table.hazards]
    ('1/3', ['1/9', '1/8', '1/7'])
    """
    if not 1 <= plays <= DECIDED:
        raise ValueError(f"a round has 1 to {DECIDED} plays, not {plays}")
    if emperor_pays < 1 or slave_pays < 1:
        raise ValueError("a round won pays at least 1, on either side")
    free, forced = choices(plays), plays == DECIDED
    lost = Fraction(-slave_pays)
    ends = RoundEnds(Fraction(emperor_pays), lost, lost if forced else Fraction(0), towards=1)
    hazards = [mix.emperor for mix in mixes(ends, free, Fraction)] + [_NOW] * forced
    odd = odds(ends, free, Fraction)
    return RoundTable(
        value=value(ends, free, Fraction),
        hazards=tuple(hazards),
        emperor_wins=odd.emperor,
        slave_wins=odd.slave + (odd.drawn if forced else 0),
        undecided=Fraction(0) if forced else odd.drawn,
    )
