"""The batch form of E-Card: many tables as arrays, by the same rules as in `game`, for NumPy and JAX."""

from __future__ import annotations

from typing import Any, Final

from facedown_lab.batch.form import BatchPolicy
from facedown_lab.games.ecard.batch import bots
from facedown_lab.games.ecard.batch.house import CHARACTER_POLICIES
from facedown_lab.games.ecard.batch.simulator import ECardBatch

__all__ = ["BATCH", "POLICIES", "ECardBatch"]

BATCH: Final[Any] = ECardBatch

POLICIES: Final[dict[str, BatchPolicy]] = {**bots.POLICIES, **CHARACTER_POLICIES}
"""Every machine that has a batch form, by name."""
