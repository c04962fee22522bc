"""The chat page: what was said at a table on a server, and an input to say something."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Input

from facedown.core.errors import FacedownError
from facedown.core.text.sanitise import LONGEST_REMARK
from facedown.terminal.drawing.spans import Line, wrap
from facedown.terminal.screens.page import FramedPage, Lines
from facedown.terminal.screens.text_page import TextScroll

if TYPE_CHECKING:
    from textual.events import Key

    from facedown.terminal.tables.remote import OnlineTable


class ChatPage(FramedPage[None]):
    """Shows the latest chat lines above the line that is being written."""

    def __init__(self, players: OnlineTable) -> None:
        super().__init__()
        self._players = players
        self._chat_lines = Lines()
        self._scroll = TextScroll(self._chat_lines, can_focus=False)
        self._note = Lines(id="note")
        self._input = Input(max_length=LONGEST_REMARK, compact=True)
        self._refusal = ""
        self._heard = -1

    def body(self) -> Sequence[Widget]:
        self._input.suggester = SuggestFromList(self.words.presets, case_sensitive=False)
        return self._scroll, self._note, self._input

    def heading(self) -> str:
        return self.words("talk.title")

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        words = self.words
        return ("Enter", words("key.say")), ("→", words("key.complete")), ("Esc", words("key.close"))

    def fill_body(self, room: int, height: int) -> None:
        words = self.words
        said: list[Line] = []
        for each in self._players.chat_lines:
            text = words("talk.line", name=each.name, text=each.text)
            said += [[(f"  {line}", "bone")] for line in wrap(text, room - 4, "  ")]
        self._chat_lines.show(said or [[(f"  {words('talk.nothing')}", "ash")]], self.look)
        note, role = (self._refusal, "seal strong") if self._refusal else (words("talk.who"), "ash")
        noted: list[Line] = [[(f"  {each}", role)] for each in wrap(note, room - 4)]
        noted += [[(f"  {each}", "ash")] for each in wrap(" · ".join(words.presets), room - 4)]
        self._note.show(noted, self.look)
        if self._heard != self._players.remarks_heard:  # what is new is seen; else the scroll stays
            self._heard = self._players.remarks_heard
            self.call_after_refresh(self._scroll.scroll_end, animate=False)

    def on_key(self, event: Key) -> None:
        if event.key == "escape":
            event.stop()
            self.go_back()
        elif event.key in ("pageup", "pagedown"):
            event.stop()
            self._scroll.scroll_page_up() if event.key == "pageup" else self._scroll.scroll_page_down()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._input.clear()
        if event.value.strip():
            self.work(self._send(event.value))

    async def _send(self, text: str) -> None:
        try:
            await asyncio.to_thread(self._players.say, text)
            self._refusal = ""
        except FacedownError as error:
            self._refusal = self.words("refused", why=self.words.refusal(error))
            self._input.value = self._input.value or text  # nothing that was written is lost
        if self.is_attached:
            self.show()
