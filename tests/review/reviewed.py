"""Reviews for tests: of games given by their picks, and of recorded ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from facedown.core.game import Joint
from facedown.core.record import Record
from facedown.review.review import Review, review

RECORDS = Path(__file__).parents[1] / "records"
HABIT: tuple[Joint, ...] = (("E", "C"), ("C", "C"), ("E", "C"), ("E", "S"), ("C", "E"), ("S", "C"))
"""Five rounds of two seats, with a play that was drawn: seat 2 wins the last three."""


def recorded_game(game: str, line: int) -> Record:
    lines = (RECORDS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    return Record.read(lines[line - 1])


def small(*names: str, picks: tuple[Joint, ...] = HABIT, rules: str = "") -> Record:
    """A short game between these players; seat 2 wins it, 3 to 2."""
    rules = rules or "decisive(rounds=5,group=3,first=1)"
    return Record("ecard", rules, names or ("Ann", "Bo"), (), picks)


@cache
def small_review(*names: str, seat: int = 1) -> Review:
    return review(small(*names), seat)


@cache
def played_out(seat: int = 1, line: int = 46, rollouts: int = 4) -> Review:
    """A game of more seats, judged by playing out."""
    return review(recorded_game("davenport", line), seat, rollouts)
