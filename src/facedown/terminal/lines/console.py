"""The console of line mode: prints and asks for lines, at a terminal or in a pipe. Knows no game.

Owns what may be printed (no control characters of others), the width of lines, and the end of the input.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, TextIO

from facedown.core.text.markdown import ALONE, BULLET, blocks
from facedown.core.text.sanitise import printable
from facedown.core.text.widths import cells, wrap
from facedown.terminal.settings import has_letters

# --- the keyboard ----------------------------------------------------------------------------------------


_MOST: Final = 65_536
"""Bytes that one line may have; more are cut into lines."""


class Keyboard:
    """Reads a file descriptor itself, because what a text stream has buffered cannot be waited for."""

    def __init__(self, stream: TextIO) -> None:
        """Raises `OSError` where the stream is no file that can be waited for."""
        if sys.platform == "win32":
            raise OSError("only sockets can be waited for on this system")
        self._file = stream.fileno()
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self._pending = b""
        self._ended = False

    def line(self, seconds: float) -> str | None:
        """A line without its end; None where there was none so long. Raises `EOFError` after the last."""
        if b"\n" not in self._pending and not self._ended and select.select([self._file], [], [], seconds)[0]:
            read = os.read(self._file, _MOST)
            self._pending += read
            self._ended = not read
        if b"\n" not in self._pending and len(self._pending) < _MOST:
            if not self._ended:
                return None
            if not self._pending:
                raise EOFError
        line, _, self._pending = self._pending.partition(b"\n")
        return line.decode(self._encoding, "replace").rstrip("\r")

    def forget(self) -> None:
        """Drop what was typed so far: it was meant for a question that is out of date."""
        if not os.isatty(self._file):
            return
        self._pending = b""
        with suppress(ImportError):
            import termios

            with suppress(termios.error):
                termios.tcflush(self._file, termios.TCIFLUSH)


# --- pages -----------------------------------------------------------------------------------------------


_BOLD: Final = "\x1b[1m{}\x1b[22m"
_MARKED: Final = re.compile(r"\*\*(.+?)\*\*|^(#+ .*)$", re.MULTILINE)


def filled_to(page: str, width: int) -> str:
    """The page with its paragraphs and bullets wrapped to this width.

    >>> print(filled_to("- **X1** One\\n  card.\\n\\nMany more words", 12))
    - **X1** One
      card.
    <BLANKLINE>
    Many more
    words
    """
    return "\n".join(_fill(block, width) for block in blocks(page))


def bold(text: str) -> str:
    """The text in bold."""
    return _BOLD.format(text)


def mark(page: str) -> str:
    """The page with what it marks as strong, and its headings, in bold."""
    return _MARKED.sub(lambda found: bold(found[1] or found[2]), page)


def _fill(block: str, width: int) -> str:
    if not block.strip() or block.startswith(ALONE):
        return block
    indent = "  " if block.startswith(BULLET) else ""
    if cells(block) != len(block):
        return "\n".join(wrap(block, width, indent))
    return textwrap.fill(
        block, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


# --- the console -----------------------------------------------------------------------------------------


_WIDEST: Final = 100
_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Empties the screen and what can be scrolled back to, and goes to the top."""
_TICK: Final = 0.25
"""Seconds between two checks for news while a line is typed."""


class InputEnded(Exception):
    """The input has ended: Ctrl-D, or the end of a pipe."""


class LeaveTable(Exception):
    """The player wants to leave the table."""


