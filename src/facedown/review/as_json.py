"""A review for programs: plain values, chances from 0 to 1. The same for the command line and the server."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from facedown.core.record import result_of
from facedown.review.review import Part, Review
from facedown.review.words import words_of


def facts(found: Review) -> dict[str, Any]:
    """The review as a program reads it."""
    judged, words = found.judged, words_of(found.language)
    return {
        "game": found.record.game,
        "rules": found.rules,
        "seat": found.seat,
        "judge": judged.judge,
        "adviser": judged.adviser,
        "outcome": result_of(found.outcome) if found.outcome is not None else None,
        "chances": [each._asdict() for each in judged.chances],
        "picks": [asdict(each) for each in judged.appraisals],
        "luck_and_skill": _luck_and_skill(found) if judged.chances else None,
        "rounds": [asdict(each) for each in judged.rounds],
        "timing": None if judged.timing is None else asdict(judged.timing),
        "readable": None if found.readable is None else found.readable._asdict(),
        "exposure": None if judged.exposure is None else judged.exposure._asdict(),
        "say": {
            "luck_and_skill": words.GAP.join(words.luck_and_skill(found)),
            "readable": words.GAP.join(words.how_readable(found)),
            "habit": judged.habit,
        },
    }


def _luck_and_skill(found: Review) -> dict[str, Any]:
    """Start + skill + gifts + luck = end; gifts are null where they are part of the luck."""
    parts: dict[str, Part | None] = {
        "start": found.start,
        "skill": found.skill,
        "gifts": found.gifts,
        "luck": found.luck,
        "end": found.end,
    }
    return {name: None if part is None else part._asdict() for name, part in parts.items()}
