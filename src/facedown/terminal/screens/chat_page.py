"""The chat page: what was said at a table on a server, and an input to say something."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input

from facedown.core.errors import FacedownError
from facedown.core.text.sanitise import LONGEST_REMARK
from facedown.terminal.drawing.spans import Line, wrap
from facedown.terminal.screens.page import FramedPage, Lines
from facedown.terminal.screens.text_page import TextScroll

if TYPE_CHECKING:
    from textual.events import Key, Paste

    from facedown.terminal.tables.remote import OnlineTable


class ChatInput(Input):
    """One line to write: cursor, selection and input methods are Textual's."""

    def on_paste(self, event: Paste) -> None:
        """What is pasted is written in one line."""
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor("".join(each if each.isprintable() else " " for each in event.text))


class ChatPage(FramedPage[None]):
    """Shows the latest chat lines above the line that is being written."""

    def __init__(self, players: OnlineTable) -> None:
        super().__init__()
        self._players = players
        self._chat_lines = Lines()
        self._scroll = TextScroll(self._chat_lines, can_focus=False)
        self._note = Lines(id="note")
        self._prompt = Lines(id="prompt")
        self._input = ChatInput(max_length=LONGEST_REMARK, compact=True, select_on_focus=False)
        self._refusal = ""
        self._preset = -1
        self._heard = -1

    def body(self) -> Sequence[Widget]:
        return self._scroll, self._note, Horizontal(self._prompt, self._input, id="line")

    def heading(self) -> str:
        return self.words("talk.title")

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        words = self.words
        return ("Enter", words("key.say")), ("Tab", words("key.presets")), ("Esc", words("key.close"))

    def fill(self, room: int, height: int) -> None:
        words = self.words
        said: list[Line] = []
        for each in self._players.chat_lines:
            text = words("talk.line", name=each.name, text=each.text)
            said += [[(f"  {line}", "bone")] for line in wrap(text, room - 4, "  ")]
        self._chat_lines.show(said or [[(f"  {words('talk.nothing')}", "ash")]], self.look)
        note, role = (self._refusal, "seal strong") if self._refusal else (words("talk.who"), "ash")
        self._note.show([[(f"  {each}", role)] for each in wrap(note, room - 4)], self.look)
        self._prompt.show([[("  > ", "lamp strong")]], self.look)
        if self._heard != self._players.remarks_heard:  # what is new is seen; else the scroll stays
            self._heard = self._players.remarks_heard
            self.call_after_refresh(self._scroll.scroll_end, animate=False)

    def on_key(self, event: Key) -> None:
        """Escape goes back, Tab writes the next preset, pages scroll; the rest is the input's."""
        if event.key == "escape":
            event.stop()
            self.go_back()
        elif event.key == "tab":
            event.stop()
            presets = self.words.presets
            self._preset = (self._preset + 1) % len(presets)
            self._input.value = presets[self._preset]
            self._input.cursor_position = len(self._input.value)
        elif event.key in ("pageup", "pagedown"):
            event.stop()
            self._scroll.action_pages(-1 if event.key == "pageup" else 1)

    def on_input_changed(self, event: Input.Changed) -> None:
        """A refusal is shown until something else is written."""
        if self._refusal and event.value:
            self._refusal = ""
            self.show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self._refusal, self._preset = "", -1
        self._input.clear()
        self.show()
        if text:
            self.work(self._send(text))

    async def _send(self, text: str) -> None:
        try:
            await asyncio.to_thread(self._players.say, text)
        except FacedownError as error:
            if not self._input.value:  # nothing that was written is lost
                with self.prevent(Input.Changed):
                    self._input.value = text
                    self._input.cursor_position = len(text)
            self._refusal = self.words("refused", why=self.words.refusal(error))
        if self.is_attached:
            self.show()
