"""Sanitising of names and other foreign text before it is stored or shown, and how long names may be.

One rule for all: what does not print (control, direction and format characters) never gets through.
"""

from __future__ import annotations

from typing import Final

LONGEST_NAME: Final = 24
"""Of a seat on the command line, and in a review."""
LONGEST_ACCOUNT_NAME: Final = 32
"""Of a person on a server."""
LONGEST_NAME_SHOWN: Final = 40
"""Of a seat in a record or at another server, in a terminal."""
LONGEST_REMARK: Final = 280
"""Characters of a chat message."""


def one_line(text: str, longest: int | None = None) -> str:
    """The text on one line with single spaces, without characters that do not print.

    >>> one_line("  well\\n\\tplayed\\u202e! \\x1b[2J"), one_line("A" * 99, 10)
    ('well played! [2J', 'AAAAAAAAA…')
    """
    kept = "".join(each if each.isprintable() else " " * each.isspace() for each in text)
    line = " ".join(kept.split())
    return line if longest is None or len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def printable(text: str, longest: int = 200) -> str:
    """The text with a question mark for each character that does not print, so that the reader sees them.

    >>> printable("Ann\\x1b[2J\\n")
    'Ann?[2J?'
    """
    shown = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return "".join(each if each.isprintable() else "?" for each in shown)
