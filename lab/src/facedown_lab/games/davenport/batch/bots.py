"""The machines of Davenport at many tables at once: each picks for one seat of all of them.

They play as their namesakes in `bots`. Of equal cards the one that was held longest goes, where the order in
which they came is kept; else the one of the lowest suit.
"""

from __future__ import annotations

from typing import Any, Final

from facedown.games.davenport.bots.plain import HIGH, HIGH_IN_PLAYOFF
from facedown_lab.batch.form import Array, BatchPolicy, Draws
from facedown_lab.games.davenport.batch.state import (
    RANK_COUNT,
    CardSets,
    DavenportTables,
    by_number,
    first_of_value,
    nth,
    values_held,
)
from facedown_lab.games.davenport.batch.thinking import (
    HabitTables,
    advice,
    counts_of,
    estimates,
    first_habits,
    follow,
)

_DECK_SIZE: Final = 52
_SUITS: Final = 4


def place_of(xp: Any, hand: CardSets, value: Array) -> Array:
    """The card of this value in each hand, of the lowest suit: its place in the canonical deck."""
    place = value - 1
    for suit in reversed(range(_SUITS)):
        word, shift = (hand.low, suit) if suit < 2 else (hand.high, suit - 2)
        there = (word >> (value - 1 + RANK_COUNT * shift).astype(xp.uint32)) & 1
        place = xp.where(there == 1, value - 1 + RANK_COUNT * suit, place)
    return place.astype(xp.int32)


def highest_value(xp: Any, hand: CardSets) -> Array:
    """The highest value in each hand."""
    values = values_held(hand)
    best = xp.zeros(values.shape, dtype=xp.int32)
    for value in range(1, RANK_COUNT + 1):
        best = xp.where((values >> (value - 1)) & 1 == 1, value, best)
    return best


def lowest_value(xp: Any, hand: CardSets) -> Array:
    """The lowest value in each hand."""
    values = values_held(hand)
    best = xp.zeros(values.shape, dtype=xp.int32) + 1
    for value in reversed(range(1, RANK_COUNT + 1)):
        best = xp.where((values >> (value - 1)) & 1 == 1, value, best)
    return best


def card_of_value(game: Any, state: DavenportTables, seat: int, value: Array) -> Array:
    """The card of this value that goes: its place in the canonical deck."""
    if state.order:
        return first_of_value(game.xp, state.order[seat], value)
    return place_of(game.xp, state.hands[seat], value)


class BatchRandom(BatchPolicy):
    """`random` and `uniform`: any of the legal picks."""

    exact = True

    def __init__(self, name: str) -> None:
        self.name = name

    def pick(self, game: Any, state: DavenportTables, memory: Any, seat: int, draws: Draws) -> Array:
        xp = game.xp
        held = state.held[seat].astype(xp.uint32)
        picks = xp.where(game.switches.exchange, held * 2, held).astype(xp.uint32)
        number = draws.below(game.slots + seat, xp.maximum(picks, 1), game.deciding(state, seat))
        exchanged = number >= held
        number = xp.where(exchanged, number - held, number)
        if state.order:
            place = by_number(xp, state.order[seat], number)
        else:
            place = nth(xp, state.hands[seat], number).place.astype(xp.int32)
        return xp.where(exchanged, place + _DECK_SIZE, place)


class BatchHighest(BatchPolicy):
    """`highest`: the highest card of the hand."""

    name = "highest"
    exact = True

    def pick(self, game: Any, state: DavenportTables, memory: Any, seat: int, draws: Draws) -> Array:
        return card_of_value(game, state, seat, highest_value(game.xp, state.hands[seat]))


class BatchLowest(BatchPolicy):
    """`lowest`: the lowest card of the hand."""

    name = "lowest"
    exact = True

    def pick(self, game: Any, state: DavenportTables, memory: Any, seat: int, draws: Draws) -> Array:
        return card_of_value(game, state, seat, lowest_value(game.xp, state.hands[seat]))


class BatchPlayout(BatchPolicy):
    """`playout`: its highest card from a nine up; with nothing that high it exchanges its lowest."""

    name = "playout"
    exact = True

    def pick(self, game: Any, state: DavenportTables, memory: Any, seat: int, draws: Draws) -> Array:
        xp, hand = game.xp, state.hands[seat]
        best = highest_value(xp, hand)
        played = card_of_value(game, state, seat, best)
        exchanged = card_of_value(game, state, seat, lowest_value(xp, hand)) + _DECK_SIZE
        high = xp.where(state.playoff, HIGH_IN_PLAYOFF, HIGH)
        return xp.where((best < high) & game.switches.exchange, exchanged, played)


class BatchCareful(BatchPolicy):
    """`careful`: the pick after which its chance to win the game is best; of equals, the lowest card."""

    name = "careful"
    exact = False

    def start(self, game: Any, tables: int) -> HabitTables:
        return first_habits(game.xp, tables, game.seats)

    def after(self, game: Any, memory: HabitTables, before: Any, state: Any) -> HabitTables:
        return follow(game.xp, memory, before, state, game.switches.exchange)

    def pick(self, game: Any, state: DavenportTables, memory: HabitTables, seat: int, draws: Draws) -> Array:
        facts = counts_of(game, state, (seat,))
        worth = estimates(game.xp, facts, memory).worth
        return place_of_pick(game, state, seat, advice(game.xp, facts, worth))


def place_of_pick(game: Any, state: DavenportTables, seat: int, pick: Array) -> Array:
    """From a value, from 0, that is played, or 13 more for an exchange, to a place in the alphabet."""
    place = card_of_value(game, state, seat, pick % RANK_COUNT + 1)
    return game.xp.where(pick >= RANK_COUNT, place + _DECK_SIZE, place)


POLICIES: Final[dict[str, BatchPolicy]] = {
    each.name: each
    for each in (
        BatchRandom("uniform"),
        BatchRandom("random"),
        BatchHighest(),
        BatchLowest(),
        BatchCareful(),
        BatchPlayout(),
    )
}
"""Every machine that has a batch form, by name."""
