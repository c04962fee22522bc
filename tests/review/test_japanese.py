"""A review in Japanese: nothing of it stays English, columns keep their width, the numbers are the same."""

from __future__ import annotations

import re

import pytest

from facedown.core.text.widths import cells
from facedown.review.reports import as_json, plain_text
from facedown.review.review import Review, review
from tests.review.reviewed import recorded_game, small

ALLOWED = {"decisive", "classic", "short", "victories", "purse", "davenport", "aces", "pointed"}
ALLOWED |= {"Ann", "Bo", "Cy"}
ALLOWED |= {"completed", "extra", "out", "playoff", "resignation", "ruin"}  # as records name endings
WORD = re.compile(r"[A-Za-z]{2,}")
NOTATION = re.compile(r"\(\w+=[^)]*\)|\bx?[A-Z0-9][CDHS]\b")
"""What differs in a rule set, and cards: written the same in every language."""


def in_japanese(record: str = "ecard", line: int = 1, seat: int = 1) -> Review:
    return review(recorded_game(record, line), seat, 2, language="ja")


def left_over(text: str, found: Review) -> set[str]:
    names = {word for name in found.record.seats for word in WORD.findall(name)}
    return set(WORD.findall(NOTATION.sub("", text))) - ALLOWED - names


@pytest.mark.parametrize("line", [1, 40, 80, 119])
@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_nothing_stays_english(game: str, line: int) -> None:
    found = in_japanese(game, line)
    assert left_over(plain_text(found), found) == set()
    data = as_json(found)
    prose = [data["judge"], data["adviser"], *data["say"].values(), *found.narration]
    prose += [each["place"] for each in data["chances"]] + [each["place"] for each in data["picks"]]
    prose += [each[part] for each in data["rounds"] for part in ("label", "result")]
    prose += [] if data["timing"] is None else [data["timing"]["title"], *data["timing"]["labels"]]
    assert left_over("\n".join(filter(None, prose)), found) == set()


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_the_numbers_are_those_of_the_english_review(game: str) -> None:
    record = recorded_game(game, 3)
    ours, theirs = as_json(review(record, 1, 2)), as_json(review(record, 1, 2, language="ja"))
    for part in ("luck_and_skill", "readable", "exposure", "outcome", "rules"):
        assert ours[part] == theirs[part]
    assert [each["before"] for each in ours["chances"]] == [each["before"] for each in theirs["chances"]]


def test_lines_fit_and_columns_align() -> None:
    lines = plain_text(review(small("あ" * 10, "Bo"), 1, language="ja")).splitlines()
    assert all(cells(line) <= 80 for line in lines)
    start = next(place for place, line in enumerate(lines) if "均衡  " in line)
    column = cells(lines[start].partition("均衡")[0])
    for line in lines[start + 1 : start + 6]:
        before = next(place for place in range(len(line)) if cells(line[:place]) == column)
        assert line[before - 1] == " "
        assert line[before] != " "
