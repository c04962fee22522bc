"""What a view of E-Card shows besides numbers: finished rounds, and what cards come to.

Never compiled: programs at a table read a view by the annotations of its parts, which mypyc does not keep.
"""

from __future__ import annotations

from typing import NamedTuple

from facedown.core.seats import Seat


class ECardRound(NamedTuple):
    """A finished round: everything revealed of it. Every play but the last was Citizen on Citizen."""

    emperor: Seat
    plays: int
    cards: tuple[str, str]
    """The two cards of the last play, by seat."""
    winner: Seat | None
    stake: int
    paid: int


class Meeting(NamedTuple):
    """What a card of one's own comes to against a card of the other side (E1, E10)."""

    card: str
    other: str
    winner: Seat | None
    paid: int
