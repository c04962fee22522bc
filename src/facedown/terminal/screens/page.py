"""Pages of the full screen: the base of all Textual screens, and pages in a frame.

The page of a table paints every line itself; a framed one puts Textual widgets between title and keys.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from rich.segment import Segment
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Event, Key
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from facedown.terminal.drawing.colours import style_of
from facedown.terminal.drawing.spans import (
    LEAST,
    LINK,
    WIDEST,
    Line,
    heading,
    in_ascii,
    keys_line,
    too_small,
)
from facedown.terminal.screens.shell import Shell
from facedown.terminal.settings import Look
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize

T = TypeVar("T")


def style(lines: Iterable[Line], look: Look) -> Content:
    """Lines of spans as Textual content, in the colours of the look."""
    shown = (in_ascii(line) if look.ascii else line for line in lines)
    return Content("\n").join(
        Content.assemble(
            *((text, Style.from_rich_style(style_of(roles, look.theme))) for text, roles in line if text)
        )
        for line in shown
    )


class Lines(Static):
    """A widget of lines that are broken already."""

    _lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line], look: Look, *, layout: bool = True) -> None:
        """Show these; without `layout` if the widget keeps its size."""
        self._lines = lines
        self.update(style(lines, look), layout=layout)

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        if not _is_link(self._lines, y):
            return strip
        row = "\x1b[2K"  # also forgets that the row was wrapped, at another width
        if _is_link(self._lines, y - 1):  # let the terminal itself wrap it: it then copies both as one line
            last, first = self._lines[y - 1][0][0][-1], self._lines[y][0][0][0]
            row += f"\x1b[?7h\x1b[{y};{self.size.width}H{last}{first}\x1b[?7l\x1b[{y + 1};1H"
        return Strip([Segment(row, style_of(LINK, "mono")), *strip], strip.cell_length)


def _is_link(lines: Sequence[Line], row: int) -> bool:
    return 0 <= row < len(lines) and bool(lines[row]) and lines[row][0][1] == LINK


class Page(Screen[T], Generic[T]):
    """A screen that shares the look and the words of the shell."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self) -> None:
        super().__init__()
        self._whole = Lines(id="whole")

    def compose(self) -> ComposeResult:
        yield self._whole

    @property
    def shell(self) -> Shell:
        return cast("Shell", self.app)

    @property
    def look(self) -> Look:
        return self.shell.look

    @property
    def words(self) -> Words:
        return self.shell.words

    def show(self) -> None:
        """Show the page as it is now, or what a terminal that is too small has room for."""
        width, height = self.size
        if not width or not self.is_mounted:
            return
        if width >= LEAST[0] and height >= LEAST[1]:
            self.fill(width, height)
        else:
            self.paint(too_small(width, height, self.words))

    def fill(self, width: int, height: int) -> None:
        raise NotImplementedError

    def paint(self, lines: Sequence[Line]) -> None:
        """Show these lines on the whole screen."""
        self._whole.display = True
        self._whole.show(lines, self.look, layout=False)

    async def on_event(self, event: Event) -> None:
        """Keys that were typed for this page and come after it was left, or covered, do nothing. An error
        ends the app in order: Textual would print the variables of every frame, such as a hand or a token."""
        if isinstance(event, Key) and not self.is_current:
            event.stop()
            return
        try:
            await super().on_event(event)
        except Exception as error:  # whatever it is, it is a bug
            self.shell.fail(error)

    def work(self, coroutine: Coroutine[None, None, None]) -> None:
        """Run this beside the keys; an error ends the app in order."""

        async def run() -> None:
            try:
                await coroutine
            except Exception as error:  # whatever it is, it is a bug
                self.shell.fail(error)

        self.run_worker(run())

    def go_back(self, result: T | None = None) -> None:
        """Dismiss the page, once: a second key of the same read finds it gone."""
        if self.is_current:
            self.dismiss(result)

    def on_resize(self, event: Resize) -> None:
        self.show()

    def on_screen_resume(self) -> None:
        """Back from another page, which may have changed how things look."""
        self.show()


class FramedPage(Page[T], Generic[T]):
    """A page of Textual widgets below a title and above the keys."""

    def __init__(self) -> None:
        super().__init__()
        self._heading = Lines(id="heading")
        self._keys_bar = Lines(id="keys")

    def compose(self) -> ComposeResult:
        """Title, body, keys; and above them what is said on a small terminal."""
        frame = Vertical(self._heading, *self.body(), self._keys_bar, id="frame")
        frame.styles.max_width = WIDEST
        yield frame
        yield from super().compose()

    def fill(self, width: int, height: int) -> None:
        room = min(width, WIDEST)
        self._whole.display = False
        self._heading.show(heading(self.heading(), room, self.look), self.look)
        self.fill_body(room, height)
        self._keys_bar.show([keys_line(self.keys(height), room)], self.look)

    def heading(self) -> str:
        raise NotImplementedError

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        raise NotImplementedError

    def body(self) -> Sequence[Widget]:
        raise NotImplementedError

    def fill_body(self, room: int, height: int) -> None:
        """Fill the body, for a page of `room` columns on a screen of `height` rows."""
        raise NotImplementedError
