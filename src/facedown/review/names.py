"""Names from a record, made fit to be shown: whoever wrote the record may have put anything into them.

Names that nobody gave (a seat's number, a machine's) are said in the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from facedown.core import registry
from facedown.core.text.english import YOU
from facedown.core.text.phrases import ENGLISH, LANGUAGES, Phrases, Said

_LONGEST: Final = 24
_NOBODYS: Final = re.compile(r"(Machine|Seat)(?: (\d+))?")
_CALLED: Final = {"ja": {YOU: "あなた", "Machine": "機械", "Seat": "席"}}
"""What is called so where nobody gave a name."""


def shown_names(names: Sequence[str], game: str = "", language: str = ENGLISH) -> tuple[str, ...]:
    """Every seat's name, on one line, without what a screen would obey, and not too long.

    >>> shown_names(["Ann", "\\x1b[2J\\u202eoB", "", "A" * 99])
    ('Ann', '[2JoB', 'Seat 3', 'AAAAAAAAAAAAAAAAAAAAAAA…')
    >>> shown_names(["You", "Machine", "Ann", "", "Ann"], language="ja")
    ('あなた', '機械', 'Ann1', '席4', 'Ann2')
    """
    shown = (_shown(name) or f"Seat {seat}" for seat, name in enumerate(names, 1))
    if language == ENGLISH:
        return tuple(shown)
    known = registry.called(game, language) if game else {}
    called = [known.get(f"machine.{name}") or _called(name, language) for name in shown]
    return tuple(
        f"{name}{called[: place + 1].count(name)}" if called.count(name) > 1 else name
        for place, name in enumerate(called)
    )


def machine_named(game: str, machine: str) -> Said:
    """What a machine is called, in every language."""
    others = {language: registry.called(game, language) for language in LANGUAGES if language != ENGLISH}
    key = f"machine.{machine}"
    return Phrases({ENGLISH: {key: machine}, **others})(key)


def _called(name: str, language: str) -> str:
    called = _CALLED.get(language, {})
    found = _NOBODYS.fullmatch(name)
    if found is None:
        return called.get(name, name)
    return f"{called.get(found[1], found[1])}{found[2] or ''}"


def _shown(name: str) -> str:
    """Only what prints (no control, direction or line sign), with single spaces."""
    plain = " ".join("".join(sign if sign.isprintable() else " " * sign.isspace() for sign in name).split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1].rstrip()}…"
