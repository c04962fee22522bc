"""A review as JSON values (for the command line and the server) and as plain text (for a terminal)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from facedown.core.record import result_of
from facedown.core.text.translation import Text, sentences
from facedown.core.text.widths import cells, pad, wrap
from facedown.review import message, words
from facedown.review.predictability import Predictability
from facedown.review.review import Review
from facedown.review.rollouts import Guess
from facedown.review.words import luck_and_skill, percent, readable_in_words

# --- JSON ------------------------------------------------------------------------------------------------


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
    parts: dict[str, Guess | None] = {
        "start": review.start,
        "skill": review.skill,
        "read": review.read,
        "gifts": review.gifts,
        "luck": review.luck,
        "end": review.end,
    }
    return {name: None if part is None else part._asdict() for name, part in parts.items()}


# --- plain text ------------------------------------------------------------------------------------------


_WIDTH: Final = 80


def plain_text(review: Review, width: int = _WIDTH) -> str:
    """The whole review, in lines of at most this width; the table of picks is as wide as it is."""
    return "\n".join(_lines(review, min(width, _WIDTH)))


def _lines(review: Review, width: int) -> Iterator[str]:
    judged = review.judged

    def paragraph(*parts: Text) -> list[str]:
        return _wrap(review.text(sentences(parts)), width)

    def heading(title: Text) -> tuple[str, str]:
        return "", review.text(title)

    yield from paragraph(message("headline.sentence", headline=words.headline(review)))
    yield from paragraph(words.about(review))
    yield from paragraph(words.judged_by(review))
    if judged.chances:
        swing = review.swing
        yield ""
        yield from _table(review)
        for note in words.column_notes(review):
            yield from paragraph(note)
        yield from heading(message("swing.title", place=swing.place))
        moves = message("swing.moves", before=percent(swing.before), after=percent(swing.after))
        yield from paragraph(moves, *words.largest_swing(review))
    yield from heading(message("luck.title"))
    yield from paragraph(*words.luck_and_skill(review))
    if judged.timing is not None:
        yield from heading(judged.timing.title)
        for row in words.timing_rows(judged.timing, judged.adviser):
            yield f"  {review.text(row)}"
        difference = words.largest_timing_difference(judged.timing, judged.adviser)
        yield from paragraph(judged.timing.note, difference)
    yield from heading(words.own(review, "readable.title"))
    yield from paragraph(*words.readable_in_words(review))
    if review.expected:
        yield from heading(words.expected_title(review))
        for each in words.telling(review.expected):
            yield from paragraph(words.expected_place(review, each), *each.say)
        yield from paragraph(message("expected.note"))


def _wrap(text: str, width: int) -> list[str]:
    """The text on lines of a terminal; a number and its sign stay together."""
    kept = text.replace(" %", "\xa0%")
    narrow = cells(kept) == len(kept)
    lines = textwrap.wrap(kept, width, break_on_hyphens=False) if narrow else wrap(kept, width)
    return [line.replace("\xa0", " ") for line in lines]


def _table(review: Review) -> list[str]:
    """One line for each pick of the seat; columns that would stay empty are left out."""
    chances = {each.decision: each for each in review.judged.chances}
    heads: list[Text] = [
        message(f"column.{name}") for name in ("before", "after", "pick", words.cost_column(review), "missed")
    ]
    rows: list[Sequence[Text]] = [("", *heads[:3], review.judged.adviser, *heads[3:])]
    rows += [
        (
            each.place,
            percent(chances[each.decision].before),
            percent(chances[each.decision].after),
            words.pick_notation(review, each.pick),
            words.advice(each.advice, review.judged.written),
            words.cost(each),
            words.amount(each.missed),
        )
        for each in review.judged.appraisals
    ]
    texts = [[review.text(cell) for cell in row] for row in rows]
    columns = [column for column in zip(*texts, strict=True) if any(column[1:])]
    widths = [max(map(cells, column)) for column in columns]
    return [
        "  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
