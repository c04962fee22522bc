"""The replay page: a recorded game step by step, forward and back, through any viewer's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from facedown.core.seats import SPECTATOR, Viewer
from facedown.terminal.drawing.board import Stage, paint
from facedown.terminal.drawing.selection import Selection
from facedown.terminal.drawing.spans import Line
from facedown.terminal.drawing.stage import StageBuilder
from facedown.terminal.screens.info_pages import info_page, review_page
from facedown.terminal.screens.page import PaintedPage
from facedown.terminal.screens.reveal_player import RevealPlayer
from facedown.terminal.screens.table_page import replay_keys
from facedown.terminal.tables.recorded import RecordedTable

if TYPE_CHECKING:
    from textual.events import Click, Key

_STEPS: Final = {"left": -1, "right": 1, "up": -1, "down": 1, "enter": 1, "space": 1} | {
    "pageup": -10,
    "pagedown": 10,
}


class ReplayPage(PaintedPage):
    """Steps through a record."""

    def __init__(self, table: RecordedTable) -> None:
        super().__init__()
        self.table = table
        self._builder: StageBuilder | None = None
        self._stage: Stage | None = None
        self._viewer: Viewer = SPECTATOR
        self._reveals = RevealPlayer(SPECTATOR, self._set_stage)

    def on_mount(self) -> None:
        """Show the deal."""
        self._reveals.shown = len(self.table.history(SPECTATOR))
        self._settle()

    @property
    def builder(self) -> StageBuilder:
        """What makes the stages, in the language of the moment."""
        if self._builder is None or self._builder.words is not self.words:
            self._builder = StageBuilder(self.table, self.words)
        return self._builder

    @property
    def idle(self) -> bool:
        """Whether no reveal is being shown."""
        return not self._reveals.playing

    def paint(self, width: int, height: int) -> list[Line]:
        return [] if self._stage is None else paint(self._stage, width, height, self.look, self.words).lines

    def _set_stage(self, stage: Stage) -> None:
        self._stage = stage
        self.show()

    def _settle(self) -> None:
        """The table after the decision that is reached, with its number."""
        words, table = self.words, self.table
        place = words("replay.at", decision=table.at, of=table.last)
        prompt = words("replay.start") if table.at == 0 else place
        if table.at == table.last:
            prompt = f"{prompt}. {words('replay.end')}"
        keys = replay_keys(table, words)
        self._set_stage(self.builder.at_rest(self._viewer, Selection(), keys, prompt=prompt))

    def on_key(self, event: Key) -> None:
        """Step, look through other eyes, or ask; during a reveal any key continues."""
        event.stop()
        table, letter = self.table, event.character or ""
        ends = {"home": -table.last, "end": table.last}
        page = info_page(letter, self.builder, self._viewer, ())
        if not self.idle:
            self._reveals.skip()
        elif event.key in _STEPS or event.key in ends:
            self._step(_STEPS.get(event.key, ends.get(event.key, 0)))
        elif table.over and letter.isdigit() and int(letter) <= len(table.names):
            self._viewer = int(letter)
            self._settle()
        elif letter == "v" and table.over:
            self.app.push_screen(review_page(self.builder, self._viewer or 1, self.look))
        elif page is not None:
            self.app.push_screen(page)
        elif event.key in ("escape", "q"):
            self.shell.leave_table()

    def on_click(self, event: Click) -> None:
        """During a reveal a click continues."""
        if not self.idle:
            self._reveals.skip()

    def _step(self, by: int) -> None:
        at = max(0, min(self.table.last, self.table.at + by))
        forward = at == self.table.at + 1
        self.table.at = at
        self._reveals.shown = at if forward else at + 1
        self._reveals.playing = True
        self.run_worker(self._catch_up(), exit_on_error=True)

    async def _catch_up(self) -> None:
        await self._reveals.catch_up(self.builder, self.look.motion)
        self._settle()
