"""Moments and their effects drawn as lines: in words, with cards where they are wanted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from facedown.core.text.widths import cells, pad
from facedown.terminal.drawing.board import revealed_lines, table_lines
from facedown.terminal.drawing.spans import LEAST, Line, in_ascii
from facedown.terminal.lines.console import Console, LeaveTable
from facedown.terminal.moments.effects import (
    Deed,
    Effect,
    Leave,
    LongText,
    MoveTo,
    Question,
    ShortText,
    ShowTable,
    Talk,
)
from facedown.terminal.moments.hand import Selection
from facedown.terminal.moments.session import TableSession
from facedown.terminal.tables.table import SeenDecision, TerminalTable

_HEAD: Final = 4
"""Columns that the head of a paragraph has at least."""


class LineView:
    """Draws the moments of one session at a console."""

    def __init__(self, console: Console, session: TableSession, *, drawn: bool = False) -> None:
        """`drawn`: with cards, if the screen is wide enough."""
        self._console = console
        self._session = session
        self._drawn = drawn
        self.next: TerminalTable | None = None
        """The table to go to, once it was asked for."""

    # --- the table -----------------------------------------------------------------------------------

    def show_table(self) -> None:
        """The table, and what is asked there."""
        session, table = self._session, self._session.table
        self._console.say()
        stage = session.builder.at_rest(session.seat, Selection())
        if self._draws:
            self._draw(table_lines(stage, self._console.width, session.look, session.words))
        else:
            self._console.say(session.builder.text.table(table.view(session.seat), table.names))
            self._say_sealed()
        if table.outcome is None:
            self._console.say_wrapped(stage.prompt)
            self.say_clocks()

    def _say_sealed(self) -> None:
        table, words = self._session.table, self._session.words
        sealed = [table.names[each - 1] for each in table.sealed]
        if 3 < len(sealed) == sum(map(len, table.pending)) - 1:
            self._console.say(words("face_down_everybody"))
        elif sealed:
            self._console.say_wrapped(words("face_down", names=words.all_of(sealed)))

    def say_clocks(self) -> None:
        if clocks := self._session.clock_sentence():
            self._console.say_wrapped(clocks)

    def tell(self, seen: SeenDecision, before: SeenDecision | None = None) -> None:
        """What a decision led to; the cards that it turned are drawn."""
        session = self._session
        if before is not None and self._draws:
            stage = session.builder.at_reveal(session.viewer, before, seen, turned=True)
            if stage is not None:
                self._draw(revealed_lines(stage, self._console.width, session.look, session.words))
        for sentence in session.builder.sentences(seen):
            self._console.say_wrapped(sentence, indent="  ")

    @property
    def _draws(self) -> bool:
        return self._drawn and self._console.width >= LEAST[0] - 1 and self._session.builder.scenes.drawn

    def _draw(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._console.say_spans(in_ascii(line) if self._session.look.ascii else line)

    # --- effects -------------------------------------------------------------------------------------

    def perform(self, effect: Effect | None, word: str = "", rest: str = "") -> None:
        """Carry out what was asked for by this word and the rest of its line; raises `LeaveTable`."""
        match effect:
            case Deed():
                self.perform(effect.do(), word)
            case ShortText():
                self._console.say_wrapped(effect.text)
            case LongText():
                self.read(effect)
            case Question():
                self._ask(effect, word, rest)
            case Talk():
                self._talk()
            case ShowTable():
                self.show_table()
            case MoveTo():
                self.next = effect.table
            case Leave():
                raise LeaveTable

    def read(self, reading: LongText) -> None:
        """Print a text; the heads of its paragraphs in a column."""
        if reading.page:
            self._console.say_page(reading.page)
            return
        if reading.load is not None:
            self._console.say("\n".join(reading.load(self._console.width)))
            return
        split = [paragraph.rpartition("\t") for paragraph in reading.paragraphs if paragraph]
        column = max((_HEAD, *(cells(head) for head, _, _ in split)))
        for head, tab, text in split:
            first = f"  {pad(head, column)} " if tab else "  "
            self._console.say_wrapped(text, indent=" " * len(first), first=first)

    def _ask(self, question: Question, word: str, rest: str) -> None:
        words = self._session.words
        if question.sure:
            asked = f"{question.text} {words('type_yes')}"
            answer = question.answer(self._console.ask(asked))
            self.perform(ShortText(words("you_play_on")) if answer is None else answer.effect, word)
            return
        answer = question.answer(rest)
        if answer is not None:
            self.perform(answer.effect, word)
        elif question.answers and not rest.strip():
            choices = [f"`{word} {each.typed[0]}` ({each.label})" for each in question.answers]
            self._console.say_wrapped(f"{question.text} {', '.join(choices)}")
        else:
            self._console.say_wrapped(words(f"help.{word}"))

    def _talk(self) -> None:
        words = self._session.words
        said = self._session.players.chat_lines
        for each in said:
            self._console.say_wrapped(words("talk.line", name=each.name, text=each.text), indent="  ")
        if not said:
            self._console.say(words("talk.nothing"))
        self._console.say_wrapped(words("talk.who"))
