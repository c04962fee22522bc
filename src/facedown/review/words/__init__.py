"""The words of a review: `en` in English, `ja` in Japanese; both say the same things."""

from __future__ import annotations

from types import ModuleType

from facedown.review.words import en, ja


def words_of(language: str) -> ModuleType:
    """What a review says in this language."""
    return {"ja": ja}.get(language, en)
