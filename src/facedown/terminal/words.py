"""The words of the terminal itself, in every language that it speaks; games bring their own.

Every language has the same keys, and each text the same slots: a test looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from facedown.core.words import YOU, inside, listed
from facedown.terminal.words_en import ENGLISH
from facedown.terminal.words_ja import JAPANESE

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH, "ja": JAPANESE}


class Words:
    """What the terminal says, in one language.

    >>> Words("en")("kept", command="facedown play --resume")
    'The game is kept: `facedown play --resume` goes on with it.'
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language if language in TEXTS else "en"
        self._texts = TEXTS[self.language]

    def __call__(self, key: str, /, **slots: object) -> str:
        """The text of that key, with its slots filled."""
        return self._texts[key].format(**slots)

    def listed(self, parts: Sequence[str]) -> str:
        """The parts as a sentence lists them."""
        return listed(parts) if self.language == "en" else "と".join(parts)

    def joined(self, sentences: Sequence[str]) -> str:
        """Sentences one after the other."""
        return (" " if self.language == "en" else "").join(sentences)

    def name(self, name: str) -> str:
        """A name inside a sentence."""
        return inside(name) if self.language == "en" else name

    def names(self, names: Sequence[str]) -> tuple[str, ...]:
        """What the seats are called: names that nobody gave are said in this language."""
        return tuple(self("you") if name == YOU else self._machine(name) for name in names)

    def _machine(self, name: str) -> str:
        word, _, number = name.partition(" ")
        if self.language == "en" or word not in ("Machine", "Seat") or (number and not number.isdigit()):
            return name
        return self("machine" if word == "Machine" else "seat") + number
