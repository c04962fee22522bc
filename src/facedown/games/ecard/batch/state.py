"""The state of many tables of E-Card between two decisions. Holds no pick that has not been revealed."""

from __future__ import annotations

from typing import NamedTuple

from facedown.core.parts.batch import Array


class ECardTables(NamedTuple):
    """Many tables before a decision; once a game is over, its last play."""

    opening: Array
    """The seat, from 0, that was the Emperor side first (E9)."""
    round: Array
    play: Array
    stake: Array
    """0 while the Slave side has to name it (E13)."""
    winnings: tuple[Array, Array]
    wins: tuple[Array, Array]
    purses: tuple[Array, Array]
    round_winner: Array
    """The seat, from 1, that won the round before; 0 if neither did."""
    winner: Array
    ending: Array
    fallen: tuple[tuple[Array, Array], tuple[Array, Array]]
    """By seat, how often its Emperor and its Slave were turned at each play: six bits a play."""
