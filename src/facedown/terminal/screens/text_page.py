"""Text pages, to read and scroll: why, the log, the rules, the keys, the review."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget

from facedown.terminal.drawing.spans import WIDEST, Line, cells, cut, pad, page_room, wrap
from facedown.terminal.moments.effects import LongText
from facedown.terminal.screens.page import FramedPage, Lines

if TYPE_CHECKING:
    from textual.events import Key

_SCROLLING: Final = ("up", "down", "k", "j", "pageup", "pagedown", "space", "home", "end")


class TextScroll(VerticalScroll):
    """A text that scrolls by the keys of pagers, too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "scroll_up", show=False),
        Binding("j", "scroll_down", show=False),
        Binding("space", "page_down", show=False),
    ]


class TextPage(FramedPage[None]):
    """A text to read, wrapped to the screen; what takes time is made in a thread of its own."""

    def __init__(self, reading: LongText) -> None:
        super().__init__()
        self._reading = reading
        self._loaded_lines: Sequence[str] | None = None
        self._text = Lines()
        self._scroll = TextScroll(self._text)
        self._count = 0

    def on_mount(self) -> None:
        load = self._reading.load
        if load is not None:
            self._reading = replace(self._reading, paragraphs=[self.words("review.wait")])
            self.work(self._show_loaded(load))

    async def _show_loaded(self, load: Callable[[int], Sequence[str]]) -> None:
        width = min(self.size.width, WIDEST) - 4
        try:
            self._loaded_lines = await asyncio.to_thread(load, width)
        except Exception as error:  # whatever a judge of another package does
            self._reading = replace(self._reading, paragraphs=[f"{type(error).__name__}: {error}"])
        self.show()

    def body(self) -> Sequence[Widget]:
        return (self._scroll,)

    def heading(self) -> str:
        return self._reading.title

    def fill_body(self, room: int, height: int) -> None:
        if self._loaded_lines is None:
            lines = [line for paragraph in self._reading.paragraphs for line in _lines(paragraph, room - 4)]
        else:
            lines = [line for text in self._loaded_lines for line in _as_it_is(text, room - 2)]
        self._count = len(lines)
        self._text.show(lines, self.look)
        if self._reading.from_end:
            self._reading = replace(self._reading, from_end=False)
            self.call_after_refresh(self._scroll.scroll_end, animate=False)

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        back = ("Esc", self.words("key.close"))
        return (("↑↓", self.words("key.scroll")), back) if self._count > page_room(height) else (back,)

    def on_key(self, event: Key) -> None:
        if event.key not in _SCROLLING:
            event.stop()
            self.go_back()


def _as_it_is(line: str, room: int) -> list[Line]:
    """A line that is broken already. Where the terminal is narrower it is broken again; a row of a table is
    cut, as its columns would not survive that."""
    line = line.rstrip()
    if cells(line) <= room or "  " in line.lstrip():
        return [[(f"  {cut(line, room)}", "bone")]]
    return [[(f"  {part}", "bone")] for part in wrap(line, room)]


def _lines(paragraph: str, room: int) -> list[Line]:
    head, tab, rest = paragraph.partition("\t")
    if tab:  # a number or an id, and what belongs to it beside
        first, *more = wrap(rest, room - 6)
        return [
            [(f"  {pad(head, 6)}", "ash"), (first, "bone")],
            *([(f"  {' ' * 6}{line}", "bone")] for line in more),
        ]
    if paragraph.startswith("#"):
        return [[(f"  {line}", "bone strong")] for line in wrap(paragraph.lstrip("# "), room)]
    indent = " " * (len(paragraph) - len(paragraph.lstrip()))
    return [[(f"  {line}", "bone")] for line in wrap(paragraph, room, indent)]
