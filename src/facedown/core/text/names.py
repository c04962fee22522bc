"""Default names of seats: English in a record, in the reader's language on a screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from facedown.core.text.sanitise import LONGEST_NAME_SHOWN, printable
from facedown.core.text.translation import Domain, Text, translate

YOU: Final = "You"
"""The name of the one person at a machine's table if none was given."""
MACHINE: Final = "Machine"
SEAT: Final = "Seat"
_NUMBERED: Final = re.compile(rf"({MACHINE}|{SEAT}) (\d+)")

message: Final = Domain("facedown.core")


def seat_name(name: str) -> Text:
    """A name as a text that can be translated; names that people chose stay as they are.

    >>> str(seat_name("Machine 2")), translate(seat_name("Machine 2"), "ja"), seat_name("Ann")
    ('Machine 2', 'コンピューター2', 'Ann')
    """
    if name == YOU:
        return message("name.you")
    if name == MACHINE:
        return message("name.machine")
    numbered = _NUMBERED.fullmatch(name)
    if numbered is None:
        return name
    return message("name.machine_number" if numbered[1] == MACHINE else "name.seat", number=numbered[2])


def names_in(language: str, names: Sequence[str]) -> tuple[str, ...]:
    """What the seats are called in a language.

    >>> names_in("ja", ["You", "Machine", "Seat 3", "Ann"])
    ('あなた', 'コンピューター', '席3', 'Ann')
    """
    return tuple(translate(seat_name(name), language) for name in names)


def record_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names in a record, sanitised; a seat without one is called by its number.

    >>> record_names(["Ann", "\\x1bBob", ""])
    ('Ann', '?Bob', 'Seat 3')
    """
    shown = (printable(name, LONGEST_NAME_SHOWN).strip() for name in names)
    return tuple(name or f"{SEAT} {seat}" for seat, name in enumerate(shown, 1))


def is_you(name: str, language: str) -> bool:
    """Whether this is the default name of the reader."""
    return name == translate(message("name.you"), language)
