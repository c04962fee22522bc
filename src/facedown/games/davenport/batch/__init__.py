"""The batch form of Davenport: many tables as arrays, by the same rules as in `game`, for NumPy and JAX."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.parts.batch import Array, BatchPolicy, Draws
from facedown.games.davenport.batch import bots
from facedown.games.davenport.batch.house import CHARACTER_POLICIES
from facedown.games.davenport.batch.simulator import DavenportBatch
from facedown.games.davenport.bots.expert import shipped_weights

__all__ = ["BATCH", "POLICIES", "DavenportBatch"]


class BatchExpert(bots.BatchCareful):
    """`expert`, and `ash`: the shipped network, read at its first pick; it remembers what `careful` does."""

    def __init__(self, name: str) -> None:
        self.name = name

    def pick(self, game: Any, state: Any, memory: Any, seat: int, draws: Draws) -> Array:
        from facedown.games.davenport.learn.sight import BatchNetwork  # it imports this package

        return BatchNetwork(shipped_weights()).pick(game, state, memory, seat, draws)


BATCH: Final[Any] = DavenportBatch
POLICIES: Final[dict[str, BatchPolicy]] = {
    **bots.POLICIES,
    **CHARACTER_POLICIES,
    **{name: BatchExpert(name) for name in ("expert", "ash")},
}
"""Every machine that has a batch form, by name."""
