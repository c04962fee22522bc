"""The batch form of Davenport: many tables as arrays, by the same rules as in `game`, for NumPy and JAX."""

from __future__ import annotations

from typing import Any, Final

from facedown.games.davenport.bots.expert import Expert, Steady
from facedown.games.davenport.bots.house import Ash
from facedown_lab.batch.form import BatchPolicy
from facedown_lab.games.davenport.batch import bots
from facedown_lab.games.davenport.batch.shipped import BatchShipped
from facedown_lab.games.davenport.batch.simulator import DavenportBatch

__all__ = ["BATCH", "POLICIES", "DavenportBatch"]

BATCH: Final[Any] = DavenportBatch
POLICIES: Final[dict[str, BatchPolicy]] = {
    **bots.POLICIES,
    **{bot.name: BatchShipped(bot) for bot in (Expert, Steady, Ash)},
}
"""Every machine that has a batch form, by name."""
