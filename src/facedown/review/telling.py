"""Which words a review is told in: `words` in English, `words_ja` in Japanese; both say the same things."""

from __future__ import annotations

from types import ModuleType

from facedown.review import words, words_ja


def words_of(language: str) -> ModuleType:
    """What a review says in this language."""
    return {"ja": words_ja}.get(language, words)
