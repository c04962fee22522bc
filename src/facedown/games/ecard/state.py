"""What is on the table in E-Card between two decisions. Holds no pick that has not been revealed."""

from __future__ import annotations

from typing import NamedTuple

from facedown.core.outcome import Outcome
from facedown.core.seats import Seat
from facedown.games.ecard.rules import DECIDED, ECardRules


class Round(NamedTuple):
    """A finished round: all that was ever revealed of it. Every play but the last was Citizen on Citizen."""

    emperor: Seat
    plays: int
    cards: tuple[str, str]
    """The two cards of the last play, by seat."""
    winner: Seat | None
    stake: int
    paid: int


class State(NamedTuple):
    """The game before a decision. What a round has seen so far follows from `play`: only Citizens fell."""

    rules: ECardRules
    emperor: Seat
    """The Emperor side of this round."""
    round: int
    """From 1; past `rules.rounds` it is an extra round (E12)."""
    play: int
    stake: int | None
    """None while the Slave side has to name it (E13)."""
    winnings: tuple[int, int]
    wins: tuple[int, int]
    purses: tuple[int, int]
    """What each seat has left; counted only where stakes are named."""
    rounds: tuple[Round, ...]
    outcome: Outcome | None

    @property
    def slave(self) -> Seat:
        """The Slave side of this round."""
        return 3 - self.emperor

    @property
    def extra(self) -> bool:
        """Whether this is an extra round (E12)."""
        return self.round > self.rules.rounds

    @property
    def last_play(self) -> int:
        """The play with which this round ends at the latest (E6, E12)."""
        return DECIDED if self.extra else self.rules.plays

    @property
    def first(self) -> Seat | None:
        """The seat that places first in this play; None where both place together (E7)."""
        if self.rules.placing == "together":
            return None
        in_group = 0 if self.extra else (self.round - 1) % self.rules.group
        return self.emperor if (in_group + self.play) % 2 == 1 else 3 - self.emperor

    @property
    def score(self) -> tuple[int, int]:
        """What decides the game under these rules, by seat (E11, E13)."""
        if self.rules.stakes == "named":
            return self.purses
        return self.wins if self.rules.victory == "rounds" else self.winnings


def side_of_round(rules: ECardRules, opening: Seat, number: int) -> Seat:
    """The Emperor side of a round, where `opening` is that of the first (E8, E12)."""
    last = min(number, rules.rounds)
    swaps = (last - 1) // rules.group
    if number > rules.rounds and rules.tie == "pair":
        swaps += (number - rules.rounds - 1) % 2
    return opening if swaps % 2 == 0 else 3 - opening
