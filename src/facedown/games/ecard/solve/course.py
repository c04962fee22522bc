"""The course of a game of E-Card: its rounds, what each outcome leads to, and when it is over.

Owns the part of the past on which the rest of a game depends; a test compares it with `game`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from facedown.core.errors import Illegal, Unsupported
from facedown.core.parts.solver import report
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.plays import side_of_round
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.solve.round import choices

Score: TypeAlias = "tuple[int, int]"
"""What decides the game (winnings, rounds won or purses): the first Emperor side's, then the other seat's."""

SeatName: TypeAlias = Literal["first", "other"]
"""The seat that is the Emperor side first, and the other one."""

MOST_NAMED: Final = 2_000_000
"""Rounds, purses and stakes that are gone through at most: about a minute's work."""

FURTHEST: Final = 1000
"""The last round that can be asked about: pairs of extra rounds have no end, and each is like the first."""


class ImpossibleState(Illegal):
    """A state that no game under these rules can come to."""

    code = "impossible_state"


class FinalResult(Enum):
    """How a game ends for the first Emperor side."""

    WIN = 2
    DRAW = 1
    LOSE = 0


class Spot(NamedTuple):
    """The start of a round: all of the past that matters. Of the extra pairs, each is like the first."""

    round: int
    lead: int
    """By how much the first Emperor side's score is ahead of the other seat's."""


Next: TypeAlias = "Spot | FinalResult"


