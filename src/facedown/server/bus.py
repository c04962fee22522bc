"""The bus: hints that a table has moved on. A lost hint does no harm, because the store is the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from facedown.core.errors import Unsupported

Hear: TypeAlias = Callable[[str, int], None]
"""Called on the loop with a table's id and its new head; must not block."""


class Bus(Protocol):
    """Publishes a hint after the commit; listeners ask the store."""

    def publish(self, table: str, v: int) -> None:
        """The table is at `v` now."""

    def listen(self, hear: Hear) -> None:
        """Call `hear` for every hint from now on."""

    def close(self) -> None:
        """Drop all listeners."""


class LocalBus:
    """The bus of a single process: calls every listener at once, in the order of their arrival."""

    def __init__(self) -> None:
        self._listening: list[Hear] = []

    def publish(self, table: str, v: int) -> None:
        for hear in tuple(self._listening):
            hear(table, v)

    def listen(self, hear: Hear) -> None:
        self._listening.append(hear)

    def close(self) -> None:
        self._listening.clear()


def open_bus(url: str = "local:") -> Bus:
    """The bus that a setting names; `local:` is the only one there is."""
    if url != "local:":
        raise Unsupported(f"there is no bus {url!r}: only local: is supported", text=url)
    return LocalBus()
