"""Lines of spans on a Textual screen: one widget that paints a whole screen, and the base of all screens.

What is painted is made elsewhere, by pure functions of the size; here it gets colours and reaches the eye.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from facedown.terminal.drawing.colours import style_of
from facedown.terminal.drawing.frame import LEAST, too_small
from facedown.terminal.drawing.spans import Line, cells, in_ascii, text_of_line
from facedown.terminal.look import Look
from facedown.terminal.words.words import Words

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize

    from facedown.terminal.app import TerminalApp

T = TypeVar("T")


class Canvas(Widget):
    """Shows what its page paints."""

    DEFAULT_CSS = "Canvas { width: 100%; height: 100%; }"

    def __init__(self, page: Page[Any]) -> None:
        super().__init__()
        self._page = page
        self._lines: list[Line] = []
        self._painted_for: Size | None = None

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        if self._painted_for != self.size:
            self.repaint()
        if y >= len(self._lines):
            return Strip.blank(self.size.width)
        theme = self._page.look.theme
        line = self._lines[y]
        segments = [Segment(text, style_of(roles, theme)) for text, roles in line]
        return Strip(segments, sum(cells(text) for text, _ in line))

    def repaint(self) -> None:
        """Paint all lines anew."""
        width, height = self.size
        self._painted_for = self.size
        if width < LEAST[0] or height < LEAST[1]:
            lines = too_small(width, height, self._page.words)
        else:
            lines = self._page.painted(width, height)
        self._lines = [in_ascii(line) for line in lines] if self._page.look.ascii else lines

    def show(self) -> None:
        """Paint anew, and draw it."""
        if self.size.width:
            self.repaint()
        self.refresh()

    @property
    def lines(self) -> list[Line]:
        """What stands on the screen, with the roles that give it colours."""
        if self._painted_for != self.size:
            self.repaint()
        return self._lines

    @property
    def text(self) -> str:
        """What stands on the screen, without colours."""
        return "\n".join(text_of_line(line).rstrip() for line in self.lines)


class Page(Screen[T], Generic[T]):
    """A screen of one canvas."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self) -> None:
        super().__init__()
        self.canvas = Canvas(self)

    @property
    def house(self) -> TerminalApp:
        """The app that all pages share."""
        from facedown.terminal.app import TerminalApp

        assert isinstance(self.app, TerminalApp)
        return self.app

    @property
    def look(self) -> Look:
        """How to draw."""
        return self.house.look

    @property
    def words(self) -> Words:
        """The language to say it in."""
        return self.house.words

    def compose(self) -> ComposeResult:
        """The one canvas."""
        yield self.canvas

    def painted(self, width: int, height: int) -> list[Line]:
        """The lines of this page on a screen of that size."""
        raise NotImplementedError

    def show(self) -> None:
        """Draw it as it is now."""
        self.canvas.show()

    def on_resize(self, event: Resize) -> None:
        """Another size: paint anew."""
        self.canvas.show()

    def on_screen_resume(self) -> None:
        """Back from another page, which may have changed how things look."""
        self.canvas.show()
