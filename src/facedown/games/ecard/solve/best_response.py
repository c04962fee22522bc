"""Best responses and exploitability in E-Card: a behaviour against the best answer.

Owns the proof that a solution is one. Takes any behaviour, and knows nothing of how it came about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final, Generic, Protocol

from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.backward import Worth, pair_worth
from facedown.games.ecard.solve.course import Course, FinalResult, Next, SeatName, Spot, backward, has_pairs
from facedown.games.ecard.solve.numbers import Marked, Number, Share, closely, compare, number_in, share, sign
from facedown.games.ecard.solve.round import timing

_SEATS: Final[tuple[SeatName, SeatName]] = ("first", "other")


class Behaviour(Protocol):
    """A way of playing: how likely each pick is in every state."""

    def special(self, spot: Spot, stake: int, side: str) -> Sequence[Share]:
        """At each play of this round that has a choice: the chance of the special card, if still held."""

    def stakes(self, spot: Spot) -> Mapping[int, Share]:
        """The chance of each stake, where one is named (E13)."""


@dataclass(frozen=True, slots=True)
class Habitual:
    """A behaviour with a habit: at some plays its special card has a fixed chance, whatever the score."""

    usual: Behaviour
    chances: Mapping[tuple[str, int], Share]
    """By side and play, from 0."""

    def special(self, spot: Spot, stake: int, side: str) -> Sequence[Share]:
        usual = self.usual.special(spot, stake, side)
        return [self.chances.get((side, at), chance) for at, chance in enumerate(usual)]

    def stakes(self, spot: Spot) -> Mapping[int, Share]:
        return self.usual.stakes(spot)


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a state is worth to the first Emperor side: value = P(win) + P(draw)/2.

    In equilibrium the value is the same whichever is chosen; the rest is that of the canonical one.
    """

    value: Share
    win: Share
    draw: Share
    lose: Share


def prospects(worth: Worth[Number], kind: type[Number]) -> tuple[Share, Share, Share, Share]:
    """A worth as it is handed out: value, win, draw, lose."""
    half = worth.draw * kind(1, 2)
    win, lose = worth.value - half, kind(1) - worth.value - half
    return share(worth.value), share(win), share(worth.draw), share(lose)


def best_response(rules: ECardRules, behaviour: Behaviour, seat: SeatName) -> float:
    """What this seat can get at most, P(win) + P(draw)/2, when the other one keeps to the behaviour."""
    return float(share(closely(lambda _: _best(rules, behaviour, seat, Marked))))


def best_responses(rules: ECardRules, behaviour: Behaviour, seat: SeatName) -> dict[Next, float]:
    """The same at every start of a round, and at the ends of the game."""
    values = closely(lambda _: _Answer(Course(rules), behaviour, seat, Marked).values())
    return {each: float(share(value)) for each, value in values.items()}


def exploitability(rules: ECardRules, behaviour: Behaviour) -> float:
    """What the best answers of both seats gain on a behaviour, together: nothing on an equilibrium."""

    def gain(_: int) -> Marked:
        first, other = (_best(rules, behaviour, seat, Marked) for seat in _SEATS)
        return first + other - Marked(1)

    return float(share(closely(gain)))


def exact_exploitability(rules: ECardRules, behaviour: Behaviour) -> Fraction:
    """The same as a fraction: exact, and slow if the behaviour's numbers are long ones."""
    return sum((_best(rules, behaviour, seat, Fraction) for seat in _SEATS), Fraction(-1))


def _best(rules: ECardRules, behaviour: Behaviour, seat: SeatName, kind: type[Number]) -> Number:
    return _Answer(Course(rules), behaviour, seat, kind).value()


# --- the best answer -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Answer(Generic[Number]):
    """The best answer of a seat to the behaviour of the other one."""

    course: Course
    behaviour: Behaviour
    seat: SeatName
    kind: type[Number]

    def value(self) -> Number:
        return self.values()[self.course.start]

    def values(self) -> dict[Next, Number]:
        """What it gets from every start of a round on, and at the ends of the game."""
        course, kind = self.course, self.kind
        won, lost = (
            (FinalResult.WIN, FinalResult.LOSE)
            if self.seat == "first"
            else (FinalResult.LOSE, FinalResult.WIN)
        )
        values: dict[Next, Number] = {won: kind(1), FinalResult.DRAW: kind(1, 2), lost: kind(0)}
        if has_pairs(course):
            values[course.extra_start] = self.pair()
        backward(course, values, lambda spot: self.start(values, spot))
        return values

    def start(self, values: Mapping[Next, Number], spot: Spot) -> Number:
        if not self.course.naming(spot):
            return self.round(values, spot, 1)
        if self.course.side(spot, self.seat) == SLAVE:
            return _most([self.round(values, spot, stake) for stake in self.course.stakes(spot)])
        named = _in(self.kind, self.behaviour.stakes(spot))
        return _total([chance * self.round(values, spot, stake) for stake, chance in named], self.kind)

    def round(self, values: Mapping[Next, Number], spot: Spot, stake: int) -> Number:
        """The best play for the special card: on either side, the Slave wins only where both are met."""
        course = self.course
        emperor = values[course.after(spot, stake, EMPEROR)]
        met = values[course.after(spot, stake, SLAVE)] - emperor
        drawn = values[course.after_draw(spot, stake)] - emperor
        plays = self.others_plays(spot, stake)
        best = _extremes(plays[:-1])[1 if sign(met) > 0 else 0]
        return emperor + _most((best * met, plays[-1] * drawn))

    def others_plays(self, spot: Spot, stake: int) -> list[Number]:
        """How likely the other seat's special card is at each play; the last is: never."""
        side = SLAVE if self.course.side(spot, self.seat) == EMPEROR else EMPEROR
        return _plays(self.behaviour, self.course, spot, stake, side, self.kind)

    def pair(self) -> Number:
        """Pairs of extra rounds (E12): in each round of one the most likely meeting is best, or the least."""
        start = self.course.extra_start
        spots = [start, *self.course.seconds]
        meetings = [_extremes(self.others_plays(spot, 1)) for spot in spots]
        values: list[Number] = []
        for chosen in product(*meetings):
            slave_wins = dict(zip(spots, chosen, strict=True))
            value = pair_worth(self.course, slave_wins.__getitem__, self.kind).value
            values.append(value if self.seat == "first" else self.kind(1) - value)
        return _most(values)


def _most(values: Sequence[Number]) -> Number:
    most = values[0]
    for each in values[1:]:
        most = each if compare(each, most) > 0 else most
    return most


def _extremes(values: Sequence[Number]) -> tuple[Number, Number]:
    least = values[0]
    for each in values[1:]:
        least = each if compare(each, least) < 0 else least
    return least, _most(values)


def _plays(
    behaviour: Behaviour, course: Course, spot: Spot, stake: int, side: str, kind: type[Number]
) -> list[Number]:
    """How likely this side's special card is at each play, seen from the first; the last is: never."""
    hazards = behaviour.special(spot, stake, side)[: course.free(spot)]
    return timing([number_in(kind, hazard) for hazard in hazards], kind)


def _in(kind: type[Number], shares: Mapping[int, Share]) -> list[tuple[int, Number]]:
    """The stakes that are named at all, with their chances."""
    return [(stake, number_in(kind, chance)) for stake, chance in shares.items() if chance]


def _total(values: Sequence[Number], kind: type[Number]) -> Number:
    total = kind(0)
    for value in values:
        total = total + value
    return total
