"""Effects of what is typed: a text to read, a question to answer, something to do, a table to go to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from facedown.terminal.tables.savegame import SaveGame
from facedown.terminal.tables.table import TerminalTable


@dataclass(frozen=True, slots=True)
class ShortText:
    """A sentence for the person who typed."""

    text: str


@dataclass(frozen=True, slots=True)
class LongText:
    """A text to read. A paragraph `head TAB text` has its head in a column of its own; `# …` is a heading."""

    title: str
    paragraphs: Sequence[str] = ()
    page: str = ""
    """The same in Markdown, if it is a page."""
    load: Callable[[int], Sequence[str]] | None = None
    """Makes what takes its time, from the width: lines that are broken already."""
    from_end: bool = False
    """Whether the end is what matters."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that may take its time and may be refused; returns what follows from it."""

    do: Callable[[], Effect | None]


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One answer to a question: its label, the words that mean it when they are typed, and its effect."""

    label: str
    effect: Effect | None = None
    typed: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with a few answers."""

    text: str
    answers: tuple[AnswerOption, ...]
    sure: bool = False
    """Whether it asks if that is meant: then one answer is yes, and every other word means no."""

    def answer(self, typed: str) -> AnswerOption | None:
        """The answer that these words mean."""
        word = typed.strip().lower()
        return next((each for each in self.answers if word and word in each.typed), None)


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said at the table, and a line to say something."""


@dataclass(frozen=True, slots=True)
class ShowTable:
    """The table again."""


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Another table in place of this one."""

    table: TerminalTable


@dataclass(frozen=True, slots=True)
class Leave:
    """Away from the table."""


@dataclass(frozen=True, slots=True)
class ChosenGame:
    """A game of this machine, to be set up or continued."""

    game: str
    savegame: SaveGame | None = None


Effect: TypeAlias = ShortText | LongText | Deed | Question | Talk | ShowTable | MoveTo | Leave | ChosenGame
