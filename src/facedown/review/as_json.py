"""A review as JSON values, with chances from 0 to 1: what the command line prints and the server answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from facedown.core.record import result_of
from facedown.core.text.translation import sentences
from facedown.review.predictability import Predictability
from facedown.review.review import Part, Review
from facedown.review.words import luck_and_skill, readable_in_words


def as_json(review: Review) -> dict[str, Any]:
    """The review as plain values; its sentences are in the review's language."""
    judged = review.judged
    return {
        "game": review.record.game,
        "rules": review.rules,
        "seat": review.seat,
        "judge": judged.judge,
        "adviser": judged.adviser,
        "outcome": result_of(review.outcome) if review.outcome is not None else None,
        "chances": [each._asdict() for each in judged.chances],
        "picks": [asdict(each) for each in judged.appraisals],
        "luck_and_skill": _luck_and_skill(review) if judged.chances else None,
        "account": [each._asdict() for each in review.account] if judged.chances else [],
        "rounds": [asdict(each) for each in judged.rounds],
        "timing": None if judged.timing is None else asdict(judged.timing),
        "readable": None if review.predictability is None else _readable(review.predictability),
        "pattern": None if judged.pattern is None else asdict(judged.pattern),
        "being_read": None if judged.being_read is None else judged.being_read._asdict(),
        "expected": [each._asdict() for each in review.expected],
        "exposure": None if judged.exposure is None else judged.exposure._asdict(),
        "say": {
            "luck_and_skill": review.text(sentences(luck_and_skill(review))),
            "readable": review.text(sentences(readable_in_words(review))),
            "habit": judged.habit,
            "advice": None if judged.pattern is None else judged.pattern.advice,
        },
    }


def _readable(found: Predictability) -> dict[str, Any]:
    return {**found._asdict(), "tells": found.tells}


def _luck_and_skill(review: Review) -> dict[str, Any]:
    """Start + skill + read + gifts + luck = end; read and gifts are null where they are part of the luck."""
    parts: dict[str, Part | None] = {
        "start": review.start,
        "skill": review.skill,
        "read": review.read,
        "gifts": review.gifts,
        "luck": review.luck,
        "end": review.end,
    }
    return {name: None if part is None else part._asdict() for name, part in parts.items()}
