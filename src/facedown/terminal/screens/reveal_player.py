"""The reveal player: shows what happened at a table, decision by decision, and how long each card is seen.

A result that a player has to answer stands until a key is pressed; spectators see it for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from facedown.core.parts.scene import Face
from facedown.terminal.moments.session import TableSession
from facedown.terminal.moments.stage import Stage
from facedown.terminal.tables.table import SeenDecision

_HOLDS: Final = (0.5, 0.9, 1.4, 2.0, 2.8)
"""Seconds before the cards are turned: the longer a round stays undecided, the longer."""
_LOOKS: Final = (0.9, 1.1, 1.3, 1.6, 2.0)
"""Seconds in which the turned cards are seen before the game continues."""


class RevealPlayer:
    """Plays the reveals of one session; any key turns the cards, and the next one continues."""

    def __init__(self, session: TableSession, show: Callable[[Stage], None]) -> None:
        self._session = session
        self._show = show
        self._skipped = asyncio.Event()
        self.shown = len(session.table.history(session.viewer))
        """How many decisions of the history have been shown."""
        self.playing = False
        """Whether something is being shown now."""
        self.placed: Face | None = None
        """The card that the one person placed last: it is not in the hand during the reveal."""
        self.turned = False
        """Whether the cards that are being shown lie face up."""

    def skip(self) -> None:
        self._skipped.set()

    def is_behind(self) -> bool:
        return self.shown < len(self._session.table.history(self._session.viewer))

    async def catch_up(self) -> None:
        """Show what has happened since; the caller has set `playing`."""
        table, viewer = self._session.table, self._session.viewer
        try:
            while self.shown < len(history := table.history(viewer)):
                if self.shown:
                    await self._reveal(history[self.shown - 1], history[self.shown])
                self.shown += 1
        finally:
            self.playing = self.turned = False

    async def _reveal(self, before: SeenDecision, entry: SeenDecision) -> None:
        """Face down, a pause that grows with the round, then the cards."""
        session = self._session
        place = min(session.builder.scenes.weight(entry.seen), len(_HOLDS)) - 1
        last = self.shown == len(session.table.history(session.viewer)) - 1
        for turned, seconds in ((False, _HOLDS[place]), (True, _LOOKS[place])):
            stage = session.builder.at_reveal(session.viewer, before, entry, turned=turned, gone=self.placed)
            if stage is None:
                return
            self.turned = turned
            self._skipped.clear()
            self._show(stage)
            stays = turned and last and session.awaits_people()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._skipped.wait(), None if stays else seconds)
