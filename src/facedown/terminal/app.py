"""The full-screen app (Textual): pages with one look and one language; tables are opened and closed here.

Local tables are set by the host; every table, wherever it is, has the same page.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Final

from rich.console import Console
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from facedown.files import UnwritableFile
from facedown.terminal.drawing.colours import background, foreground, is_native
from facedown.terminal.screens.menu import MenuPage
from facedown.terminal.screens.table_page import TablePage
from facedown.terminal.settings import Look
from facedown.terminal.tables.host import LocalHost
from facedown.terminal.tables.local import RecordNotSaved
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words

INTERRUPTED: Final = "interrupted"
LEFT: Final = "left"


class TerminalApp(App[str]):
    """Facedown in a terminal."""

    CSS_PATH = "screens/style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", priority=True, show=False),
        Binding("ctrl+q", "leave", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", priority=True, show=False),
    ]

    def __init__(
        self,
        host: LocalHost,
        look: Look,
        table: TerminalTable | None = None,
    ) -> None:
        """Without a table, the menu is the first page."""
        super().__init__(ansi_color=is_native(look.theme))
        self.animation_level = "none"  # texts scroll at once
        self.look = look
        self.error_console = Console(quiet=True)  # Textual prints the variables of every frame there
        self.host = host
        self.words = Words(look.language)
        self.said: list[str] = []
        """Lines to print once the screen is restored."""
        self._table = table
        self._open: list[TerminalTable] = []
        self.failure: Exception | None = None
        """A record or notes that could not be written, or a bug; the command fails with it."""
        self._apply_theme()

    def _apply_theme(self) -> None:
        name, colour = "facedown", background(self.look.theme)
        native = {"ansi-background": "ansi_default", "ansi-foreground": "ansi_default"}
        self.register_theme(
            Theme(
                name,
                primary=colour,
                foreground=foreground(self.look.theme),
                background=colour,
                surface=colour,
                ansi=is_native(self.look.theme),
                variables=native,
            )
        )
        self.theme = name

    def get_default_screen(self) -> Screen[Any]:
        if self._table is not None:
            return self._page_of(self._table)
        return MenuPage()

    def on_mount(self) -> None:
        """SIGTERM and a closed terminal leave in order."""
        loop = asyncio.get_running_loop()
        try:
            loop.add_signal_handler(signal.SIGTERM, self._terminate, "SIGTERM")
            if hasattr(signal, "SIGHUP"):
                signal.signal(signal.SIGHUP, lambda *_: self._hung_up(loop))
        except (NotImplementedError, ValueError, RuntimeError):
            return  # not the main thread, or a system without signals

    def _terminate(self, name: str) -> None:
        self.close_tables()
        self.exit(name)

    def _hung_up(self, loop: asyncio.AbstractEventLoop) -> None:
        """At any moment: without a terminal nothing can be put back, and writing to it may never end."""
        if _has_terminal():
            loop.call_soon_threadsafe(self._terminate, "SIGHUP")
            return
        self.close_tables()  # picks are saved already, each when it was sealed
        _end_process()

    def fail(self, error: Exception) -> None:
        """End because of an error that nothing handles; the command says it in one sentence."""
        if self.failure is None:
            self.failure = error
        self.exit(return_code=1)

    # --- tables --------------------------------------------------------------------------------------

    def sit(self, table: TerminalTable) -> None:
        self.push_screen(self._page_of(table))

    def _page_of(self, table: TerminalTable) -> TablePage:
        self._open.append(table)
        return TablePage(table, self.words, self.look)

    def game_over(self, table: TerminalTable) -> None:
        self._note(table.finish)

    def move_to(self, table: TerminalTable) -> None:
        """Another table in place of this one; the page that the app began with cannot be taken away."""
        self.close_tables()
        if len(self.screen_stack) < 2:
            self.push_screen(self._page_of(table))
        else:
            self.switch_screen(self._page_of(table))

    def leave_table(self) -> None:
        """Back to the menu, or away where the app was started for this table."""
        self.close_tables()
        if self._table is not None or len(self.screen_stack) < 2:
            self.exit(LEFT)
        else:
            self.said.clear()
            self.pop_screen()

    def action_leave(self) -> None:
        self.close_tables()
        self.exit(LEFT)

    def action_interrupt(self) -> None:
        """Ctrl-C: the same, and the command says that it was interrupted."""
        self.close_tables()
        self.exit(INTERRUPTED)

    def close_tables(self) -> None:
        """Close every table that is open; what they have to say is printed after the app."""
        while self._open:
            self._note(self._open.pop().close)

    def _note(self, ending: Callable[[], list[str]]) -> None:
        try:
            self.said += ending()
        except RecordNotSaved as error:
            self.failure = error
            self.said.append(error.record)
        except UnwritableFile as error:
            self.failure = error


def _end_process() -> None:
    os._exit(128 + signal.SIGHUP)


def _has_terminal() -> bool:
    try:
        os.tcgetpgrp(sys.__stdin__.fileno())  # type: ignore[union-attr]  # None where there is no input at all
    except (AttributeError, OSError, ValueError):
        return False
    return True
