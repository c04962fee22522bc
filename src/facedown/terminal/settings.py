"""Settings of the terminal (language, theme, letters, motion), stored in the config folder."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, fields, replace
from typing import Final

from facedown.core.text.translation import ENGLISH, languages
from facedown.files import replace_file
from facedown.terminal.look import (
    LETTERS,
    MOTIONS,
    THEMES,
    Look,
    has_letters,
    language_of_terminal,
    theme_of_terminal,
)
from facedown.terminal.paths import settings_file

CHOICES: Final = {
    "language": ("auto", *languages()),
    "theme": THEMES,
    "motion": MOTIONS,
    "letters": LETTERS,
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
