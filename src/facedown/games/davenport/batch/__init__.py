"""The batch form of Davenport: many tables as arrays, by the same rules as in `game`, for NumPy and JAX."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.parts.batch import BatchPolicy
from facedown.games.davenport.batch import bots
from facedown.games.davenport.batch.expert import BatchExpert
from facedown.games.davenport.batch.simulator import DavenportBatch

__all__ = ["BATCH", "POLICIES", "DavenportBatch"]

BATCH: Final[Any] = DavenportBatch
POLICIES: Final[dict[str, BatchPolicy]] = {**bots.POLICIES, BatchExpert.name: BatchExpert()}
"""Every machine that has a batch form, by name."""
