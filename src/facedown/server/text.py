"""What people write, made harmless to show: no control characters, nothing that turns its direction."""

from __future__ import annotations

import unicodedata
from typing import Final

_DIRECTION: Final = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_text(text: str) -> str:
    """The text on one line, without what could disturb others.

    >>> clean_text("  well\\n\\tplayed\\u202e! ")
    'well played!'
    """
    kept = "".join(" " if each.isspace() else each for each in text if not _disturbs(each))
    return " ".join(kept.split())


def _disturbs(character: str) -> bool:
    if character.isspace():
        return False
    return character in _DIRECTION or unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn")
