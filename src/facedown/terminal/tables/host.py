"""Who sets tables on this machine: what the screens ask of the command that started them."""

from __future__ import annotations

from typing import Protocol

from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import SaveGame, TableSpec
from facedown.terminal.words.words import Words


class Host(Protocol):
    """Sets tables, and puts finished games away."""

    def quick(self, game: str) -> TableSpec:
        """A table against machines, as it usually is."""

    def spec(self, game: str, rules: str, seats: int, machines: tuple[str, ...]) -> TableSpec:
        """A table with these machines, by seat; empty names are people's seats."""

    def again(self, spec: TableSpec) -> TableSpec:
        """The same table with a fresh deal."""

    def open(self, spec: TableSpec, words: Words, savegame: SaveGame | None = None) -> LocalTable:
        """Set the table, or go on with one that was kept."""

    def over(self, table: LocalTable) -> list[str]:
        """Put a finished game away; what there is to say about it."""
