"""The state of Davenport between two decisions. Holds no pick that has not been revealed."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from facedown.core.cards import Card
from facedown.core.game import Pick
from facedown.core.outcome import Outcome
from facedown.core.seats import Seat
from facedown.games.davenport.rules import DavenportRules

CARDS_EACH: Final = 5
"""The number of cards that each seat is dealt (D2)."""

MAIN: Final = "main"
PLAYOFF: Final = "playoff"
"""The phases of a game."""

OUT: Final = "out"
"""The termination of a game in which one seat got rid of all its cards (D10)."""
BY_PLAYOFF: Final = "playoff"
"""The termination of a game in which several did so together and played it off (D18, D19)."""

Hand: TypeAlias = tuple[Card, ...]

by_place: Final = tuple.__new__
"""A named tuple from its fields in their order: in half the time that its class takes to call."""


class DavenportRound(NamedTuple):
    """A finished round, as everybody saw it; everything by seat."""

    phase: str
    """`main` or `playoff`."""
    number: int
    """The round in its phase, from 1."""
    shown: tuple[Card | None, ...]
    """None for a seat that was not in."""
    exchanged: tuple[bool, ...]
    """Which seats exchanged the card they showed."""
    winners: tuple[Seat, ...]
    """The seats that won the round."""
    drew: tuple[int, ...]
    """How many cards each seat drew."""
    eliminated: tuple[Seat, ...]
    """The seats that this round put out of a playoff (D17, D19)."""
    hands: tuple[int, ...]
    """How many cards each seat held afterwards."""
    stock: int
    """How many cards were left in the stock."""
    discards: int
    """How many cards had been discarded."""


class Gone(NamedTuple):
    """A seat that resigned (D20), between two rounds."""

    seat: Seat
    """The seat."""


class OwnChoice(NamedTuple):
    """One decision of a seat's own: what it held, and what it picked. Known to that seat alone."""

    hand: Hand
    """The cards it held."""
    pick: Pick
    """What it picked."""


class DavenportState(NamedTuple):
    """The game before a decision."""

    rules: DavenportRules
    phase: str
    round: int
    """From 1 in each phase."""
    seats_in: tuple[Seat, ...]
    """Who still takes part in this phase, in seat order."""
    hands: tuple[Hand, ...]
    stock: tuple[Card, ...]
    """In canonical order: a set of cards, not a pile."""
    discards: tuple[Card, ...]
    wins: tuple[int, ...]
    """Rounds won in a playoff by wins (D19)."""
    history: tuple[DavenportRound | Gone, ...]
    choices: tuple[tuple[OwnChoice, ...], ...]
    """Each seat's own past, for its own view only."""
    outcome: Outcome | None
