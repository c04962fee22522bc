"""The keyboard and the screen of one terminal, or of a pipe in its place. Knows no game.

Owns what may be printed (no control characters of others), the width of lines, and the end of the input.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import Final, TextIO

from facedown.terminal.pages import bold, filled_to, marked

_WIDEST: Final = 100
_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Empties the screen and what can be scrolled back to, and goes to the top."""
_LONGEST_NAME: Final = 40


class InputEnded(Exception):
    """Nobody is at the keyboard any more: Ctrl-D, or a pipe's end."""


class Left(Exception):
    """Whoever is at the keyboard wants to leave."""


class Console:
    """Says lines and asks for lines."""

    def __init__(self, keyboard: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._keyboard = sys.stdin if keyboard is None else keyboard
        self._screen = sys.stdout if screen is None else screen
        self.typed = _is_terminal(self._keyboard)
        """Whether somebody types, rather than a pipe."""
        self.seen = _is_terminal(self._screen) and os.environ.get("TERM") != "dumb"
        """Whether the output is a screen that can be cleared."""
        self._bold = self.seen and "NO_COLOR" not in os.environ

    @property
    def width(self) -> int:
        """How wide a line may be."""
        return min(_WIDEST, shutil.get_terminal_size((80, 24)).columns - 1)

    def say(self, text: str = "") -> None:
        """Print a text as it is."""
        print(text, file=self._screen)

    def say_wrapped(self, text: str, indent: str = "", first: str | None = None) -> None:
        """Print a paragraph, broken at the width of the screen; `first` stands before its first line."""
        start = indent if first is None else first
        self.say(textwrap.fill(text, self.width, initial_indent=start, subsequent_indent=indent))

    def strong(self, text: str) -> str:
        """The text in bold, where the screen can."""
        return bold(text) if self._bold else text

    def say_page(self, page: str) -> None:
        """Print a page in Markdown: laid out where there is a screen, as it is where there is none."""
        if not self.seen:
            self.say(page)
            return
        laid_out = filled_to(page, self.width)
        self.say(marked(laid_out) if self._bold else laid_out)

    def ask(self, prompt: str) -> str:
        """A line of input without its end; raises `InputEnded` where there is none."""
        print(prompt, end="", file=self._screen, flush=True)
        line = self._keyboard.readline() if self._keyboard is not None else ""
        if not line:
            self.say()
            raise InputEnded
        line = line.rstrip("\r\n")
        if not self.typed:  # a terminal shows what is typed; a pipe's transcript would lack it
            self.say(printable(line))
        return line

    def clear(self) -> None:
        """Hide all that was printed so far, where there is a screen; else draw a line under it."""
        self.say(_CLEAR if self.seen else "-" * 72)


def printable(text: str, longest: int = 200) -> str:
    """Text of others without what could steer the terminal, and not longer than this.

    >>> printable("Ann\\x1b[2J\\n")
    'Ann?[2J?'
    """
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(each if each.isprintable() else "?" for each in shown)


def shown_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of a record as a terminal may show them; a seat without one is called by its number."""
    shown = (printable(name, _LONGEST_NAME).strip() for name in names)
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(shown, 1))


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
