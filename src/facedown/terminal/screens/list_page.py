"""List pages: a menu or a question, as a Textual option list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from facedown.terminal.drawing.spans import Line, wrap
from facedown.terminal.moments.effects import AnswerOption, Question
from facedown.terminal.screens.page import FramedPage, style
from facedown.terminal.settings import Look

if TYPE_CHECKING:
    from textual.events import Key

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListEntry(Generic[T]):
    """Something to choose: its label, and what it means."""

    label: str
    answer: T
    note: str = ""


class EntryList(OptionList):
    """An option list whose entries have notes, and a mark where they are highlighted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,tab", "cursor_down", show=False),
        Binding("k,shift+tab", "cursor_up", show=False),
        Binding("space", "select", show=False),
    ]

    def show(self, entries: Sequence[ListEntry[T]], room: int, look: Look) -> None:
        at = min(self.highlighted or 0, len(entries) - 1)
        prompts = [
            style(_entry(each, room, look, here=number == at), look) for number, each in enumerate(entries)
        ]
        if len(prompts) == self.option_count:
            for index, prompt in enumerate(prompts):
                if self.get_option_at_index(index).prompt != prompt:
                    self.replace_option_prompt_at_index(index, prompt)
        else:
            self.set_options([Option(prompt) for prompt in prompts])
        self.highlighted = at


def _entry(each: ListEntry[T], room: int, look: Look, *, here: bool) -> list[Line]:
    mark = (">" if look.ascii else "▸") if here else " "
    line: Line = [(f" {mark} ", "lamp strong"), (each.label, "lamp strong" if here else "bone")]
    notes = wrap(each.note, room - 10) if each.note else []
    return [line, *([(f"     {said}", "ash")] for said in notes), [(" ", "")]]


class ListPage(FramedPage[T | None], Generic[T]):
    """A list of entries; Enter takes one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "back", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._list = EntryList(compact=True)
        self._entries: Sequence[ListEntry[T]] = ()
        self._room = 0

    def entries(self) -> Sequence[ListEntry[T]]:
        raise NotImplementedError

    def leave(self, answer: T | None) -> None:
        """Leave the page with the answer that was taken, or with none."""
        self.go_back(answer)

    def body(self) -> Sequence[Widget]:
        return (self._list,)

    def fill_body(self, room: int, height: int) -> None:
        self._room = room
        self._entries = self.entries()
        self._list.show(self._entries, room, self.look)

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        words = self.words
        return ("↑↓", words("key.choose")), ("Enter", words("key.go")), ("Esc", words("key.close"))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._entries:
            self._list.show(self._entries, self._room, self.look)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.is_current and event.option_index < len(self._entries):
            self.leave(self._entries[event.option_index].answer)

    def action_back(self) -> None:
        self.leave(None)

    def on_key(self, event: Key) -> None:
        if event.character and event.character.isdigit() and 1 <= int(event.character) <= len(self._entries):
            event.stop()
            self._list.highlighted = int(event.character) - 1


class Dialog(ListPage[AnswerOption], ModalScreen[AnswerOption | None]):
    """A dialog: it is left with an answer to its question, or with none by Escape."""

    def __init__(self, question: Question) -> None:
        super().__init__()
        self._question = question

    def heading(self) -> str:
        return self._question.text

    def entries(self) -> Sequence[ListEntry[AnswerOption]]:
        return [ListEntry(each.label, each, each.note) for each in self._question.answers]
