"""What the page of a table shows at any moment: the stage, the keys, the curtain and the clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.parts.scene import Face, Held
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal.drawing.board import Stage, TouchArea, paint
from facedown.terminal.drawing.frame import framed
from facedown.terminal.drawing.selection import Selection
from facedown.terminal.drawing.spans import Line, centred, wrapped
from facedown.terminal.drawing.stage import StageBuilder
from facedown.terminal.screens.page import Page
from facedown.terminal.screens.reveal_pace import RevealPace
from facedown.terminal.tables.table import AbsentPlayer, TerminalTable


class ShownTable(Page[None]):
    """One table, as whoever is at the screen may see it."""

    def __init__(self, table: TerminalTable) -> None:
        super().__init__()
        self.table = table
        self._builder: StageBuilder | None = None
        self._stage: Stage | None = None
        self._touch: tuple[TouchArea, ...] = ()
        self._selection = Selection()
        self._shown = 0
        """How much of what was told has been shown."""
        self._seat: Seat = table.people[0] if len(table.people) == 1 else SPECTATOR
        """Whose hand is on the screen."""
        self._curtain: Seat = 0
        """For whom the screen waits, hiding everything; 0 for nobody."""
        self._turn: tuple[Seat, int] = (0, 0)
        self._busy = False
        self._revealing = False
        self._pace = RevealPace()
        self._refusal = ""
        self._ended = False
        self._gone: Face | None = None
        """The card that the one person placed last."""
        self._read = 0
        """How many remarks have been read."""
        self._affairs = 0
        """How much of what happened among the people was there when this screen sat down."""

    @property
    def builder(self) -> StageBuilder:
        """What makes the stages."""
        if self._builder is None or self._builder.words is not self.words:
            self._builder = StageBuilder(self.table, self.words)
        return self._builder

    @property
    def hot(self) -> bool:
        """Whether several people share this screen."""
        return len(self.table.people) > 1

    @property
    def _public(self) -> Viewer:
        """Whose eyes everybody at the screen may look through."""
        return SPECTATOR if self.hot or not self.table.people else self.table.people[0]

    @property
    def idle(self) -> bool:
        """Whether nothing is being done or told: the table waits for somebody."""
        return not self._busy and not self._revealing

    @property
    def revealing(self) -> bool:
        """Whether cards are being turned."""
        return self._revealing

    def held(self) -> tuple[Held, ...]:
        """What the person at the screen holds."""
        return self.builder.held(self._seat)

    # --- painting ------------------------------------------------------------------------------------

    def painted(self, width: int, height: int) -> list[Line]:
        if self._curtain:
            return self._painted_curtain(width, height)
        if self._stage is None:
            said: list[Line] = [[(f"  {line}", "bone")] for line in wrapped(self.table.notice, width - 4)]
            said += [[(f"  {line}", "seal strong")] for line in wrapped(self._refusal, width - 4)]
            keys = (*self._talk_key(), ("Esc", self.words("key.leave")))
            return framed(self.words("menu.title"), [[], *said], keys, width, height, self.look)
        lines, self._touch = paint(self._stage, width, height, self.look, self.words)
        return lines

    def _painted_curtain(self, width: int, height: int) -> list[Line]:
        name = self.table.names[self._curtain - 1]
        texts = (
            (self.words("handover", name=name), "bone strong"),
            ("", ""),
            (self.words("handover.how", name=name), "lamp"),
            (self.words("handover.hides"), "ash"),
        )
        body: list[Line] = [[] for _ in range(max(0, height // 2 - 4))]
        body += [[(centred(text, min(width, 116)), role)] for text, role in texts]
        keys = (("Enter", self.words("key.show")), ("Esc", self.words("key.menu")))
        return framed(
            self.builder.at_rest(SPECTATOR, Selection(), ()).title, body, keys, width, height, self.look
        )

    def settle(self) -> None:
        """Show the table as it is now."""
        if not self.table.started:
            self._stage = None
            self.show()
            return
        prompt = self._refusal or None
        stage = self.builder.at_rest(self._seat, self._selection, self._keys(), prompt=prompt)
        self.set_stage(replace(stage, log=(*stage.log, *self._unread())))

    def _unread(self) -> list[str]:
        """What was said since somebody looked at the talk, the latest of it."""
        company = self.table.company
        if company is None:
            return []
        news = company.remarks_heard - self._read
        latest = company.remarks[-min(news, 3) :] if news > 0 else ()
        affairs = company.affairs[self._affairs :][-2:]
        return [*affairs, *(self.words("talk.line", name=each.name, text=each.text) for each in latest)]

    @property
    def replaceable(self) -> Sequence[AbsentPlayer]:
        """Those for whom this screen's person may offer a machine now, or agree to one."""
        company = self.table.company
        if company is None or not self.table.people:
            return ()
        return [each for each in company.absent if each.asks_you or not each.machine]

    def _tick(self) -> None:
        """A second has gone by on every clock that runs."""
        if self._stage is None or self._revealing or self._curtain:
            return
        clocks, notice = self.builder.clocks(), self.table.notice
        if notice != self._stage.notice and self.idle:
            self.settle()  # somebody has been away long enough to be missed: there is a key for that
        elif clocks != self._stage.clocks:
            self.set_stage(replace(self._stage, clocks=clocks))

    def set_stage(self, stage: Stage) -> None:
        """Show this."""
        self._stage = stage
        self.show()

    def _keys(self) -> tuple[tuple[str, str], ...]:
        words = self.words
        common = (*self._talk_key(), ("w", words("key.why")), ("l", words("key.log")))
        if not self.table.remote:  # where there is talk, there is no room for one more
            common = (*common, ("r", words("key.rules")))
        ends = (("?", words("key.keys")), ("Esc", words("key.menu")))
        if self.table.outcome is not None:
            again: tuple[tuple[str, str], ...] = (("v", words("key.review")),)
            if self.table.people:
                again = (*again, ("n", words("key.rematch" if self.table.remote else "key.again")))
            return (*again, *common, ("Esc", words("key.leave")))
        if self.replaceable:
            common = (("m", words("key.machine")), *common)
        if self._seat in self.table.may_seal:
            also = {key: word for held in self.held() for key, _, word in held.also}
            asked = (("←→", words("key.choose")), ("Enter", words("key.seal")), *also.items())
            return (*asked, *common, *ends)
        return (*common, *ends)

    def _talk_key(self) -> tuple[tuple[str, str], ...]:
        company = self.table.company
        if company is None:
            return ()
        news = company.remarks_heard - self._read
        return (("t", f"{self.words('key.talk')} {news}" if news > 0 else self.words("key.talk")),)
