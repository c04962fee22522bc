"""E-Card, solved: the value of every rule set, and the equilibrium at every state of it.

Owns what can be asked of a solution. Knows the seats as the first Emperor side and the other one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final, Generic, NamedTuple

from facedown.games.ecard.notation import EMPEROR
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.backward import (
    Solved,
    best_stakes,
    ends_of,
    play_worth,
    solve_closely,
    solve_exactly,
)
from facedown.games.ecard.solve.best_response import (
    Prospect,
    exact_exploitability,
    exploitability,
    prospects,
)
from facedown.games.ecard.solve.course import (
    Course,
    ImpossibleState,
    Score,
    Spot,
    check_size,
    impossible_score,
)
from facedown.games.ecard.solve.numbers import Marked, Number, Share, share
from facedown.games.ecard.solve.round import mixes


class SolvedPlay(NamedTuple):
    """One play in equilibrium: how likely each side's special card is now, if it is still held."""

    emperor: Share
    slave: Share
    unique: bool


_FIFTH: Final = SolvedPlay(Fraction(1), Fraction(1), True)


@dataclass(frozen=True, slots=True)
class Moment(Prospect):
    """A play about to be placed, solved."""

    first_is_emperor: bool
    """Whether the first Emperor side is the Emperor side of this round."""
    emperor: tuple[Share, ...]
    """The Emperor side's chance of the special card at this and each later play, if it is still held."""
    slave: tuple[Share, ...]
    """The Slave side's."""
    unique: bool
    """Whether this play has only this equilibrium. Where it has more, a side that may do anything plays both
    cards alike."""
    if_emperor: Share
    """The value to the first Emperor side once the Emperor side has won the round."""
    if_slave: Share
    """The same once the Slave side has won it."""
    if_drawn: Share
    """The same once this play was a draw (which the fifth cannot be: there it is `if_slave`)."""


@dataclass(frozen=True, slots=True)
class Naming(Prospect):
    """A stake about to be named (E13), solved."""

    first_is_emperor: bool
    stakes: Mapping[int, Share]
    """The chance of each stake that the Slave side names: all of the best ones alike."""
    unique: bool
    """Whether only one stake is best."""
    values: Mapping[int, Share]
    """The value to the first Emperor side after each stake that may be named."""


@dataclass(frozen=True, slots=True)
class Answers(Generic[Number]):
    """A solved rule set, asked about one state at a time; hands out fractions or floats."""

    solved: Solved[Number]

    def prospect(self, spot: Spot) -> Prospect:
        with localcontext(prec=self.solved.digits):
            return Prospect(*prospects(self.solved.worths[spot], self.solved.kind))

    def plays(self, spot: Spot, stake: int, play: int = 1) -> tuple[SolvedPlay, ...]:
        """This and each later play of a round."""
        solved = self.solved
        left = solved.course.plays(spot) - play + 1
        with localcontext(prec=solved.digits):
            found = mixes(ends_of(solved, spot, stake), solved.course.free(spot) - play + 1, solved.kind)
            shared = tuple(SolvedPlay(share(mix.emperor), share(mix.slave), mix.unique) for mix in found)
        return shared + (_FIFTH,) * (left - len(shared))

    def moment(self, spot: Spot, stake: int, play: int) -> Moment:
        solved = self.solved
        plays = self.plays(spot, stake, play)
        with localcontext(prec=solved.digits):
            ends = ends_of(solved, spot, stake)
            return Moment(
                *prospects(play_worth(solved, spot, stake, play), solved.kind),
                first_is_emperor=solved.course.first_is_emperor(spot),
                emperor=tuple(each.emperor for each in plays),
                slave=tuple(each.slave for each in plays),
                unique=plays[0].unique,
                if_emperor=share(ends.emperor),
                if_slave=share(ends.slave),
                if_drawn=share(play_worth(solved, spot, stake, play + 1).value),
            )

    def naming(self, spot: Spot) -> Naming:
        solved, stakes = self.solved, self.solved.course.stakes(spot)
        with localcontext(prec=solved.digits):
            values = [play_worth(solved, spot, stake).value for stake in stakes]
            best = best_stakes(solved.course, spot, values)
            alike = share(solved.kind(1, len(best)))
            return Naming(
                *prospects(solved.worths[spot], solved.kind),
                first_is_emperor=solved.course.first_is_emperor(spot),
                stakes={stakes[index]: alike for index in best},
                unique=len(best) == 1,
                values={stake: share(value) for stake, value in zip(stakes, values, strict=True)},
            )


