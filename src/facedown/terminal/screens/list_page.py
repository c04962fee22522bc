"""List pages: a menu, a form or a question, as a Textual option list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from facedown.terminal.drawing.spans import Line, cells, pad, wrap
from facedown.terminal.screens.page import FramedPage, Lines, style
from facedown.terminal.settings import Look
from facedown.terminal.tables.absences import absence_sentence
from facedown.terminal.tables.table import AbsentPlayer, TerminalTable
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from textual.events import Key

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListEntry(Generic[T]):
    """Something to choose: its label, its value where it has one, and what it means."""

    label: str
    answer: T
    value: str = ""
    note: str = ""


class EntryList(OptionList):
    """An option list whose entries have notes, and values between arrows where they are highlighted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,tab", "cursor_down", show=False),
        Binding("k,shift+tab", "cursor_up", show=False),
        Binding("space", "select", show=False),
    ]

    def show(self, entries: Sequence[ListEntry[T]], room: int, look: Look) -> None:
        at = min(self.highlighted or 0, len(entries) - 1)
        prompts = _prompts(entries, at, room, look)
        if len(prompts) == self.option_count:
            for index, prompt in enumerate(prompts):
                if self.get_option_at_index(index).prompt != prompt:
                    self.replace_option_prompt_at_index(index, prompt)
        else:
            self.set_options([Option(prompt) for prompt in prompts])
        self.highlighted = at


def _prompts(entries: Sequence[ListEntry[T]], at: int, room: int, look: Look) -> list[Content]:
    valued = any(each.value for each in entries)
    label = max(cells(each.label) for each in entries) + 3 if valued else 0
    return [
        style(_entry(each, label, room, look, here=number == at, valued=valued), look)
        for number, each in enumerate(entries)
    ]


def _entry(each: ListEntry[T], label: int, room: int, look: Look, *, here: bool, valued: bool) -> list[Line]:
    mark = (">" if look.ascii else "▸") if here else " "
    role = "lamp strong" if here else "bone"
    line: Line = [(f" {mark} ", "lamp strong"), (pad(each.label, label) if valued else each.label, role)]
    if each.value:
        arrows = ("< ", " >") if here else ("  ", "")
        line += [(arrows[0], "lamp"), (each.value, role), (arrows[1], "lamp")]
    notes = wrap(each.note, room - 10) if each.note else []
    return [line, *([(f"     {said}", "ash")] for said in notes), *([] if valued else [[(" ", "")]])]


class ListPage(FramedPage[T | None], Generic[T]):
    """A list of entries; Enter takes one. Left and right change the value of those that have one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "change(-1)", show=False),
        Binding("right", "change(1)", show=False),
        Binding("escape,q", "back", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._above = Lines(id="above")
        self._list = EntryList(compact=True)
        self._entries: Sequence[ListEntry[T]] = ()
        self._room = 0

    # --- what a page of this kind decides ------------------------------------------------------------

    def entries(self) -> Sequence[ListEntry[T]]:
        raise NotImplementedError

    def above(self) -> Sequence[str]:
        return ()

    def change(self, answer: T, by: int) -> None:
        """Step through the values of an entry."""

    def take(self, answer: T) -> None:
        """Enter, on an entry: by default the page is left with its answer."""
        self.leave(answer)

    def leave(self, answer: T | None) -> None:
        self.go_back(answer)

    # --- how it is shown -----------------------------------------------------------------------------

    def body(self) -> Sequence[Widget]:
        return self._above, self._list

    def fill(self, room: int, height: int) -> None:
        self._room = room
        self._entries = self.entries()
        lines: list[Line] = []
        for said in self.above():
            lines += [[(f"   {line}", "ash")] for line in wrap(said, room - 6)]
        self._above.show(lines, self.look)
        self._above.set_class(not lines, "-empty")
        self._list.show(self._entries, room, self.look)

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        words = self.words
        change = [("←→", words("key.change"))] if any(each.value for each in self._entries) else []
        return [
            ("↑↓", words("key.choose")),
            *change,
            ("Enter", words("key.go")),
            ("Esc", words("key.back")),
        ]

    # --- keys ----------------------------------------------------------------------------------------

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._entries:
            self._list.show(self._entries, self._room, self.look)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.is_current and event.option_index < len(self._entries):
            self.take(self._entries[event.option_index].answer)
            if self.is_current:
                self.show()

    def action_change(self, by: int) -> None:
        if self._list.highlighted is not None:
            self.change(self._entries[self._list.highlighted].answer, by)
            self.show()

    def action_back(self) -> None:
        self.leave(None)

    def on_key(self, event: Key) -> None:
        if event.character and event.character.isdigit() and 1 <= int(event.character) <= len(self._entries):
            event.stop()
            self._list.highlighted = int(event.character) - 1


class Dialog(ListPage[T], ModalScreen[T | None], Generic[T]):
    """A dialog: a question with a few answers; it is left with one of them, or with none by Escape."""

    def __init__(self, question: str, entries: Sequence[ListEntry[T]]) -> None:
        super().__init__()
        self._question = question
        self._asked = entries

    def heading(self) -> str:
        return self._question

    def entries(self) -> Sequence[ListEntry[T]]:
        return self._asked


# --- dialogs ---------------------------------------------------------------------------------------------


def pause_dialog(table: TerminalTable, words: Words) -> Dialog[str]:
    """What can be done now besides playing."""
    entries = [ListEntry(words("pause.go"), "go")]
    if table.players is not None:
        entries.append(ListEntry(words("pause.talk"), "talk"))
        if any(each.asks_you or not each.machine for each in table.players.absent):
            entries.append(ListEntry(words("pause.absent"), "absent"))
    if table.started:
        entries.append(ListEntry(words("pause.resign"), "resign"))
    if table.players is not None:
        entries.append(ListEntry(words("pause.get_up"), "get up"))
    entries.append(ListEntry(words("pause.leave_remote" if table.remote else "pause.leave"), "leave"))
    return Dialog(words("pause"), entries)


def sure_dialog(words: Words, question: str) -> Dialog[bool]:
    """Whether that is meant; `question` is `resign`, `get_up` or `remove`."""
    no = words("remove.no" if question == "remove" else "resign.no")
    entries = [ListEntry(no, False), ListEntry(words(f"{question}.yes"), True)]
    return Dialog(words(f"{question}.sure"), entries)


def absence_dialog(absent: Sequence[AbsentPlayer], words: Words) -> Dialog[AbsentPlayer]:
    """What can be done about absent players; Escape does nothing."""
    entries = [
        ListEntry(_does(each, words), each, note=absence_sentence(each, words))
        for each in absent
        if each.asks_you or not each.machine
    ]
    return Dialog(words("absent.title"), entries)


def _does(absent: AbsentPlayer, words: Words) -> str:
    key = "absent.agree" if absent.machine else "absent.offer"
    return words(key, name=absent.name, machine=absent.machine)
