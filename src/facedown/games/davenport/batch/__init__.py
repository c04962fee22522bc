"""The batch form of Davenport: many tables as arrays, by the same rules as in `game`, for NumPy and JAX."""

from __future__ import annotations

from typing import Any, Final

from facedown.games.davenport.batch.bots import POLICIES
from facedown.games.davenport.batch.simulator import DavenportBatch

__all__ = ["BATCH", "POLICIES", "DavenportBatch"]

BATCH: Final[Any] = DavenportBatch
