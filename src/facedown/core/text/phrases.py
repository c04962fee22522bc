"""Sentences that can be said in several languages: an English text that knows which one it is and its slots.

Owns how a sentence is carried to whoever knows the reader's language. Knows no sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self, TypeAlias

Texts: TypeAlias = "Mapping[str, str]"
"""What is said, by key; slots in braces."""

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "ja")
"""The languages that Facedown speaks; English is what every sentence has."""


class Said(str):
    """A sentence in English that can be said in another language, too. Everywhere else it is plain text."""

    _phrases: Phrases
    _key: str
    _slots: Mapping[str, object]

    def __new__(cls, phrases: Phrases, key: str, slots: Mapping[str, object]) -> Self:
        """The sentence of that key, in English."""
        made = super().__new__(cls, phrases.filled(ENGLISH, key, slots))
        made._phrases, made._key, made._slots = phrases, key, slots
        return made

    def to(self, language: str) -> str:
        """The same in another language; in English where that has no words for it."""
        return self._phrases.filled(language, self._key, self._slots)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # a copy, or another process, gets the English text


class Phrases:
    """The sentences of one house, by language: all have the same keys and slots, a test looks.

    >>> say = Phrases({"en": {"won": "{who} won"}, "ja": {"won": "{who}の勝ち"}})
    >>> say("won", who="Ann"), said(say("won", who="Ann"), "ja"), said("as it is", "ja")
    ('Ann won', 'Annの勝ち', 'as it is')
    """

    def __init__(self, texts: Mapping[str, Texts]) -> None:
        self.texts = texts

    def __call__(self, key: str, /, **slots: object) -> Said:
        """The sentence of that key."""
        return Said(self, key, slots)

    def filled(self, language: str, key: str, slots: Mapping[str, object]) -> str:
        """The sentence in a language, with its slots filled; sentences in slots are said in it as well."""
        own = self.texts.get(language, {}).get(key)
        text = self.texts[ENGLISH][key] if own is None else own
        return text.format(
            **{name: said(slot, language) if isinstance(slot, str) else slot for name, slot in slots.items()}
        )


def said(sentence: str, language: str) -> str:
    """A sentence in this language, where it can be said in it; else as it is."""
    return sentence.to(language) if isinstance(sentence, Said) else str(sentence)


def language_of(wanted: str) -> str:
    """The language to answer in, from what a reader prefers (`Accept-Language`); English where we speak none.

    >>> language_of("ja-JP,ja;q=0.9,en;q=0.8"), language_of("fr, en;q=0.5, ja;q=0.1"), language_of("")
    ('ja', 'en', 'en')
    """
    asked: list[tuple[float, str]] = []
    for part in wanted[:200].split(","):
        tag, _, weight = part.strip().partition(";q=")
        asked.append((-_weight(weight), tag.strip().lower()[:2]))
    return next((tag for weight, tag in sorted(asked, key=lambda each: each[0]) if tag in LANGUAGES), ENGLISH)


def _weight(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
