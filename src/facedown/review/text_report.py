"""A review as plain text for the terminal: the table of picks, then the sentences about the whole game."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from facedown.core.text.translation import Text, sentences
from facedown.core.text.widths import cells, pad, wrap
from facedown.review import message, words
from facedown.review.review import Review
from facedown.review.words import percent

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
        yield from paragraph(words.largest_timing_difference(judged.timing, judged.adviser))
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
    heads: list[Text] = [message(f"column.{name}") for name in ("before", "after", "pick", "cost", "missed")]
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
