"""The reveal player: shows what happened at a table, decision by decision, and how long each card is seen.

A result that a player has to answer stands until a key is pressed; spectators see it for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from facedown.core.parts.scene import Face
from facedown.core.seats import Viewer
from facedown.terminal.drawing.board import Stage
from facedown.terminal.drawing.stage import StageBuilder
from facedown.terminal.tables.table import SeenDecision, TerminalTable

_HOLDS: Final = (0.5, 0.9, 1.4, 2.0, 2.8)
"""Seconds before the cards are turned: the longer a round stays undecided, the longer."""
_LOOKS: Final = (0.9, 1.1, 1.3, 1.6, 2.0)
"""Seconds in which the turned cards are seen before the game continues."""
_SHORT: Final = (0.15, 0.5)


class RevealPlayer:
    """Plays the reveals of one table for one viewer; any key turns the cards, and the next one continues."""

    def __init__(
        self,
        viewer: Viewer,
        show: Callable[[Stage], None],
        stays: Callable[[], bool] = lambda: False,
    ) -> None:
        """`viewer` is whose eyes everybody at the screen may look through; `stays` whether the latest result
        stays until a key is pressed."""
        self.viewer = viewer
        self.shown = 0
        """How many decisions of the history have been shown."""
        self.playing = False
        """Whether something is being shown now."""
        self.placed: Face | None = None
        """The card that the one person placed last: it is not in the hand during the reveal."""
        self.turned = False
        """Whether the cards that are being shown lie face up."""
        self._show = show
        self._stays = stays
        self._skipped = asyncio.Event()

    def skip(self) -> None:
        """Continue at once."""
        self._skipped.set()

    def is_behind(self, table: TerminalTable) -> bool:
        """Whether something has happened that was not shown."""
        return self.shown < len(table.history(self.viewer))

    async def catch_up(self, builder: StageBuilder, motion: str) -> None:
        """Show what has happened since; the caller has set `playing`."""
        table = builder.table
        try:
            while self.shown < len(history := table.history(self.viewer)):
                if self.shown:
                    await self._reveal(builder, history[self.shown - 1], history[self.shown], motion)
                self.shown += 1
        finally:
            self.playing = self.turned = False

    async def _reveal(
        self, builder: StageBuilder, before: SeenDecision, entry: SeenDecision, motion: str
    ) -> None:
        """Face down, a pause that grows with the round, then the cards."""
        cards = builder.scenes.revealed_cards(entry.seen)
        if cards is None or motion == "off" or entry.view is None:
            return
        last = self.shown == len(builder.table.history(self.viewer)) - 1
        for turned, seconds in _phases(builder.scenes.weight(entry.seen), motion):
            self.turned = turned
            keys = (("", builder.words("go_on" if turned else "skip")),)
            stage = builder.at_reveal(
                self.viewer, before, entry, cards, keys, turned=turned, gone=self.placed
            )
            self._skipped.clear()
            self._show(stage)
            await self._pause(None if turned and last and self._stays() else seconds)

    async def _pause(self, seconds: float | None) -> None:
        """Wait so long, or until a key; None: for the key."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._skipped.wait(), seconds)


def _phases(weight: int, motion: str) -> Iterator[tuple[bool, float]]:
    """Whether the cards are turned, and for how many seconds that is shown: first not, then yes."""
    place = min(weight, len(_HOLDS)) - 1
    hold, look = (_HOLDS[place], _LOOKS[place]) if motion == "full" else _SHORT
    yield False, hold
    yield True, look
