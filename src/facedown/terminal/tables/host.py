"""Who sets tables on this machine: what the screens ask of the command that started them."""

from __future__ import annotations

from typing import Protocol

from facedown.terminal.tables.local import LocalSitting
from facedown.terminal.tables.savegame import Kept, Order
from facedown.terminal.words.words import Words


class Host(Protocol):
    """Sets tables, and puts finished games away."""

    def quick(self, game: str) -> Order:
        """A table against machines, as it usually is."""

    def order(self, game: str, rules: str, seats: int, machines: tuple[str, ...]) -> Order:
        """A table with these machines, by seat; empty names are people's seats."""

    def again(self, order: Order) -> Order:
        """The same table with a fresh deal."""

    def open(self, order: Order, words: Words, kept: Kept | None = None) -> LocalSitting:
        """Set the table, or go on with one that was kept."""

    def over(self, sitting: LocalSitting) -> list[str]:
        """Put a finished game away; what there is to say about it."""
