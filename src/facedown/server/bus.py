"""The bus: notifications between servers that a table has changed. One may be lost: the store decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from facedown.core.errors import Unsupported

OnChange: TypeAlias = Callable[[str, int], None]
"""A callback on the event loop with a table's id and its new head; must not block."""


class Bus(Protocol):
    """Publishes a change after its commit; subscribers then read the store."""

    def publish(self, table: str, v: int) -> None:
        """Announce that the table is at `v` now."""

    def subscribe(self, on_change: OnChange) -> None:
        """Call `on_change` for every change from now on."""

    def close(self) -> None:
        """Remove all subscribers."""


class LocalBus:
    """The bus of a single process: calls every subscriber at once, in the order of subscription."""

    def __init__(self) -> None:
        self._subscribers: list[OnChange] = []

    def publish(self, table: str, v: int) -> None:
        for on_change in tuple(self._subscribers):
            on_change(table, v)

    def subscribe(self, on_change: OnChange) -> None:
        self._subscribers.append(on_change)

    def close(self) -> None:
        self._subscribers.clear()


def open_bus(url: str = "local:") -> Bus:
    """Open the bus that a setting names; only `local:` is supported."""
    if url != "local:":
        raise Unsupported(f"there is no bus {url!r}: only local: is supported", text=url)
    return LocalBus()
