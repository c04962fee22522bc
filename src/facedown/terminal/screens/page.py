"""Pages of the full screen: the base of all Textual screens, painted pages, and pages in a frame.

A painted page draws every line itself (the table); a framed one puts Textual widgets between title and keys.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from rich.segment import Segment
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Event, Key
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from facedown.terminal.drawing.colours import style_of
from facedown.terminal.drawing.spans import (
    LEAST,
    WIDEST,
    Line,
    cells,
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


class Page(Screen[T], Generic[T]):
    """A screen that shares the look and the words of the shell."""

    BINDINGS: ClassVar[list[BindingType]] = []

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
        raise NotImplementedError

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


# --- painted pages ---------------------------------------------------------------------------------------


class Canvas(Widget):
    """Shows the lines that a page paints."""

    def __init__(self, page: PaintedPage) -> None:
        super().__init__()
        self._page = page
        self._lines: list[Line] = []
        self._painted_for: Size | None = None

    def render_line(self, y: int) -> Strip:
        if self._painted_for != self.size:
            self.repaint()
        if y >= len(self._lines):
            return Strip.blank(self.size.width)
        theme = self._page.look.theme
        line = self._lines[y]
        segments = [Segment(text, style_of(roles, theme)) for text, roles in line]
        if line[0][1] in ("strong link", "strong continued"):
            segments.insert(0, Segment(self._wrapping(y), style_of(line[0][1], theme)))
        return Strip(segments, sum(cells(text) for text, _ in line))

    def _wrapping(self, y: int) -> str:
        """Codes that let the terminal itself wrap a link: it then copies the rows of it as one line."""
        row = "\x1b[2K"  # also forgets that the row was wrapped, at another width
        if "continued" in self._lines[y][0][1]:
            last, first = self._lines[y - 1][-1][0][-1], self._lines[y][0][0][0]
            row += f"\x1b[?7h\x1b[{y};{self.size.width}H{last}{first}\x1b[?7l\x1b[{y + 1};1H"
        return row

    def repaint(self) -> None:
        width, height = self.size
        self._painted_for = self.size
        if _is_small(self.size):
            lines = too_small(width, height, self._page.words)
        else:
            lines = self._page.paint(width, height)
        self._lines = [in_ascii(line) for line in lines] if self._page.look.ascii else lines

    def show(self) -> None:
        if self.size.width:
            self.repaint()
        self.refresh()


class PaintedPage(Page[None]):
    """A page that paints every line of the screen itself."""

    def __init__(self) -> None:
        super().__init__()
        self.canvas = Canvas(self)

    def compose(self) -> ComposeResult:
        yield self.canvas

    def paint(self, width: int, height: int) -> list[Line]:
        """Exactly `height` lines of `width` columns."""
        raise NotImplementedError

    def take_key(self, event: Key) -> None:
        """Do what a key asks for."""
        raise NotImplementedError

    def on_key(self, event: Key) -> None:
        event.stop()
        self.take_key(event)

    def show(self) -> None:
        self.canvas.show()


# --- framed pages ----------------------------------------------------------------------------------------


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

    def show(self, lines: Sequence[Line], look: Look) -> None:
        self.update(style(lines, look))


class FramedPage(Page[T], Generic[T]):
    """A page of Textual widgets below a title and above the keys; says so where the terminal is too small."""

    def __init__(self) -> None:
        super().__init__()
        self._heading = Lines(id="heading")
        self._keys_bar = Lines(id="keys")
        self._small = Lines(id="small")

    def compose(self) -> ComposeResult:
        """Title, body, keys; and above them what is said on a small terminal."""
        frame = Vertical(self._heading, *self.body(), self._keys_bar, id="frame")
        frame.styles.max_width = WIDEST
        yield frame
        yield self._small

    def show(self) -> None:
        width, height = self.size
        if not width or not self.is_mounted:
            return
        self._small.display = _is_small(self.size)
        if _is_small(self.size):
            self._small.show(too_small(width, height, self.words), self.look)
            return
        room = min(width, WIDEST)
        self._heading.show(heading(self.heading(), room, self.look), self.look)
        self.fill(room, height)
        self._keys_bar.show([keys_line(self.keys(height), room)], self.look)

    def heading(self) -> str:
        raise NotImplementedError

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        raise NotImplementedError

    def body(self) -> Sequence[Widget]:
        raise NotImplementedError

    def fill(self, room: int, height: int) -> None:
        """Fill the body, for a page of `room` columns on a screen of `height` rows."""
        raise NotImplementedError


def _is_small(size: Size) -> bool:
    return size.width < LEAST[0] or size.height < LEAST[1]
