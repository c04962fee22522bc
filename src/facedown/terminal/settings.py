"""The look of the terminal: language, theme and letters, from its environment and the command's options."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from facedown.core.text.translation import ENGLISH, language_for


@dataclass(frozen=True, slots=True)
class Look:
    """The way this terminal shows a game."""

    language: str = ENGLISH
    ascii: bool = False
    """No letters beyond ASCII for lines, cards and signs; names stay as they are."""
    theme: str = "night"
    """`night`, `day`, `terminal` (the terminal's own 16 colours), or `mono` (no colours)."""


def look_of_terminal(language: str | None, *, ascii_only: bool) -> Look:
    """The look for this process's output, in the language that is asked for."""
    letters = has_letters(getattr(sys.stdout, "encoding", None))
    return Look(chosen_language(language), ascii_only or not letters, theme_of_terminal())


def theme_of_terminal() -> str:
    """The theme for the terminal, as the environment says; never colours that it lacks."""
    term = os.environ.get("TERM", "").lower()
    if "NO_COLOR" in os.environ or term == "dumb":
        return "mono"
    many = os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    if not many and "256" not in term and "direct" not in term:
        return "terminal"
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "day" if background in ("7", "15") else "night"


def has_letters(encoding: str | None) -> bool:
    """Whether the terminal has letters beyond ASCII."""
    return (encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def chosen_language(asked: str | None) -> str:
    """The language to write in: as asked, or the terminal's; English for output that is no terminal."""
    if asked is not None:
        return asked
    return language_of_terminal() if sys.stdout and sys.stdout.isatty() else ENGLISH


def language_of_terminal() -> str:
    """The language of the environment if there is a translation; else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return language_for(value) or ENGLISH
    return ENGLISH