class Console:
    """Says lines and asks for lines."""

    def __init__(self, keyboard: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._keyboard = sys.stdin if keyboard is None else keyboard
        self._screen = sys.stdout if screen is None else screen
        self.typed = _is_terminal(self._keyboard)
        """Whether the input is a terminal, not a pipe."""
        self.seen = _is_terminal(self._screen) and os.environ.get("TERM") != "dumb"
        """Whether the output is a screen that can be cleared."""
        self._bold = self.seen and "NO_COLOR" not in os.environ
        self._lines: Keyboard | None = None
        """What lines are read from once others may interrupt; it keeps what was read too early."""
        self._asking = ""
        """The question that stands at the end of the screen, where there is one."""

    @property
    def width(self) -> int:
        return min(_WIDEST, shutil.get_terminal_size((80, 24)).columns - 1)

    def say(self, text: str = "") -> None:
        if self._asking:  # news during a question begins on a line of its own
            self._asking = ""
            print(file=self._screen)
        print(text, file=self._screen)

    @property
    def ascii_only(self) -> bool:
        """Whether the screen may lack letters beyond ASCII."""
        return not has_letters(getattr(self._screen, "encoding", None))

    def say_wrapped(self, text: str, indent: str = "", first: str | None = None) -> None:
        """Print a paragraph, broken at the width of the screen; `first` stands before its first line."""
        start = indent if first is None else first
        if cells(text) == len(text):
            self.say(textwrap.fill(text, self.width, initial_indent=start, subsequent_indent=indent))
            return
        kept = start.replace(" ", "\xa0")  # what stands before the text is no place to break
        self.say("\n".join(wrap(kept + text, self.width, indent)).replace("\xa0", " "))

    def strong(self, text: str) -> str:
        return bold(text) if self._bold else text

    def say_spans(self, line: Iterable[tuple[str, str]]) -> None:
        """Print a line of texts with their roles, in the terminal's own colours where it has some."""
        text = "".join(_coloured(text, roles) if self._bold else text for text, roles in line)
        self.say(text.rstrip())

    def say_lines(self, lines: Iterable[str]) -> None:
        """Print lines: indented ones as they are, others wrapped."""
        for line in lines:
            if line.startswith(" ") or not line:
                self.say(line)
            else:
                self.say_wrapped(line)

    def say_page(self, page: str) -> None:
        """Print a page in Markdown: laid out where there is a screen, as it is where there is none."""
        if not self.seen:
            self.say(page)
            return
        laid_out = filled_to(page, self.width)
        self.say(mark(laid_out) if self._bold else laid_out)

    def ask(self, prompt: str) -> str:
        """A line of input without its end; raises `InputEnded` where there is none."""
        if self._lines is not None:
            asked = self.ask_while(prompt, lambda: True)
            assert asked is not None, "the question stands until it is answered"
            return asked
        print(prompt, end="", file=self._screen, flush=True)
        line = self._keyboard.readline() if self._keyboard is not None else ""
        if not line:
            self.say()
            raise InputEnded
        return self._read(line.rstrip("\r\n"))

    def ask_while(self, prompt: str, stands: Callable[[], bool]) -> str | None:
        """As `ask`, but others may interrupt: `stands` is asked again and again, and may say something.

        None once the question is out of date; what was being typed for it is dropped.
        """
        if not self._can_wait():
            return self.ask(prompt)
        while stands():
            if not self._asking:
                print(prompt, end="", file=self._screen, flush=True)
                self._asking = prompt or " "
            line = self.read_line(_TICK)
            if line is not None:
                return line
        assert self._lines is not None, "lines can be waited for"
        self._lines.forget()
        return None

    def read_line(self, seconds: float) -> str | None:
        """A line typed within this time; None for none. Raises `InputEnded`."""
        if not self._can_wait() or self._lines is None:
            return None
        try:
            line = self._lines.line(seconds)
        except EOFError:
            self.say()
            raise InputEnded from None
        if line is None:
            return None
        self._asking = ""
        return self._read(line)

    def _can_wait(self) -> bool:
        if self._lines is None and self._keyboard is not None:
            try:
                self._lines = Keyboard(self._keyboard)
            except (OSError, ValueError):
                return False
        return self._lines is not None

    def _read(self, line: str) -> str:
        if not self.typed:  # a terminal shows what is typed; a pipe's transcript would lack it
            self.say(printable(line))
        return line

    def clear(self) -> None:
        """Hide everything printed so far, if there is a screen; else draw a line under it."""
        self.say(_CLEAR if self.seen else "-" * 72)


_COLOURS: Final = {"seal": 31, "gold": 33, "moss": 32, "iron": 36, "lamp": 33, "strong": 1, "faint": 2}
"""The codes of roles that are shown by colour or weight as well."""


def _coloured(text: str, roles: str) -> str:
    codes = ";".join(str(_COLOURS[role]) for role in roles.split() if role in _COLOURS)
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text.strip() else text


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
