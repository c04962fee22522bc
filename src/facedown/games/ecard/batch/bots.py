"""The machines of E-Card at many tables at once: each picks for one seat of all of them."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.parts.batch import Array, BatchPolicy, Draws
from facedown.games.ecard.batch.simulator import (
    CITIZEN_PLACE,
    EMPEROR_PLACE,
    SLAVE_PLACE,
    STAKE_PLACE,
    ECardTables,
)
from facedown.games.ecard.rules import DECIDED


def card_picks(game: Any, state: ECardTables, seat: int, special: Array) -> Array:
    """The special card of the seat's side where `special` holds or nothing else is left; else a Citizen."""
    xp = game.xp
    own = xp.where(game.emperor(state) == seat, EMPEROR_PLACE, SLAVE_PLACE)
    return xp.where(special | (state.play >= DECIDED), own, CITIZEN_PLACE).astype(xp.int32)


class BatchBlind:
    """`random`: any card of the hand, and any stake."""

    name = "random"

    def start(self, game: Any, tables: int) -> Any:
        """Nothing to remember."""
        return ()

    def after(self, game: Any, memory: Any, before: Any, state: Any) -> Any:
        """Nothing to remember."""
        return ()

    def pick(self, game: Any, state: ECardTables, memory: Any, seat: int, draws: Draws) -> Array:
        """Every card in hand alike: of five cards one is the special one."""
        xp = game.xp
        names = state.stake == 0
        choices = (DECIDED + 1 - state.play).astype(xp.uint32)
        if game.named:
            choices = xp.where(names, game.most(state, seat).astype(xp.uint32), choices)
        number = draws.below(game.slots + seat, xp.maximum(choices, 1), game.deciding(state, seat))
        cards = card_picks(game, state, seat, number == 0)
        return xp.where(names, number.astype(xp.int32) + STAKE_PLACE, cards) if game.named else cards


POLICIES: Final[dict[str, BatchPolicy]] = {each.name: each for each in (BatchBlind(),)}
"""Every machine that has a batch form, by name."""
