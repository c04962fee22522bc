"""The bus of a server that is alone: whoever listens is called at once, in the same process."""

from __future__ import annotations

from facedown.server.bus.bus import Hear


class LocalBus:
    """Calls everybody who listens, in the order in which they came."""

    def __init__(self) -> None:
        self._listening: list[Hear] = []

    def publish(self, table: str, v: int) -> None:
        for hear in tuple(self._listening):
            hear(table, v)

    def listen(self, hear: Hear) -> None:
        self._listening.append(hear)

    def close(self) -> None:
        self._listening.clear()
