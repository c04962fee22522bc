"""The batch form of Davenport: many tables as arrays, by the same rules as in `game`, for NumPy and JAX."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.parts.batch import Array, BatchPolicy, Draws
from facedown.games.davenport.batch import bots
from facedown.games.davenport.batch.house import CHARACTER_POLICIES
from facedown.games.davenport.batch.simulator import DavenportBatch
from facedown.games.davenport.bots.expert import Expert, Steady, shipped_weights
from facedown.games.davenport.bots.house import Ash

__all__ = ["BATCH", "POLICIES", "DavenportBatch"]


class BatchShipped(bots.BatchCareful):
    """A machine with a shipped network, read at its first pick; it remembers what `careful` does."""

    def __init__(self, name: str, network: str) -> None:
        self.name = name
        self._network = network

    def pick(self, game: Any, state: Any, memory: Any, seat: int, draws: Draws) -> Array:
        from facedown.games.davenport.learn.sight import BatchNetwork  # it imports this package

        return BatchNetwork(shipped_weights(self._network)).pick(game, state, memory, seat, draws)


BATCH: Final[Any] = DavenportBatch
POLICIES: Final[dict[str, BatchPolicy]] = {
    **bots.POLICIES,
    **CHARACTER_POLICIES,
    **{bot.name: BatchShipped(bot.name, bot.network) for bot in (Expert, Steady, Ash)},
}
"""Every machine that has a batch form, by name."""
