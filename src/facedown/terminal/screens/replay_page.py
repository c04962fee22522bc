"""A recorded game on the full screen, step by step: forward, back, and through whose eyes one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from facedown.core.seats import SPECTATOR
from facedown.terminal.drawing.selection import Selection
from facedown.terminal.screens.table_page import TablePage
from facedown.terminal.tables.recorded import RecordedTable

if TYPE_CHECKING:
    from textual.events import Key


class ReplayPage(TablePage):
    """Steps through a record."""

    table: RecordedTable

    def __init__(self, table: RecordedTable) -> None:
        super().__init__(table)
        self._seat = SPECTATOR

    def settle(self) -> None:
        """The table after the decision that is reached, with its number."""
        words, table = self.words, self.table
        place = words("replay.at", decision=table.at, of=table.last)
        prompt = words("replay.start") if table.at == 0 else place
        if table.at == table.last:
            prompt = f"{prompt}. {words('replay.end')}"
        keys = [
            ("←→", words("key.step")),
            ("w", words("key.why")),
            ("l", words("key.log")),
            ("r", words("key.rules")),
        ]
        if table.over:
            keys += [(f"0-{len(table.names)}", words("key.eyes")), ("v", words("key.review"))]
        keys.append(("Esc", words("key.leave")))
        stage = self.builder.at_rest(self._seat, Selection(), tuple(keys), prompt=prompt)
        self.set_stage(stage)

    def on_key(self, event: Key) -> None:
        """Step, look through other eyes, or ask."""
        steps = {"left": -1, "right": 1, "up": -1, "down": 1, "enter": 1, "space": 1}
        steps |= {"home": -self.table.last, "end": self.table.last, "pageup": -10, "pagedown": 10}
        letter = event.character or ""
        if not self.revealing and event.key in steps:
            event.stop()
            self._step(steps[event.key])
        elif self.table.over and letter.isdigit() and int(letter) <= len(self.table.names):
            event.stop()
            self._seat = int(letter)
            self.settle()
        elif letter == "v" and self.table.over:
            event.stop()
            self.review()
        elif letter != "n":
            super().on_key(event)

    def _step(self, by: int) -> None:
        at = max(0, min(self.table.last, self.table.at + by))
        forward = at == self.table.at + 1
        self.table.at = at
        self.show_from(at if forward else at + 1)

    def _next_turn(self) -> None:
        self.settle()
