"""`expert` at one seat of many tables: the shipped network, read when the first game starts."""

from __future__ import annotations

from typing import Any

from facedown.core.parts.batch import Array, BatchPolicy, Draws
from facedown.games.davenport.batch.state import DavenportTables


class BatchExpert:
    """`expert`: drawn by the network's chances."""

    name = "expert"
    exact = False

    def start(self, game: Any, tables: int) -> Any:
        return _network().start(game, tables)

    def after(self, game: Any, memory: Any, before: Any, state: Any) -> Any:
        return _network().after(game, memory, before, state)

    def pick(self, game: Any, state: DavenportTables, memory: Any, seat: int, draws: Draws) -> Array:
        return _network().pick(game, state, memory, seat, draws)


def _network() -> BatchPolicy:
    """The network's batch form; training stands on this package, so that it can be asked for only here."""
    from facedown.games.davenport.bots.expert import shipped_weights
    from facedown.games.davenport.learn.sight import BatchNetwork

    return BatchNetwork(shipped_weights())
