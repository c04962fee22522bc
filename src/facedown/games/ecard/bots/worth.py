"""The value of rounds to one seat, from the exact solution, as the bots count with it.

Owns the way from a view to the solved state. Must not know what anybody will make of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from facedown.core.seats import Seat
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.course import Course, Next, Score, Spot
from facedown.games.ecard.solve.solution import solve
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
        assert isinstance(self.then, Spot), "the game is not over"
        return self.then

    @property
    def value(self) -> float:
        """What the round is worth before its stake is named."""
        return naming_worth(self.rules, self.spot, self.first)

    def round_at(self, stake: int) -> RoundWorth:
        return round_worth(self.rules, self.spot, stake, self.first)

    def stakes(self) -> dict[int, float]:
        """How likely each stake is in equilibrium, where the seat has to name it."""
        return stakes_in_equilibrium(self.rules, self.spot)

    def after(self, stake: int, winner: str | None) -> Place:
        """Where the seat stands once this side has won the round at that stake, or (None) no side has."""
        return self._replace(then=Course(self.rules).after(self.spot, stake, winner))


def opening(view: ECardView) -> Seat:
    """The seat that was the Emperor side first (E9)."""
    return view.rounds[0].emperor if view.rounds else view.emperor


def start_of(view: ECardView) -> Place:
    """Where the viewer stood at the start of the game."""
    return Place(view.rules, Course(view.rules).start, opening(view) == view.viewer)


def winning_side(emperor: Seat, winner: Seat | None) -> str | None:
    """The side that won a round; None for a draw."""
    if winner is None:
        return None
    return EMPEROR if winner == emperor else SLAVE


def place_of(view: ECardView) -> Place:
    """The viewer's place in this round."""
    first = opening(view)
    score = view.score[first - 1], view.score[2 - first]
    return Place(view.rules, _spot(view.rules, view.round, score), first == view.viewer)


@lru_cache(maxsize=_KEPT)
def _spot(rules: ECardRules, number: int, score: Score) -> Spot:
    return Course(rules).spot(number, score)


# --- the best answer -------------------------------------------------------------------------------------


EVEN: Final = 1e-9
"""What differs by less is worth the same."""

BOLDNESS: Final = 3
"""How a bank is bet: with 1 it grows fastest over many rounds, with more it puts more on the likeliest."""


class BestReply(NamedTuple):
    """What to do in a round, and what that is worth if the prediction is right."""

    special: tuple[float, ...]
    """How likely one's special card is at each play at which there is a choice, if it is still held."""
    value: float


def best_answer(worth: RoundWorth, chances: Sequence[float]) -> BestReply:
    """The best answer to an opponent whose special card comes with these chances; then both are to play well.

    Where both cards are worth the same, the equilibrium chooses.
    """
    special: list[float] = []
    ahead = worth.before[-1]
    for place in reversed(range(worth.choices)):
        chance = chances[place]
        now = chance * worth.slave + (1.0 - chance) * worth.emperor
        later = chance * worth.emperor + (1.0 - chance) * ahead
        special.append(worth.ours[place] if abs(now - later) < EVEN else float(now > later))
        ahead = max(now, later)
    return BestReply(tuple(reversed(special)), ahead)


def blend(worth: RoundWorth, special: Sequence[float], part: float) -> tuple[float, ...]:
    """This answer in that part of all rounds, and the equilibrium in the others."""
    blended: list[float] = []
    answering, usually = part, 1.0 - part  # how likely each is to have come this far without the special card
    for answer, usual in zip(special, worth.ours, strict=True):
        held = answering + usually
        blended.append((answering * answer + usually * usual) / held if held else usual)
        answering *= 1.0 - answer
        usually *= 1.0 - usual
    return tuple(blended)


def times_of(chances: Sequence[float]) -> list[float]:
    """From the chance at each play, if still held, to the chance of each play; the last one: of none of them.

    >>> times_of([0.5, 0.5])
    [0.5, 0.25, 0.25]
    """
    times: list[float] = []
    held = 1.0
    for chance in chances:
        times.append(held * chance)
        held *= 1.0 - chance
    return [*times, held]


def bet(worth: RoundWorth, place: int, times: Sequence[float], bank: float) -> float:
    """How likely the special card should be in this play, so that the bank pays whatever the opponent does.

    `times` says how likely the opponent's special card is to come in this play and in each later one, and,
    last, in none. If it comes at time t, and one's own comes at t with the chance q[t], the round is worth
    `emperor + q[t] * swing[t]`, as only special cards that meet, or both stay, change anything. So to choose
    q is to bet on the opponent's time, at odds that are fair in equilibrium, and the bank then becomes
    `spare + q[t] * swing[t]`. That is made proportional to `(times[t] * swing[t]) ** BOLDNESS`; where q[t]
    would have to be negative for it, it is 0.
    """
    swings = [worth.slave - worth.emperor] * (worth.choices - place) + [worth.before[-1] - worth.emperor]
    if min(swings) < EVEN and max(swings) > -EVEN:  # one card is good whatever they do: nothing to bet on
        return worth.ours[place]
    spare = bank + worth.emperor - worth.before[place]
    wanted = [(time * abs(swing)) ** BOLDNESS for time, swing in zip(times, swings, strict=True)]
    left = list(range(len(swings)))
    while any(wanted[time] for time in left):
        in_all = 1.0 + spare * sum(1.0 / swings[time] for time in left)
        scale = max(0.0, in_all / sum(wanted[time] / swings[time] for time in left))
        chances = {time: (scale * wanted[time] - spare) / swings[time] for time in left}
        if min(chances.values()) >= 0.0:
            return min(1.0, chances.get(0, 0.0))
        left = [time for time in left if chances[time] >= 0.0]
    return worth.ours[place]
