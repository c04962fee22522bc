"""Small words for telling a game in English: lists, counts, and a name in the middle of a sentence.

Sentences about seats are written in the past tense: then "You" needs no grammar of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

YOU: Final = "You"
"""What the one person at a machine's table is called where no name was given."""


def listed(parts: Sequence[str]) -> str:
    """The parts as a sentence lists them.

    >>> listed(["Ann"]), listed(["Ann", "Bo"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann and Bo', 'Ann, Bo and Cy')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def inside(name: str) -> str:
    """A name as it stands inside a sentence.

    >>> inside("You"), inside("Ann")
    ('you', 'Ann')
    """
    return name.lower() if name == YOU else name


def opened(sentence: str) -> str:
    """The sentence with a capital at its beginning.

    >>> opened("you and Bo won.")
    'You and Bo won.'
    """
    return sentence[:1].upper() + sentence[1:]


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
