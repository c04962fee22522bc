"""What a bus is: hints that a table has moved on. A lost hint must do no harm; the store is the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

Hear: TypeAlias = Callable[[str, int], None]
"""Called on the loop with a table's id and its new head; must not block."""


class Bus(Protocol):
    """Publish after the commit; whoever listens asks the store."""

    def publish(self, table: str, v: int) -> None:
        """The table is at `v` now."""

    def listen(self, hear: Hear) -> None:
        """Call `hear` for every hint from now on."""

    def close(self) -> None:
        """Nobody is told any more."""