@dataclass(frozen=True, slots=True)
class Course:
    """The course of games under one rule set."""

    rules: ECardRules

    @property
    def named(self) -> bool:
        """Whether the Slave side names the stakes (E13)."""
        return self.rules.stakes == "named"

    def extra(self, spot: Spot) -> bool:
        """Whether this is an extra round (E12)."""
        return spot.round > self.rules.rounds

    def naming(self, spot: Spot) -> bool:
        """Whether a stake is named here (E13)."""
        return self.named and not self.extra(spot)

    def plays(self, spot: Spot) -> int:
        """E6; E12: extra rounds last until they are decided."""
        return DECIDED if self.extra(spot) else self.rules.plays

    def free(self, spot: Spot) -> int:
        """The plays of this round at which there is a choice."""
        return choices(self.plays(spot))

    def first_is_emperor(self, spot: Spot) -> bool:
        """Whether the first Emperor side is it in this round as well (E8, E12)."""
        return side_of_round(self.rules, 1, spot.round) == 1

    def side(self, spot: Spot, seat: SeatName) -> str:
        return EMPEROR if self.first_is_emperor(spot) == (seat == "first") else SLAVE

    def purses(self, spot: Spot) -> Score:
        """What both have left where stakes are named: nothing leaves the table."""
        half = spot.lead // 2
        return self.rules.purse + half, self.rules.purse - half

    def stakes(self, spot: Spot) -> range:
        """E13: from 1 up to the highest stake, never more than the Slave side's own purse."""
        if not self.naming(spot):
            return range(1, 2)
        purse = self.purses(spot)[1 if self.first_is_emperor(spot) else 0]
        return range(1, min(self.rules.max_stake, purse) + 1)

    def after(self, spot: Spot, stake: int, winner: str | None) -> Next:
        """Where the game goes when this side wins the round, or (None) neither does."""
        wins = None if winner is None else (winner == EMPEROR) == self.first_is_emperor(spot)
        lead = spot.lead + self._paid(spot, stake, winner, wins)
        if self.named and abs(lead) == 2 * self.rules.purse:  # E13: ruin
            return _result(lead > 0)
        if spot.round < self.rules.rounds:
            return Spot(spot.round + 1, lead)
        if spot.round == self.rules.rounds:
            return self._after_last(lead)
        return self._after_extra(spot, lead, bool(wins))

    def after_draw(self, spot: Spot, stake: int) -> Next:
        """Where it goes when every play at which there is a choice is drawn: E6, the fifth is the Slave's."""
        return self.after(spot, stake, SLAVE if self.plays(spot) == DECIDED else None)

    def _paid(self, spot: Spot, stake: int, winner: str | None, wins: bool | None) -> int:
        """E10, E11: how far the round moves the lead; E13: a purse pays what it holds, the other gets it."""
        if winner is None:
            return 0
        if self.named:
            units = 1 if winner == EMPEROR else self.rules.slave_pays
            moved = 2 * min(units * stake, self.purses(spot)[1 if wins else 0])
        else:
            moved = 1 if winner == EMPEROR else self._slave_units
        return moved if wins else -moved

    def _after_last(self, lead: int) -> Next:
        """E11, E12: the higher score wins, or the tie rule speaks."""
        if lead:
            return _result(lead > 0)
        return FinalResult.DRAW if self.rules.tie == "draw" else self.extra_start

    def _after_extra(self, spot: Spot, lead: int, wins: bool) -> Next:
        """E12: one extra round decides, or pairs until one seat has won more of a pair."""
        if self.rules.tie == "extra":
            return _result(wins)
        if spot == self.extra_start:
            return Spot(spot.round + 1, lead)
        return _result(wins) if wins == (spot.lead > 0) else self.extra_start

    @property
    def extra_start(self) -> Spot:
        """The extra round, or the first of a pair."""
        return Spot(self.rules.rounds + 1, 0)

    @property
    def seconds(self) -> list[Spot]:
        """The second rounds of a pair that can occur: ruin may come first."""
        after = [self.after(self.extra_start, 1, side) for side in (EMPEROR, SLAVE)]
        return [spot for spot in after if isinstance(spot, Spot)]

    @property
    def start(self) -> Spot:
        return Spot(1, 0)

    # --- states as others write them -----------------------------------------------------------------

    def spot(self, number: int, score: Score) -> Spot:
        """The start of a round, from its number and the score; `ImpossibleState` where it cannot occur."""
        self.check_round(number)
        ours, theirs = score
        spot = Spot(self.like(number), ours - theirs)
        if not (self._purses_possible(score) if self.named else self._score_possible(number, score)):
            raise impossible_score(number, score)
        return spot

    def check_round(self, number: int) -> None:
        """Raise `ImpossibleState` unless there is such a round."""
        last = self.rules.rounds
        most = {"draw": last, "extra": last + 1}.get(self.rules.tie)
        if number < 1 or (most is not None and number > most):
            raise ImpossibleState(f"there is no round {number}: a game has rounds 1 to {most or last}")
        if number > FURTHEST:
            first = f"rounds {last + 1} and {last + 2}"
            raise ImpossibleState(f"round {number} is too far: every pair of extra rounds is like {first}")

    def like(self, number: int) -> int:
        """The round that stands for this one. E12: each pair of extra rounds is like the first."""
        last = self.rules.rounds
        return number if number <= last else last + 1 + (number - last - 1) % 2

    def _purses_possible(self, score: Score) -> bool:
        """E13: what one pays the other gets, and an empty purse has ended the game."""
        return sum(score) == 2 * self.rules.purse and min(score) > 0

    def _score_possible(self, number: int, score: Score) -> bool:
        """Whether the rounds before this one can have come to this score."""
        extra = number - self.rules.rounds - 1
        if extra < 0:
            return self._is_reached(number, score)
        before = [score] if extra % 2 == 0 else [_minus(score, won) for won in self._won_once()]
        return any(
            ours == theirs and self._is_reached(self.rules.rounds + 1, (ours - both, theirs - both))
            for ours, theirs in before
            for both in self._drawn_pairs(extra // 2)
        )

    def _drawn_pairs(self, pairs: int) -> set[int]:
        """What shared pairs may have added to each score: both won as Emperor or both as Slave."""
        return {k + self._slave_units * (pairs - k) for k in range(pairs + 1)}

    def _won_once(self) -> list[Score]:
        """What the first round of a pair may have added to the score."""
        slave = self._slave_units
        return [(1, 0), (0, slave)] if self.first_is_emperor(self.extra_start) else [(0, 1), (slave, 0)]

    @property
    def _slave_units(self) -> int:
        """What a round won on the Slave side adds to the score (E10, E11); on the Emperor side it is 1."""
        return 1 if self.rules.victory == "rounds" else self.rules.slave_pays

    def _is_reached(self, number: int, score: Score) -> bool:
        """Whether the rounds before this one (none of them extra) can have come to this score."""
        ours, theirs = score
        as_emperor = sum(self.first_is_emperor(Spot(each, 0)) for each in range(1, number))
        as_slave = number - 1 - as_emperor
        for slave_wins, slave_losses in product(range(as_slave + 1), range(as_emperor + 1)):
            wins = ours - self._slave_units * slave_wins
            losses = theirs - self._slave_units * slave_losses
            undecided = as_emperor - wins - slave_losses, as_slave - losses - slave_wins
            if min(wins, losses, *undecided) >= 0 and (self.rules.plays < DECIDED or not any(undecided)):
                return True
        return False


def check_size(course: Course) -> None:
    """Refuses named stakes of which there are too many to go through."""
    rules = course.rules
    purses = range(1, 2 * rules.purse)
    rounds = rules.rounds * sum(min(rules.max_stake, purse) for purse in purses) if course.named else 0
    if rounds > MOST_NAMED:
        say = f"purses of {rules.purse} and stakes up to {rules.max_stake} make too many states to solve"
        raise Unsupported(say, text=str(rules), rule="E13")


@lru_cache(maxsize=4)
def spots(course: Course) -> tuple[tuple[Spot, ...], ...]:
    """All starts of rounds that can occur, round by round; the extra ones last."""
    found: list[tuple[Spot, ...]] = []
    ahead = {course.start}
    seen: set[Spot] = set()
    while ahead:
        seen |= ahead
        found.append(tuple(sorted(ahead)))
        ahead = set(_following(course, ahead)) - seen
    return tuple(found)


def has_pairs(course: Course) -> bool:
    """Whether pairs of extra rounds (E12) can occur: by the rules, and by a game that can end equal."""
    return course.rules.tie == "pair" and len(spots(course)) > course.rules.rounds


def _following(course: Course, here: Iterable[Spot]) -> Iterator[Spot]:
    for spot in here:
        for stake in course.stakes(spot):
            ends = (
                course.after(spot, stake, EMPEROR),
                course.after(spot, stake, SLAVE),
                course.after_draw(spot, stake),
            )
            yield from (end for end in ends if isinstance(end, Spot))


Value = TypeVar("Value")

_REPORT_EVERY: Final = 32
"""A solver reports its progress every this many positions."""


def backward(course: Course, values: dict[Next, Value], at: Callable[[Spot], Value]) -> None:
    """Backward induction: adds each start of a round to the values, after everything it leads to."""
    rounds = spots(course)
    done, whole = 0, sum(map(len, rounds))
    for here in reversed(rounds):
        for spot in here:
            if spot not in values:
                values[spot] = at(spot)
            done += 1
            if done % _REPORT_EVERY == 0:
                report(done, whole)


def impossible_score(number: int, score: Score) -> ImpossibleState:
    """The error for a score that cannot occur at the start of a round."""
    return ImpossibleState(f"the score {score[0]},{score[1]} cannot occur at the start of round {number}")


def _result(wins: bool) -> FinalResult:
    return FinalResult.WIN if wins else FinalResult.LOSE


def _minus(score: Score, won: Score) -> Score:
    return score[0] - won[0], score[1] - won[1]
