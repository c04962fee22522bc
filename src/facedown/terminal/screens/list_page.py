"""Pages on which something is chosen: the menu, a new table, the settings, a question with a few answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from facedown.terminal.drawing.frame import framed
from facedown.terminal.drawing.spans import Line, cells, padded, wrapped
from facedown.terminal.screens.page import Page

if TYPE_CHECKING:
    from textual.events import Click, Key

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListEntry(Generic[T]):
    """Something to choose: what it is called, its value where it has one, and what it means."""

    label: str
    answer: T
    value: str = ""
    note: str = ""


class ListPage(Page[T | None], Generic[T]):
    """A list of entries; Enter takes one. Left and right change the value of those that have one."""

    def __init__(
        self,
        title: Callable[[], str],
        entries: Callable[[], Sequence[ListEntry[T]]],
        change: Callable[[T, int], None] | None = None,
        take: Callable[[T], bool] = lambda answer: True,
        above: Callable[[], Sequence[str]] = lambda: (),
    ) -> None:
        """`change` steps through values; `take` is asked what Enter does: True leaves with the answer."""
        super().__init__()
        self._title = title
        self._entries = entries
        self._change = change
        self._take = take
        self._above = above
        self.at = 0
        self._tops: list[int] = []

    def painted(self, width: int, height: int) -> list[Line]:
        entries = self._entries()
        self.at = min(self.at, len(entries) - 1)
        room = min(width, 116) - 6
        body: list[Line] = [[]]
        for said in self._above():
            body += [[(f"   {line}", "ash")] for line in wrapped(said, room)]
        body += [[]]
        self._tops = []
        label = max(cells(each.label) for each in entries) + 3
        valued = any(each.value for each in entries)
        for number, each in enumerate(entries):
            here = number == self.at
            self._tops.append(len(body))
            mark = (">" if self.look.ascii else "▸") if here else " "
            role = "lamp strong" if here else "bone"
            line: Line = [(f" {mark} ", "lamp strong")]
            line.append((padded(each.label, label) if valued else each.label, role))
            if each.value:
                arrows = ("< ", " >") if here else ("  ", "")
                line += [(arrows[0], "lamp"), (each.value, role), (arrows[1], "lamp")]
            body.append(line)
            if each.note:
                body += [[(f"     {said}", "ash")] for said in wrapped(each.note, room - 4)]
            if not valued:
                body.append([])
        top = self._top(body, height)
        self._tops = [row - top + 2 for row in self._tops]
        keys = [("↑↓", self.words("key.choose")), ("Enter", self.words("key.go"))]
        if valued:
            keys.insert(1, ("←→", self.words("key.change")))
        keys.append(("Esc", self.words("key.back")))
        return framed(self._title(), body, keys, width, height, self.look, top)

    def _top(self, body: Sequence[Line], height: int) -> int:
        """From which line on the body is shown, so that the chosen entry is seen."""
        room = height - 4
        return max(0, min(self._tops[self.at] - room // 2, len(body) - room)) if len(body) > room else 0

    def on_key(self, event: Key) -> None:
        """Arrows move and change, Enter takes, Escape goes back."""
        event.stop()
        count = len(self._entries())
        answer = self._entries()[self.at].answer
        moves = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1, "k": -1, "j": 1}
        if event.key in moves:
            self.at = (self.at + moves[event.key]) % count
        elif event.key in ("left", "right") and self._change is not None:
            self._change(answer, 1 if event.key == "right" else -1)
        elif event.key in ("enter", "space"):
            self._enter(answer)
            return
        elif event.key in ("escape", "q"):
            self.leave(None)
            return
        elif event.character and event.character.isdigit() and 1 <= int(event.character) <= count:
            self.at = int(event.character) - 1
        self.show()

    def _enter(self, answer: T) -> None:
        if self._take(answer):
            self.leave(answer)
        elif self.is_current:
            self.show()

    def leave(self, answer: T | None) -> None:
        """Give the answer to whoever asked."""
        self.dismiss(answer)

    def on_click(self, event: Click) -> None:
        """A click takes an entry."""
        for number, top in enumerate(self._tops):
            if event.screen_y == top:
                self.at = number
                self._enter(self._entries()[number].answer)
                return