@dataclass(frozen=True, slots=True)
class Solution(Prospect):
    """A rule set, solved; its own value is that of the whole game.

    It is also a `Behaviour`: that of both seats in equilibrium.
    """

    rules: ECardRules
    exact: bool
    """Whether its numbers are exact fractions; else they are floats, right to the last digit or so."""
    answers: Answers[Fraction] | Answers[Marked] = field(compare=False, repr=False)

    @property
    def course(self) -> Course:
        return self.answers.solved.course

    @property
    def exploitability(self) -> float:
        """What best answers of both seats gain, together, on the mixes that are handed out."""
        return _exploitability(self.rules)

    def unique_at(self, spot: Spot) -> bool:
        """Whether nothing from here to the end of this round has another equilibrium."""
        rounds = (self.answers.plays(spot, stake) for stake in self.course.stakes(spot))
        return all(play.unique for plays in rounds for play in plays) and self.answers.naming(spot).unique

    def spots(self) -> Iterator[Spot]:
        return (spot for spot in self.answers.solved.worths if isinstance(spot, Spot))

    def at(self, round: int, score: Score, play: int = 1, stake: int | None = None) -> Moment:
        """A play of a round: the score is that of the round's start, its earlier plays were drawn.

        The score is what decides under these rules: winnings, rounds won, or purses where stakes are named,
        and there the stake has to be said too. `ImpossibleState` says what cannot occur.
        """
        spot = self.spot(round, score)
        plays, stakes = self.course.plays(spot), self.course.stakes(spot)
        if not 1 <= play <= plays:
            raise ImpossibleState(f"there is no play {play}: round {round} has plays 1 to {plays}")
        if stake is None and self.course.naming(spot):
            raise ImpossibleState(f"which stake? In round {round} it is named, from 1 to {stakes[-1]}")
        if stake is not None and stake not in stakes:
            allowed = f"1 to {stakes[-1]}" if self.course.naming(spot) else "1"
            raise ImpossibleState(f"the stake cannot be {stake}: in round {round} it is {allowed}")
        return self.answers.moment(spot, stake or 1, play)

    def naming(self, round: int, score: Score) -> Naming:
        """The start of a round, where the Slave side has to name the stake (E13)."""
        spot = self.spot(round, score)
        if not self.course.naming(spot):
            raise ImpossibleState(f"no stake is named in round {round}: it is 1")
        return self.answers.naming(spot)

    def spot(self, round: int, score: Score) -> Spot:
        """The start of a round; `ImpossibleState` where no game can come to it."""
        spot = self.course.spot(round, score)
        if spot not in self.answers.solved.worths:
            raise impossible_score(round, score)
        return spot

    def special(self, spot: Spot, stake: int, side: str) -> tuple[Share, ...]:
        """At each play of the round: the chance of this side's special card, if it is still held."""
        plays = self.answers.plays(spot, stake)
        return tuple(play.emperor if side == EMPEROR else play.slave for play in plays)

    def stakes(self, spot: Spot) -> Mapping[int, Share]:
        """The chance of each stake, where one is named."""
        return self.answers.naming(spot).stakes


@lru_cache(maxsize=32)
def solve(rules: ECardRules) -> Solution:
    """The solution of a rule set; `Unsupported` where stakes and purses are too many.

    >>> solution = solve(ECardRules.read("decisive(rounds=2,group=1)"))
    >>> str(solution.value), solution.exploitability
    ('37/125', 0.0)
    """
    course = Course(rules)
    check_size(course)
    exact = solve_exactly(course)
    answers: Answers[Fraction] | Answers[Marked]
    answers = Answers(solve_closely(course)) if exact is None else Answers(exact)
    start = answers.prospect(course.start)
    return Solution(start.value, start.win, start.draw, start.lose, rules, exact is not None, answers)


@lru_cache(maxsize=32)
def _exploitability(rules: ECardRules) -> float:
    solution = solve(rules)
    if solution.exact:
        return float(exact_exploitability(rules, solution))
    return exploitability(rules, solution)
