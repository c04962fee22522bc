"""The reveal player: shows what happened at a table, decision by decision, and how long each card is seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

from facedown.core.parts.scene import Face
from facedown.core.seats import Viewer
from facedown.terminal.drawing.board import Stage
from facedown.terminal.drawing.stage import StageBuilder
from facedown.terminal.tables.table import SeenDecision

_HOLDS: Final = (0.5, 0.9, 1.4, 2.0, 2.8)
"""Seconds before the cards are turned: the longer a round stays undecided, the longer."""
_LOOKS: Final = (0.9, 1.1, 1.3, 1.6, 2.0)
"""Seconds in which the turned cards are seen before the game continues."""
_SHORT: Final = (0.15, 0.5)


class RevealPlayer:
    """Plays the reveals of one table for one viewer; any key skips one."""

    def __init__(self, viewer: Viewer, show: Callable[[Stage], None]) -> None:
        """`viewer` is whose eyes everybody at the screen may look through."""
        self.viewer = viewer
        self.shown = 0
        """How many decisions of the history have been shown."""
        self.playing = False
        """Whether something is being shown now."""
        self.placed: Face | None = None
        """The card that the one person placed last: it is not in the hand during the reveal."""
        self._show = show
        self._skipped = asyncio.Event()

    def skip(self) -> None:
        """Continue at once."""
        self._skipped.set()

    async def catch_up(self, builder: StageBuilder, motion: str) -> None:
        """Show what has happened since; the caller has set `playing`."""
        table = builder.table
        try:
            while self.shown < len(history := table.history(self.viewer)):
                if self.shown:
                    await self._reveal(builder, history[self.shown - 1], history[self.shown], motion)
                self.shown += 1
        finally:
            self.playing = False

    async def _reveal(
        self, builder: StageBuilder, before: SeenDecision, entry: SeenDecision, motion: str
    ) -> None:
        """Face down, a pause that grows with the round, then the cards."""
        cards = builder.scenes.turned(entry.seen)
        if cards is None or motion == "off" or entry.view is None:
            return
        keys = (("", builder.words("skip")),)
        self._skipped.clear()
        for turned, seconds in _phases(builder.scenes.weight(entry.seen), motion):
            stage = builder.at_reveal(
                self.viewer, before, entry, cards, keys, turned=turned, gone=self.placed
            )
            self._show(stage)
            if await self._pause(seconds):
                return

    async def _pause(self, seconds: float) -> bool:
        """Wait; whether a key skipped it."""
        try:
            await asyncio.wait_for(self._skipped.wait(), seconds)
        except TimeoutError:
            return False
        return True


def _phases(weight: int, motion: str) -> Iterator[tuple[bool, float]]:
    """Whether the cards are turned, and for how many seconds that is shown: first not, then yes."""
    place = min(weight, len(_HOLDS)) - 1
    hold, look = (_HOLDS[place], _LOOKS[place]) if motion == "full" else _SHORT
    yield False, hold
    yield True, look
