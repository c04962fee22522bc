"""A review as plain text, for the terminal: the table of picks, then what can be said over the game."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from facedown.review.review import Review
from facedown.review.words import (
    about,
    advice,
    amount,
    cost,
    explained,
    headline,
    how_readable,
    how_timed,
    judged_by,
    largest_swing,
    luck_and_skill,
    percent,
    scored,
)

_WIDTH: Final = 80


def plain_text(review: Review) -> str:
    """The whole review."""
    return "\n".join(_lines(review))


def _lines(review: Review) -> Iterator[str]:
    judged = review.judged
    yield from _wrapped(f"{headline(review)}.")
    yield from _wrapped(about(review))
    yield from _wrapped(judged_by(review))
    if judged.chances:
        yield ""
        yield from _table(review)
        yield from (line for words in explained(review) for line in _wrapped(words))
        yield from _headed(f"The largest swing: {review.swing.place}")
        swing = f"{percent(review.swing.before)} → {percent(review.swing.after)}."
        yield from _wrapped(f"{swing} {largest_swing(review)}")
    yield from _headed("Luck and skill")
    yield from _wrapped(" ".join(luck_and_skill(review)))
    if judged.timing is not None:
        yield from _headed(judged.timing.title)
        rows = zip(judged.timing.labels, judged.timing.yours, judged.timing.judges, strict=True)
        yield from (f"  {label}: you {yours}, {judged.adviser} {judges:.1f}" for label, yours, judges in rows)
        yield from _wrapped(how_timed(judged.timing, judged.adviser))
    yield from _headed("How readable you were")
    if review.readable is not None:
        yield from _wrapped(f"{scored(review.readable)}; 0 is closed, 100 an open book.")
    yield from _wrapped(" ".join(how_readable(review)))
    if judged.habit is not None:
        yield from _wrapped(judged.habit)


def _headed(title: str) -> tuple[str, str]:
    return "", title


def _wrapped(words: str) -> list[str]:
    """On lines of a terminal; a number and its sign stay together."""
    lines = wrap(words.replace(" %", "\xa0%"), _WIDTH, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


def _table(review: Review) -> list[str]:
    """One line for each pick of the seat; columns that would stay empty are left out."""
    chances = {each.decision: each for each in review.judged.chances}
    rows = [("", "before", "after", "pick", review.judged.adviser, "cost", "missed")]
    rows += [
        (
            each.place,
            percent(chances[each.decision].before),
            percent(chances[each.decision].after),
            each.pick,
            advice(each.advice, {}),
            cost(each),
            amount(each.missed),
        )
        for each in review.judged.appraisals
    ]
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
