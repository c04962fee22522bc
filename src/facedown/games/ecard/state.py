"""The state of E-Card between two decisions. Holds no pick that has not been revealed."""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.core.outcome import Outcome
from facedown.core.seats import Seat
from facedown.games.ecard.plays import BySeat, Play
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.shown import ECardRound

EXTRA: Final = "extra"
"""The termination of a game that was equal after the last round, and decided by what is played on (E12)."""
RUIN: Final = "ruin"
"""The termination of a game in which a seat had nothing left to pay with (E13)."""

by_place: Final = tuple.__new__
"""A named tuple from its fields in their order: in half the time that its class takes to call."""


class ECardState(NamedTuple):
    """The game before a decision. What a round has seen so far follows from its play: only Citizens fell."""

    at: Play
    """Where the game stands; once it is over, its last play."""
    winnings: BySeat
    wins: BySeat
    purses: BySeat
    """What each seat has left; counted only where stakes are named."""
    rounds: tuple[ECardRound, ...]
    outcome: Outcome | None

    @property
    def rules(self) -> ECardRules:
        return self.at.rules

    @property
    def round(self) -> int:
        """From 1; past `rules.rounds` it is an extra round (E12)."""
        return self.at.round

    @property
    def play(self) -> int:
        """From 1 in each round."""
        return self.at.number

    @property
    def stake(self) -> int | None:
        """None while the Slave side has to name it (E13)."""
        return self.at.stake

    @property
    def emperor(self) -> Seat:
        return self.at.emperor

    @property
    def extra(self) -> bool:
        """Whether this is an extra round (E12)."""
        return self.at.extra

    @property
    def last_play(self) -> int:
        """The play with which this round ends at the latest (E6, E12)."""
        return self.at.last_play

    @property
    def score(self) -> BySeat:
        """What decides the game under these rules, by seat (E11, E13)."""
        if self.at.named:
            return self.purses
        return self.wins if self.at.rules.victory == "rounds" else self.winnings
