"""The exact solution of E-Card as arrays: how likely one seat's special card is in it, and each stake.

Rounds are solved as games come to them (NumPy only). The numbers are those of `bots.worth`, to the last bit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from facedown.games.ecard.bots.worth import round_worth, stakes_in_equilibrium
from facedown.games.ecard.encoding import most_stake
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.course import Course, Spot
from facedown_lab.batch.form import Array, Namespace
from facedown_lab.games.ecard.batch.simulator import CHOICES, ECardTables

_EXTRA: Final = 2
"""Extra rounds that differ (E12): each pair is like the first."""


class SolvedRounds:
    """Solved rounds under one rule set, for either seat, computed on demand.

    A row has the chance of the special card at each play with a choice, then that of each stake.
    """

    def __init__(self, rules: ECardRules) -> None:
        self.rules = rules
        self.course = Course(rules)
        self.most_stake = most_stake(rules) or 1
        units = 1 if rules.victory == "rounds" else rules.slave_pays
        self.furthest = 2 * rules.purse if self.course.named else (rules.rounds + 1) * units
        self._rows: dict[int, list[float]] = {}

    def place(self, xp: Namespace, number: Array, lead: Array, stake: Array, first: Array) -> Array:
        """The number of a round: `lead` is the first Emperor side's, `first` whether the seat was that."""
        last = self.rules.rounds
        like = xp.where(number > last, last + (number - last - 1) % _EXTRA, number - 1)
        place = like * (2 * self.furthest + 1) + lead + self.furthest
        return (place * self.most_stake + xp.maximum(stake, 1) - 1) * 2 + first

    def look_up(self, xp: Namespace, places: Array) -> Array:
        found, which = xp.unique(places, return_inverse=True)
        return xp.asarray([self._row(place) for place in found.tolist()])[which]

    def _row(self, place: int) -> list[float]:
        row = self._rows.get(place)
        if row is None:
            row = self._rows[place] = self._solve_row(place)
        return row

    def _solve_row(self, place: int) -> list[float]:
        rest, first = divmod(place, 2)
        rest, stake = divmod(rest, self.most_stake)
        number, lead = divmod(rest, 2 * self.furthest + 1)
        spot = Spot(number + 1, lead - self.furthest)
        ours = round_worth(self.rules, spot, stake + 1, bool(first)).ours
        row = [*ours, *[ours[-1]] * (CHOICES - len(ours))]
        if self.course.named:
            naming = stakes_in_equilibrium(self.rules, spot) if self.course.naming(spot) else {}
            row += [naming.get(each, 0.0) for each in range(1, self.most_stake + 1)]
        return row


@lru_cache(maxsize=8)
def solved_rounds(rules: ECardRules) -> SolvedRounds:
    """The solved rounds of a rule set, kept."""
    return SolvedRounds(rules)


def usual_special(game: Any, state: ECardTables, seat: int) -> Array:
    """How likely the seat's special card is in the solution at this play of each table."""
    xp = game.xp
    place = xp.minimum(state.play, CHOICES) - 1
    return xp.take_along_axis(_rows_of(game, state, seat), place[:, None], axis=1)[:, 0]


def usual_stakes(game: Any, state: ECardTables, seat: int) -> list[Array]:
    """How likely each stake is in the solution, from 1: an array each."""
    rows = _rows_of(game, state, seat)
    return [rows[:, CHOICES + stake] for stake in range(game.most_stake)]


def _rows_of(game: Any, state: ECardTables, seat: int) -> Array:
    """The row of the round that each table is in, as the seat sees it."""
    xp = game.xp
    solved = solved_rounds(game.rules)
    one, two = game.score(state)
    lead = xp.where(state.opening == 0, one - two, two - one)
    first = (state.opening == seat).astype(xp.int32)
    places = solved.place(xp, state.round, lead, state.stake, first)
    start = solved.place(xp, 1, 0, 1, 1)  # a game that is over has no round any more
    return solved.look_up(xp, xp.where(game.over(state), start, places))
