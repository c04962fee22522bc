"""Sanitising of text from elsewhere: no control characters reach the terminal, and names stay short."""

from __future__ import annotations

from typing import Final

_LONGEST_NAME: Final = 40


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
