"""A review as plain text, for the terminal: the table of picks, then what can be said over the game."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from facedown.core.text.widths import cells, padded, wrapped
from facedown.review.review import Review
from facedown.review.words import words_of
from facedown.review.words.en import percent

_WIDTH: Final = 80


def plain_text(review: Review) -> str:
    """The whole review."""
    return "\n".join(_lines(review))


def _lines(review: Review) -> Iterator[str]:
    judged, words = review.judged, words_of(review.language)
    heads, stop = words.HEADS, "." if words.GAP else "。"
    yield from _wrapped(f"{words.headline(review)}{stop}")
    yield from _wrapped(words.about(review))
    yield from _wrapped(words.judged_by(review))
    if judged.chances:
        yield ""
        yield from _table(review)
        yield from (line for said in words.explained(review) for line in _wrapped(said))
        yield from _headed(heads["swing"].format(place=review.swing.place))
        swing = f"{percent(review.swing.before)} → {percent(review.swing.after)}{stop}"
        yield from _wrapped(f"{swing}{words.GAP}{words.largest_swing(review)}")
    yield from _headed(heads["luck"])
    yield from _wrapped(words.GAP.join(words.luck_and_skill(review)))
    if judged.timing is not None:
        yield from _headed(judged.timing.title)
        rows = zip(judged.timing.labels, judged.timing.yours, judged.timing.judges, strict=True)
        for label, yours, judges in rows:
            told = heads["timing"].format(label=label, yours=yours, adviser=judged.adviser, judges=judges)
            yield f"  {told}"
        yield from _wrapped(words.how_timed(judged.timing, judged.adviser))
    yield from _headed(heads["readable"])
    if review.readable is not None:
        yield from _wrapped(heads["scale"].format(scored=words.scored(review.readable)))
    yield from _wrapped(words.GAP.join(words.how_readable(review)))
    if judged.habit is not None:
        yield from _wrapped(judged.habit)


def _headed(title: str) -> tuple[str, str]:
    return "", title


def _wrapped(words: str) -> list[str]:
    """On lines of a terminal; a number and its sign stay together."""
    kept = words.replace(" %", "\xa0%")
    narrow = cells(kept) == len(kept)
    lines = wrap(kept, _WIDTH, break_on_hyphens=False) if narrow else wrapped(kept, _WIDTH)
    return [line.replace("\xa0", " ") for line in lines]


def _table(review: Review) -> list[str]:
    """One line for each pick of the seat; columns that would stay empty are left out."""
    words = words_of(review.language)
    chances = {each.decision: each for each in review.judged.chances}
    place, before, after, pick, _, cost, missed = words.COLUMNS
    rows = [(place, before, after, pick, review.judged.adviser, cost, missed)]
    rows += [
        (
            each.place,
            percent(chances[each.decision].before),
            percent(chances[each.decision].after),
            words.PICKS.get(each.pick, each.pick),
            words.advice(each.advice, {}),
            words.cost(each),
            words.amount(each.missed),
        )
        for each in review.judged.appraisals
    ]
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(cells, column)) for column in columns]
    return [
        "  ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
