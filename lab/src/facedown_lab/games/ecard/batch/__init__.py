"""The batch form of E-Card: many tables as arrays, by the same rules as in `game`, for NumPy and JAX."""

from __future__ import annotations

from typing import Any, Final

from facedown_lab.games.ecard.batch.bots import POLICIES
from facedown_lab.games.ecard.batch.simulator import ECardBatch

__all__ = ["BATCH", "POLICIES", "ECardBatch"]

BATCH: Final[Any] = ECardBatch
