"""What a view of E-Card shows besides numbers: finished rounds, and what cards come to."""

from __future__ import annotations

from typing import NamedTuple

from facedown.core.seats import Seat


class ECardRound(NamedTuple):
    """A finished round: everything revealed of it. Every play but the last was Citizen on Citizen."""

    emperor: Seat
    """The seat on the Emperor side."""
    plays: int
    """The play that ended the round."""
    cards: tuple[str, str]
    """The two cards of the last play, by seat."""
    winner: Seat | None
    """The seat that won; None for a draw."""
    stake: int
    """What the round was about."""
    paid: int
    """What the winner got."""


class Meeting(NamedTuple):
    """What a card of one's own comes to against a card of the other side (E1, E10)."""

    card: str
    """One's own card."""
    other: str
    """The card of the other side."""
    winner: Seat | None
    """The seat that would win; None if the play is drawn."""
    paid: int
    """What it would get."""
