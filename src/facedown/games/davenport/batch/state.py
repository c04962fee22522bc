"""The state of many tables of Davenport between two decisions. Holds no pick that has not been revealed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.core.parts.batch import Array
from facedown.games.davenport.batch.cards import CardSets

OUT_CODE: Final = 1
PLAYOFF_CODE: Final = 2
RESIGNED_CODE: Final = 3
"""Why a table's game ended, in the order of the game's terminations; 0 while it is in progress."""


class Switches(NamedTuple):
    """The rules as a round asks for them: each one value for all tables, or an array with one for each."""

    ace: Any
    exchange: Any
    by_wins: Any
    """Whether a playoff is decided by wins (D19)."""
    playoff_wins: int
    playoff_cards: int


def never(switch: Any) -> bool:
    """Whether a rule is off at every table, so that nothing about it need be computed."""
    return switch is False


class Supplies(NamedTuple):
    """Stock and discards, and what is known of the discards."""

    stock: CardSets
    in_stock: Array
    discards: CardSets
    in_discards: Array
    seen: CardSets
    """The discards that everybody saw go there."""
    own: tuple[CardSets, ...]
    """The discards that each seat alone knows of: what it exchanged (D3)."""


class LastRound(NamedTuple):
    """What everybody saw of the last round, by seat."""

    shown: tuple[Array, ...]
    """Values; 0 for a seat that was not in."""
    exchanged: tuple[Array, ...]
    drew: tuple[Array, ...]
    won: tuple[Array, ...]


class DavenportTables(NamedTuple):
    """Many tables before a decision; everything by seat is a tuple of arrays."""

    supplies: Supplies
    hands: tuple[CardSets, ...]
    held: tuple[Array, ...]
    """How many cards each seat holds."""
    seats_in: tuple[Array, ...]
    wins: tuple[Array, ...]
    """Rounds won in a playoff by wins (D19)."""
    playoff: Array
    round: Array
    """From 1 in each phase."""
    winner: Array
    """The winner's seat, from 1; 0 while the game is in progress."""
    ending: Array
    last: LastRound
    order: tuple[Array, ...] = ()
    """The order in which each hand's cards came, where it is kept."""
