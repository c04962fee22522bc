"""Names from a record, made fit to be shown: whoever wrote the record may have put anything into them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_LONGEST: Final = 24


def shown_names(names: Sequence[str]) -> tuple[str, ...]:
    """Every seat's name, on one line, without what a screen would obey, and not too long.

    >>> shown_names(["Ann", "\\x1b[2J\\u202eoB", "", "A" * 99])
    ('Ann', '[2JoB', 'Seat 3', 'AAAAAAAAAAAAAAAAAAAAAAA…')
    """
    return tuple(_shown(name) or f"Seat {seat}" for seat, name in enumerate(names, 1))


def _shown(name: str) -> str:
    """Only what prints (no control, direction or line sign), with single spaces."""
    plain = " ".join("".join(sign if sign.isprintable() else " " * sign.isspace() for sign in name).split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1].rstrip()}…"
