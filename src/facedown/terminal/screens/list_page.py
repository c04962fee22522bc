"""List pages: a menu or a question, as a Textual option list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from facedown.terminal.drawing.spans import Line, wrap
from facedown.terminal.moments.effects import AnswerOption, Question
from facedown.terminal.screens.page import FramedPage, style
from facedown.terminal.settings import Look

if TYPE_CHECKING:
    from textual.events import Key


class EntryList(OptionList):
    """An option list whose entries have notes, and a mark where they are highlighted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,tab", "cursor_down", show=False),
        Binding("k,shift+tab", "cursor_up", show=False),
        Binding("space", "select", show=False),
    ]

    def show(self, entries: Sequence[AnswerOption], room: int, look: Look) -> None:
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


def _entry(each: AnswerOption, room: int, look: Look, *, here: bool) -> list[Line]:
    mark = (">" if look.ascii else "▸") if here else " "
    line: Line = [(f" {mark} ", "lamp strong"), (each.label, "lamp strong" if here else "bone")]
    notes = wrap(each.note, room - 10) if each.note else []
    return [line, *([(f"     {said}", "ash")] for said in notes), [(" ", "")]]


class ListPage(FramedPage[AnswerOption | None]):
    """A question with a list of answers; Enter takes one, Escape none."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "back", show=False)]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question
        self._list = EntryList(compact=True)
        self._room = 0

    def leave(self, answer: AnswerOption | None) -> None:
        """Leave the page with the answer that was taken, or with none."""
        self.go_back(answer)

    def body(self) -> Sequence[Widget]:
        return (self._list,)

    def heading(self) -> str:
        return self.question.text

    def fill_body(self, room: int, height: int) -> None:
        self._room = room
        self._list.show(self.question.answers, room, self.look)

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        words = self.words
        return ("↑↓", words("key.choose")), ("Enter", words("key.go")), ("Esc", words("key.close"))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._list.show(self.question.answers, self._room, self.look)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.is_current and event.option_index < len(self.question.answers):
            self.leave(self.question.answers[event.option_index])

    def action_back(self) -> None:
        self.leave(None)

    def on_key(self, event: Key) -> None:
        digit = event.character or ""
        if digit.isdecimal() and 1 <= int(digit) <= len(self.question.answers):
            event.stop()
            self._list.highlighted = int(digit) - 1
