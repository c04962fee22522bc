"""Many tables at once: both games as arrays, in NumPy or JAX, for simulation and for programs that learn."""

from __future__ import annotations

from facedown_lab.batch.draws import CounterDraws
from facedown_lab.batch.policies import BadPolicy
from facedown_lab.batch.tables import BatchTables, GameShares, play_games, simulator

__all__ = [
    "BadPolicy",
    "BatchTables",
    "CounterDraws",
    "GameShares",
    "play_games",
    "simulator",
]


def __dir__() -> list[str]:
    return __all__
