"""The look of a terminal: its language, letters, theme and motion, and what the environment says of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from facedown.core.text.translation import ENGLISH, language_for

THEMES: Final = ("auto", "night", "day", "terminal")
MOTIONS: Final = ("full", "short", "off")
LETTERS: Final = ("auto", "all", "ascii")


@dataclass(frozen=True, slots=True)
class Look:
    """What this terminal shows, and how its owner wants it."""

    language: str = ENGLISH
    ascii: bool = False
    """No letters beyond ASCII for lines, cards and signs; names stay as they are."""
    theme: str = "night"
    """`night`, `day`, `terminal` (the terminal's own 16 colours), or `mono` (no colours)."""
    motion: str = "full"


def colours_of_terminal() -> str:
    """`none`, `16` or `many`, as the environment says."""
    term = os.environ.get("TERM", "").lower()
    if "NO_COLOR" in os.environ or term == "dumb":
        return "none"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "256" in term or "direct" in term:
        return "many"
    return "16"


def theme_of_terminal(asked: str) -> str:
    """The default theme for the terminal; never colours that it lacks."""
    colours = colours_of_terminal()
    if colours == "none":
        return "mono"
    if colours == "16":
        return "terminal"
    if asked != "auto":
        return asked
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "day" if background in ("7", "15") else "night"


def has_letters(encoding: str | None) -> bool:
    """Whether the terminal has letters beyond ASCII."""
    return (encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def language_of_terminal() -> str:
    """The language of the environment, where we speak it; else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return language_for(value) or ENGLISH
    return ENGLISH
