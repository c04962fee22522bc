"""The value of rounds to one seat, from the exact solution, as the bots count with it.

Owns the way from a view to the solved state. Must not know what anybody will make of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from facedown.core.seats import Seat
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import Course, Next, Score, Spot, solve
from facedown.games.ecard.view import ECardView

_KEPT: Final = 1 << 14
"""Rounds that are kept: all of most rule sets, and few enough that a long run does not grow."""


@dataclass(frozen=True, slots=True)
class RoundWorth:
    """One round at one stake, solved, as one seat sees it: chances to win the game, a draw counting half."""

    emperor: float
    """Once the Emperor side has won the round, by a special card that met a Citizen."""
    slave: float
    """Once the Slave side has won it: both special cards have met."""
    before: tuple[float, ...]
    """Before each play at which there is a choice, and after the last of these, all having been drawn."""
    ours: tuple[float, ...]
    """How likely the seat's special card is at each of these plays in equilibrium, if it is still held."""
    theirs: tuple[float, ...]
    """The opponent's."""

    @property
    def choices(self) -> int:
        """How many plays of the round leave a choice."""
        return len(self.ours)

    @property
    def at_stake(self) -> float:
        """How much it may matter how the round ends."""
        return max(abs(self.emperor - self.slave), abs(self.emperor - self.before[-1]))

    def shares_if_met(self, place: int, special: float) -> tuple[float, float]:
        """What playing the special card with this chance is worth if they play theirs, and if they do not.

        The place of a play is its number less one.
        """
        both = special * self.slave + (1.0 - special) * self.emperor
        return both, special * self.emperor + (1.0 - special) * self.before[place + 1]


@lru_cache(maxsize=_KEPT)
def round_worth(rules: ECardRules, spot: Spot, stake: int, first: bool) -> RoundWorth:
    """A round, solved, for the first Emperor side or for the other seat."""
    answers = solve(rules).answers
    choices = answers.solved.course.free(spot)
    plays = [answers.moment(spot, stake, play) for play in range(1, choices + 1)]
    start = plays[0]
    sides = (start.emperor, start.slave) if start.first_is_emperor == first else (start.slave, start.emperor)
    ours, theirs = (tuple(float(chance) for chance in side[:choices]) for side in sides)
    before = [float(play.value) for play in plays] + [float(plays[-1].if_drawn)]
    values = [float(start.if_emperor), float(start.if_slave), *before]
    emperor, slave, *for_seat = values if first else [1.0 - value for value in values]
    return RoundWorth(emperor, slave, tuple(for_seat), ours, theirs)


@lru_cache(maxsize=_KEPT)
def stakes_in_equilibrium(rules: ECardRules, spot: Spot) -> dict[int, float]:
    """How likely the Slave side names each stake (E13)."""
    return {stake: float(chance) for stake, chance in solve(rules).answers.naming(spot).stakes.items()}


@lru_cache(maxsize=_KEPT)
def naming_worth(rules: ECardRules, spot: Spot, first: bool) -> float:
    """What the start of a round is worth, before its stake is named."""
    value = float(solve(rules).answers.naming(spot).value)
    return value if first else 1.0 - value


class Place(NamedTuple):
    """Where one seat stands at the start of a round, or at the end of the game."""

    rules: ECardRules
    then: Next
    first: bool
    """Whether the seat was the Emperor side first."""

    @property
    def spot(self) -> Spot:
        """The round that is about to start."""
        assert isinstance(self.then, Spot), "the game is not over"
        return self.then

    @property
    def value(self) -> float:
        """What the round is worth before its stake is named."""
        return naming_worth(self.rules, self.spot, self.first)

    def round_at(self, stake: int) -> RoundWorth:
        """The round at that stake."""
        return round_worth(self.rules, self.spot, stake, self.first)

    def stakes(self) -> dict[int, float]:
        """How likely each stake is in equilibrium, where the seat has to name it."""
        return stakes_in_equilibrium(self.rules, self.spot)

    def after(self, stake: int, winner: str | None) -> Place:
        """Where the seat stands once this side has won the round at that stake, or (None) no side has."""
        return self._replace(then=Course(self.rules).after(self.spot, stake, winner))


def rules_of(view: ECardView) -> ECardRules:
    """The rules of the game, as those of this game."""
    assert isinstance(view.rules, ECardRules)
    return view.rules


def opening(view: ECardView) -> Seat:
    """The seat that was the Emperor side first (E9)."""
    return view.rounds[0].emperor if view.rounds else view.emperor


def start_of(view: ECardView) -> Place:
    """Where the viewer stood at the start of the game."""
    rules = rules_of(view)
    return Place(rules, Course(rules).start, opening(view) == view.viewer)


def winning_side(emperor: Seat, winner: Seat | None) -> str | None:
    """The side that won a round; None for a draw."""
    if winner is None:
        return None
    return EMPEROR if winner == emperor else SLAVE


def place_of(view: ECardView) -> Place:
    """The viewer's place in this round."""
    rules = rules_of(view)
    first = opening(view)
    score = view.score[first - 1], view.score[2 - first]
    return Place(rules, _spot(rules, view.round, score), first == view.viewer)


@lru_cache(maxsize=_KEPT)
def _spot(rules: ECardRules, number: int, score: Score) -> Spot:
    return Course(rules).spot(number, score)
