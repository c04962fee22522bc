"""The state of many tables of E-Card between two decisions. Holds no pick that has not been revealed."""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.core.parts.batch import Array, Namespace
from facedown.games.ecard.rules import ECardRules


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


# --- packed into words -----------------------------------------------------------------------------------


_PLACES: Final = {
    "opening": (0, 1),
    "play": (1, 3),
    "round_winner": (4, 2),
    "winner": (6, 2),
    "ending": (8, 3),
}
"""Where each small number begins in the first word, and how many bits it has."""
_HALF: Final = 16
_LOW: Final = (1 << _HALF) - 1


class PackedTables(NamedTuple):
    """Many tables in few words."""

    small: Array
    """The small numbers, and the round in the upper half."""
    wins: Array
    winnings: tuple[Array, ...]
    """One word for both seats; one each where stakes are named, which can be high (E13)."""
    fallen: tuple[tuple[Array, Array], tuple[Array, Array]]
    stake: tuple[Array, ...]
    """Stake and purses where stakes are named; else both never change."""


def pack(xp: Namespace, rules: ECardRules, state: ECardTables) -> PackedTables:
    """The words of a state."""
    small = state.round << _HALF
    for name, (place, _) in _PLACES.items():
        small = small | (getattr(state, name) << place)
    named = rules.stakes == "named"
    return PackedTables(
        small=small.astype(xp.uint32),
        wins=_in_one(xp, *state.wins),
        winnings=state.winnings if named else (_in_one(xp, *state.winnings),),
        fallen=state.fallen,
        stake=(state.stake, _in_one(xp, *state.purses)) if named else (),
    )


def unpack(xp: Namespace, rules: ECardRules, packed: PackedTables) -> ECardTables:
    """The state that the words hold."""
    named = rules.stakes == "named"
    found = {
        name: ((packed.small >> place) & ((1 << bits) - 1)).astype(xp.int32)
        for name, (place, bits) in _PLACES.items()
    }
    purse = xp.full_like(found["play"], rules.purse)
    return ECardTables(
        **found,
        round=(packed.small >> _HALF).astype(xp.int32),
        stake=packed.stake[0] if named else xp.ones_like(purse),
        winnings=_both(packed.winnings) if named else _halves(xp, packed.winnings[0]),
        wins=_halves(xp, packed.wins),
        purses=_halves(xp, packed.stake[1]) if named else (purse, purse),
        fallen=packed.fallen,
    )


def _in_one(xp: Namespace, one: Array, two: Array) -> Array:
    """Two numbers below 65,536 in one word."""
    return (one | (two << _HALF)).astype(xp.uint32)


def _halves(xp: Namespace, word: Array) -> tuple[Array, Array]:
    return (word & _LOW).astype(xp.int32), (word >> _HALF).astype(xp.int32)


def _both(arrays: tuple[Array, ...]) -> tuple[Array, Array]:
    one, two = arrays
    return one, two
