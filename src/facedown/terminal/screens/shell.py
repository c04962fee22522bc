"""Shell protocol: what pages of the full screen ask of the app around them."""

from __future__ import annotations

from typing import Protocol

from facedown.terminal.settings import Look, TerminalSettings
from facedown.terminal.tables.host import LocalHost
from facedown.terminal.tables.savegame import SaveGame
from facedown.terminal.tables.spec import TableSpec
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words


class Shell(Protocol):
    """The app as its pages know it: the look and the words, the settings, and the ways between tables."""

    look: Look
    words: Words
    host: LocalHost
    settings: TerminalSettings

    def set(self, settings: TerminalSettings) -> None:
        """Apply other settings, and store them."""

    def play(self, spec: TableSpec, savegame: SaveGame | None = None) -> None:
        """Open a table of this machine, or resume a saved game."""

    async def rejoin(self, server: str, table: str) -> None:
        """Go back to a seat at a table on a server; raises `FacedownError`."""

    def game_over(self, table: TerminalTable) -> None:
        """Put a finished game away."""

    def play_again(self, table: TerminalTable) -> None:
        """The same table again, with a fresh deal."""

    def move_to(self, table: TerminalTable) -> None:
        """Show another table in place of this one."""

    def leave_table(self) -> None:
        """Back to the menu, or out of the app where it was started for this table."""

    def action_leave(self) -> None:
        """Out of the app."""

    def write_to_terminal(self, codes: str) -> None:
        """Write control codes that paint nothing."""
