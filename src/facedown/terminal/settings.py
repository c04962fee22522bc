"""Settings of the terminal (language, theme, letters, motion), and the look that comes of them."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass, fields, replace
from typing import Final

from facedown.core.text.translation import ENGLISH, language_for, languages
from facedown.files import replace_file
from facedown.terminal.paths import settings_file


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


CHOICES: Final = {
    "language": ("auto", *languages()),
    "theme": ("auto", "night", "day", "terminal"),
    "motion": ("full", "short", "off"),
    "letters": ("auto", "all", "ascii"),
}
"""What may be chosen for each setting, in the order in which it is offered."""


@dataclass(frozen=True, slots=True)
class TerminalSettings:
    """The choices; `auto` follows the terminal."""

    language: str = "auto"
    theme: str = "auto"
    motion: str = "full"
    letters: str = "auto"

    def look(self, encoding: str | None) -> Look:
        language = language_of_terminal() if self.language == "auto" else self.language
        ascii_only = self.letters == "ascii" or (self.letters == "auto" and not has_letters(encoding))
        return Look(language, ascii_only, theme_of_terminal(self.theme), self.motion)

    def next(self, name: str, by: int = 1) -> TerminalSettings:
        choices = CHOICES[name]
        place = (choices.index(getattr(self, name)) + by) % len(choices)
        return replace(self, **{name: choices[place]})


def read_settings() -> TerminalSettings:
    """The settings as they were left; what cannot be read is as it usually is."""
    try:
        kept = json.loads(settings_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return TerminalSettings()
    if not isinstance(kept, dict):
        return TerminalSettings()
    known = {field.name: kept.get(field.name) for field in fields(TerminalSettings)}
    return TerminalSettings(**{name: str(value) for name, value in known.items() if value in CHOICES[name]})


def write_settings(settings: TerminalSettings) -> None:
    """Keep them, whole or not at all; raises `OSError`."""
    target = settings_file()
    target.parent.mkdir(parents=True, exist_ok=True)
    replace_file(target, f"{json.dumps(asdict(settings), indent=1)}\n".encode())


def chosen_language(asked: str | None) -> str:
    """The language to write in: as asked, as kept, or the terminal's; English for what is no terminal."""
    if asked is not None:
        return asked
    settings = read_settings()
    if settings.language == "auto" and not (sys.stdout and sys.stdout.isatty()):
        return ENGLISH
    return settings.look(getattr(sys.stdout, "encoding", None)).language
