"""The page of talk: what was said at a table on a server, and a line to say something."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from facedown.core.errors import FacedownError
from facedown.terminal.drawing.frame import framed, page_room
from facedown.terminal.drawing.spans import Line, cells, wrapped
from facedown.terminal.screens.page import Page
from facedown.terminal.tables.table import Company

if TYPE_CHECKING:
    from textual.events import Key, Paste

_LONGEST: Final = 280


class ChatPage(Page[None]):
    """Shows the latest remarks above the line that is being written."""

    def __init__(self, company: Company) -> None:
        super().__init__()
        self._company = company
        self._line = ""
        self._refusal = ""
        self._preset = -1

    def painted(self, width: int, height: int) -> list[Line]:
        room = min(width, 116) - 4
        words = self.words
        said: list[Line] = []
        for each in self._company.remarks:
            text = words("talk.line", name=each.name, text=each.text)
            said += [[(f"  {line}", "bone")] for line in wrapped(text, room, "  ")]
        said = said or [[(f"  {words('talk.nothing')}", "ash")]]
        below = self._below(room)
        free = page_room(height) - len(below) - 1
        body: list[Line] = [*said[-free:], *([] for _ in range(free - len(said))), [], *below]
        keys = (("Enter", words("key.say")), ("Tab", words("key.presets")), ("Esc", words("key.back")))
        return framed(words("talk.title"), body, keys, width, height, self.look)

    def _below(self, room: int) -> list[Line]:
        """The line that is being written, and why the last one was not taken, or who hears it."""
        shown = self._line
        while cells(shown) > room - 3:  # the end of a long line is where one writes
            shown = shown[1:]
        note, role = (self._refusal, "seal strong") if self._refusal else (self.words("talk.who"), "ash")
        mark = "_" if self.look.ascii else "▏"
        line: Line = [("  > ", "lamp strong"), (shown, "bone strong"), (mark, "lamp")]
        return [*([(f"  {each}", role)] for each in wrapped(note, room)), line]

    def on_key(self, event: Key) -> None:
        """Write, say it, or go back."""
        event.stop()
        event.prevent_default()
        self._refusal = ""
        if event.key == "escape":
            self.dismiss(None)
            return
        if event.key == "enter":
            self._say()
        elif event.key == "tab":
            presets = self.words.presets
            self._preset = (self._preset + 1) % len(presets)
            self._line = presets[self._preset]
        elif event.key == "backspace":
            self._line = self._line[:-1]
        elif event.key == "ctrl+u":
            self._line = ""
        elif event.character and event.character.isprintable():
            self._write(event.character)
        self.show()

    def on_paste(self, event: Paste) -> None:
        """What is pasted is written, in one line."""
        event.stop()
        self._write("".join(each if each.isprintable() else " " for each in event.text))
        self.show()

    def _write(self, text: str) -> None:
        self._line = (self._line + text)[:_LONGEST]

    def _say(self) -> None:
        text, self._line, self._preset = self._line.strip(), "", -1
        if text:
            self.run_worker(self._said(text), exit_on_error=True)

    async def _said(self, text: str) -> None:
        try:
            await asyncio.to_thread(self._company.say, text)
        except FacedownError as error:
            self._refusal = self.words("refused", why=self.words.refusal(error))
            self._line = self._line or text  # nothing that was written is lost
        if self.is_attached:
            self.show()
