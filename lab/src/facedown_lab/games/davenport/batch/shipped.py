"""The machines with shipped networks, `expert` and `steady`, at many tables at once."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.core.cards import SUITS
from facedown.games.davenport.bots.expert import NetworkBot, shipped_weights
from facedown.games.davenport.bots.network import PICKS, decide
from facedown_lab.batch.form import Array, Draws, Namespace
from facedown_lab.games.davenport.batch.bots import BatchCareful, place_of_pick
from facedown_lab.games.davenport.batch.state import (
    FULL,
    RANK_COUNT,
    CardSets,
    DavenportTables,
    bit_count,
)
from facedown_lab.games.davenport.batch.thinking import HabitTables

_ONE_SUIT: Final = FULL >> RANK_COUNT
"""The places of the first suit of a word."""


class DrawnGames(NamedTuple):
    """What a machine minds of the rounds before, at every table."""

    habits: HabitTables
    lots: Array
    """What the suits of each seat's dealt hand draw (`lot_of`): tables by seats."""


class BatchShipped(BatchCareful):
    """A machine with shipped networks, read at its first pick; its dealt hand draws the one of a game."""

    def __init__(self, bot: type[NetworkBot]) -> None:
        self.name = bot.name
        self._networks = bot.networks

    def start(self, game: Any, tables: int) -> DrawnGames:  # type: ignore[override]  # it minds more
        lots = game.xp.zeros((tables, game.seats), dtype=game.xp.uint32)
        return DrawnGames(super().start(game, tables), lots)

    def after(self, game: Any, memory: DrawnGames, before: Any, state: Any) -> DrawnGames:  # type: ignore[override]
        habits = super().after(game, memory.habits, before, state)
        return DrawnGames(habits, _lots(game.xp, memory.lots, before))

    def pick(self, game: Any, state: Any, memory: DrawnGames, seat: int, draws: Draws) -> Array:  # type: ignore[override]
        xp = game.xp
        upto = xp.cumsum(self.chances(game, state, memory, seat), axis=1)
        choice = (state.held[seat] > 1) | game.switches.exchange  # else nothing is drawn
        unit = draws.unit(game.slots + seat, game.deciding(state, seat) & choice)
        pick = (upto <= unit[:, None] * upto[:, -1:]).sum(axis=1)
        return place_of_pick(game, state, seat, xp.minimum(pick, PICKS - 1))

    def chances(self, game: Any, state: Any, memory: DrawnGames, seat: int) -> Array:
        """How likely each pick of the seat is: tables by picks."""
        from facedown_lab.games.davenport.learn.sight import sight_of  # it imports this package

        xp = game.xp
        names = self._networks(game.seats, ace=game.rules.ace)
        seen = sight_of(game, state, memory.habits, (seat,))
        each = {name: decide(xp, shipped_weights(name), seen) for name in dict.fromkeys(names)}
        lots = _lots(xp, memory.lots, state)[:, seat] % len(names)
        likely = each[names[0]]
        for lot, name in enumerate(names):
            likely = xp.where((lots == lot)[:, None], each[name], likely)
        return likely


def _lots(xp: Namespace, known: Array, state: DavenportTables) -> Array:
    """The lots at every table: those of the hands where these were just dealt, else the known ones."""
    dealt = (state.round == 1) & ~state.playoff
    return xp.where(dealt[:, None], xp.stack([_lot(xp, hand) for hand in state.hands], axis=1), known)


def _lot(xp: Namespace, hand: CardSets) -> Array:
    """`lot_of` each hand: the sum of its suits, from 0, clubs to spades."""
    suits = (hand.low >> RANK_COUNT, hand.high & _ONE_SUIT, hand.high >> RANK_COUNT)
    return sum(number * bit_count(xp, each) for number, each in enumerate(suits, 1)) % len(SUITS)
