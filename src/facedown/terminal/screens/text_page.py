"""Pages to read and scroll: why, the log, the rules, the keys, the review."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from facedown.terminal.drawing.frame import framed, page_room
from facedown.terminal.drawing.spans import Line, padded, wrapped
from facedown.terminal.screens.page import Page

if TYPE_CHECKING:
    from textual.events import Key, MouseScrollDown, MouseScrollUp


class TextPage(Page[None]):
    """Paragraphs, wrapped to the screen. `load` makes them in a thread of its own where that takes time."""

    def __init__(
        self,
        title: str,
        paragraphs: Sequence[str] = (),
        load: Callable[[int], Sequence[str]] | None = None,
        *,
        from_end: bool = False,
    ) -> None:
        super().__init__()
        self._title = title
        self._paragraphs = paragraphs
        self._load = load
        self._top: int | None = None if from_end else 0
        self._most = 0

    async def on_mount(self) -> None:
        """Make what takes time."""
        if self._load is not None:
            self._paragraphs = [self.words("review.wait")]
            self.run_worker(self._loaded(), exit_on_error=False)

    async def _loaded(self) -> None:
        assert self._load is not None, "only asked for where there is something to load"
        width = min(self.size.width, 116) - 4
        try:
            self._paragraphs = await asyncio.to_thread(self._load, width)
        except Exception as error:  # whatever a judge of another package does
            self._paragraphs = [f"{type(error).__name__}: {error}"]
        self.show()

    def painted(self, width: int, height: int) -> list[Line]:
        room = min(width, 116) - 4
        body: list[Line] = []
        for paragraph in self._paragraphs:
            head, tab, rest = paragraph.partition("\t")
            if tab:  # a number or an id, and what belongs to it beside
                said = wrapped(rest, room - 6)
                body.append([(f"  {padded(head, 6)}", "ash"), (said[0], "bone")])
                body += [[(f"  {' ' * 6}{line}", "bone")] for line in said[1:]]
                continue
            indent = " " * (len(paragraph) - len(paragraph.lstrip()))
            role = "bone strong" if paragraph.startswith("#") else "bone"
            text = paragraph.lstrip("# ") if paragraph.startswith("#") else paragraph
            body += [[(f"  {line}", role)] for line in wrapped(text, room, indent)]
        self._most = max(0, len(body) - page_room(height))
        if self._top is None:
            self._top = self._most
        self._top = min(self._top, self._most)
        keys = [("Esc", self.words("key.back"))]
        if self._most:
            keys.insert(0, ("↑↓", self.words("key.scroll")))
        return framed(self._title, body, keys, width, height, self.look, self._top)

    def on_key(self, event: Key) -> None:
        """Scroll, or go back."""
        event.stop()
        page = page_room(self.size.height) - 1
        steps = {"up": -1, "down": 1, "k": -1, "j": 1, "pageup": -page, "pagedown": page, "space": page}
        steps |= {"home": -self._most, "end": self._most}
        if event.key in steps:
            self._scroll(steps[event.key])
        else:
            self.dismiss(None)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel."""
        self._scroll(3)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel."""
        self._scroll(-3)

    def _scroll(self, by: int) -> None:
        self._top = max(0, min((self._top or 0) + by, self._most))
        self.show()
