"""Shell protocol: what pages of the full screen ask of the app around them."""

from __future__ import annotations

from typing import Protocol

from facedown.terminal.settings import Look
from facedown.terminal.tables.host import LocalHost
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words


class Shell(Protocol):
    """The app as its pages know it: the look and the words, and the ways between tables."""

    look: Look
    words: Words
    host: LocalHost

    def sit(self, table: TerminalTable) -> None:
        """Show a table above the page that chose it."""

    def game_over(self, table: TerminalTable) -> None:
        """Put a finished game away."""

    def move_to(self, table: TerminalTable) -> None:
        """Show another table in place of this one."""

    def leave_table(self) -> None:
        """Back to the menu, or out of the app where it was started for this table."""

    def action_leave(self) -> None:
        """Out of the app."""

    def fail(self, error: Exception) -> None:
        """End the app because of an error that nothing handles."""
