"""The state of many tables of Davenport between two decisions, and its sets of cards as bits.

A set is two words: clubs and diamonds, hearts and spades. A state holds no pick that has not been revealed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown_lab.batch.form import Array, Namespace, computed_once, is_numpy, recomputes

HALF: Final = 26
RANK_COUNT: Final = 13
FULL: Final = (1 << HALF) - 1
_MANY: Final = 1 << 30
"""More than there are places."""


class CardSets(NamedTuple):
    """One set of cards at each table."""

    low: Array
    high: Array

    def plus(self, other: CardSets) -> CardSets:
        return CardSets(self.low | other.low, self.high | other.high)

    def minus(self, other: CardSets) -> CardSets:
        return CardSets(self.low & ~other.low, self.high & ~other.high)

    def common(self, other: CardSets) -> CardSets:
        return CardSets(self.low & other.low, self.high & other.high)

    def where(self, xp: Namespace, condition: Array) -> CardSets:
        """These cards where the condition holds, none elsewhere."""
        return CardSets(xp.where(condition, self.low, 0), xp.where(condition, self.high, 0))


def empty(xp: Namespace, tables: int) -> CardSets:
    """No cards at any table."""
    nothing = xp.zeros(tables, dtype=xp.uint32)
    return CardSets(nothing, nothing)


def deck(xp: Namespace, tables: int) -> CardSets:
    """All 52 cards at every table."""
    whole = xp.full(tables, FULL, dtype=xp.uint32)
    return CardSets(whole, whole)


def bit_count(xp: Namespace, word: Array) -> Array:
    """How many bits of each word are set."""
    return xp.bitwise_count(word).astype(xp.uint32)


def single(xp: Namespace, place: Array) -> CardSets:
    """The sets of one card each, by its place in the canonical deck."""
    above = place >= HALF
    return _one_card(xp, above, xp.where(above, place - HALF, place).astype(xp.uint32))


def _one_card(xp: Namespace, above: Array, place: Array) -> CardSets:
    """By its place in the one word or, where it is above, in the other."""
    bit, nothing = xp.uint32(1) << place, xp.uint32(0)
    return CardSets(xp.where(above, nothing, bit), xp.where(above, bit, nothing))


class Found(NamedTuple):
    """One card of each set."""

    place: Array
    """In the canonical deck, from 0."""
    card: CardSets
    """The set of it alone."""


def nth(xp: Namespace, cards: CardSets, number: Array) -> Found:
    """The card with this number, from 0, of each set in canonical order."""
    below = bit_count(xp, cards.low)
    above = number >= below
    word = xp.where(above, cards.high, cards.low)
    left = xp.where(above, number - below, number)
    pairs = word - ((word >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    bytes_ = (fours + (fours >> 4)) & 0x0F0F0F0F
    halves = (bytes_ + (bytes_ >> 8)) & 0x001F001F
    place = xp.zeros_like(word)
    for sums, mask, width in (
        (halves, 0x1F, 16),
        (bytes_, 0xF, 8),
        (fours, 0x7, 4),
        (pairs, 0x3, 2),
        (word, 0x1, 1),
    ):
        inside = (sums >> place) & mask
        later = left >= inside
        left = xp.where(later, left - inside, left)
        place = xp.where(later, place + width, place)
    whole = xp.where(above, place + HALF, place)
    if not recomputes(xp):
        return Found(whole, _one_card(xp, above, place))
    found = computed_once(xp, lambda: whole[0] < _MANY, whole)
    return Found(found, single(xp, found))


def value_of(xp: Namespace, place: Array) -> Array:
    """D1: the value of a card, from 1 to 13, by its place in the canonical deck."""
    return place % RANK_COUNT + 1


def of_value(cards: CardSets, value: int) -> Array:
    """How many cards of a value each set holds."""
    rank = value - 1
    both = ((cards.low >> rank) & 1) + ((cards.low >> (rank + RANK_COUNT)) & 1)
    return both + ((cards.high >> rank) & 1) + ((cards.high >> (rank + RANK_COUNT)) & 1)


def of_each_value(xp: Namespace, cards: CardSets) -> Array:
    """How many cards of each value, from 1, each set holds: tables by values."""
    ranks = xp.arange(RANK_COUNT, dtype=xp.uint32)
    low, high = cards.low[:, None], cards.high[:, None]
    both = ((low >> ranks) & 1) + ((low >> (ranks + RANK_COUNT)) & 1)
    return both + ((high >> ranks) & 1) + ((high >> (ranks + RANK_COUNT)) & 1)


def values_held(cards: CardSets) -> Array:
    """Which values each set holds: the bit of an Ace is the lowest, that of a King the thirteenth."""
    either = cards.low | cards.high
    return (either | (either >> RANK_COUNT)) & ((1 << RANK_COUNT) - 1)


def holds(cards: CardSets, place: int) -> Array:
    """Whether each set holds a card, by its place in the canonical deck."""
    word, bit = (cards.low, place) if place < HALF else (cards.high, place - HALF)
    return (word >> bit) & 1 == 1


# --- the order of hands ----------------------------------------------------------------------------------


_WIDTH: Final = 52
_NOTHING: Final = 127
"""Stands behind the last card."""


def no_cards(xp: Namespace, tables: int) -> Array:
    """Empty hands."""
    return xp.full((tables, _WIDTH), _NOTHING, dtype=xp.int8)


def with_card(xp: Namespace, order: Array, place: Array, came: Array) -> Array:
    """The hands with one card more, where one came."""
    if is_numpy(xp) and not came.any():
        return order
    free = xp.argmax(order == _NOTHING, axis=1)
    here = (xp.arange(_WIDTH) == free[:, None]) & came[:, None]
    return xp.where(here, place.astype(xp.int8)[:, None], order)


def without(xp: Namespace, order: Array, place: Array, gone: Array) -> Array:
    """The hands without one card, where it is gone."""
    there = order == place.astype(xp.int8)[:, None]
    at = xp.where(gone, xp.argmax(there, axis=1), _WIDTH)
    nothing = xp.full_like(order[:, :1], _NOTHING)
    later = xp.arange(_WIDTH) >= at[:, None]
    return xp.where(later, xp.concatenate([order[:, 1:], nothing], axis=1), order)


def without_order(xp: Namespace, order: Array, gone: Array) -> Array:
    """The hands without any card, where all are gone."""
    return xp.where(gone[:, None], xp.full_like(order, _NOTHING), order)


def by_number(xp: Namespace, order: Array, number: Array) -> Array:
    """The card with this number, from 0: its place in the canonical deck."""
    return xp.take_along_axis(order, number.astype(xp.int32)[:, None], axis=1)[:, 0].astype(xp.int32)


def first_of_value(xp: Namespace, order: Array, value: Array) -> Array:
    """The card of this value that was held longest: its place in the canonical deck."""
    there = (order % RANK_COUNT == (value - 1).astype(xp.int8)[:, None]) & (order != _NOTHING)
    return by_number(xp, order, xp.argmax(there, axis=1))


# --- tables ----------------------------------------------------------------------------------------------


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
