"""The engine against the reference games of `tests/reference`, which share no code with it.

`python -m tests.test_differential GAMES SEED` compares that many; the tests compare a few thousand.
"""

from __future__ import annotations

import json
import sys

import pytest

from facedown.core.record import Record
from tests.records.make import CASES
from tests.reference.generate import games
from tests.test_records import replay_json


def compare(game: str, count: int, seed: str, forfeits: float = 0.0) -> int:
    """How many games were compared; fails at the first that differs."""
    compared = 0
    for record, replay in games(game, count, seed, forfeits):
        assert replay_json(Record.read(json.dumps(record))) == replay, json.dumps(record)
        compared += 1
    return compared


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("game", CASES)
def test_the_engine_agrees_with_the_reference(game: str, part: int) -> None:
    assert compare(game, 500, f"differential {part}") == 500


@pytest.mark.parametrize("game", CASES)
def test_they_agree_about_picks_that_are_not_opened(game: str) -> None:
    assert compare(game, 300, "forfeits", forfeits=0.05) == 300


if __name__ == "__main__":
    for game in CASES:
        print(game, compare(game, int(sys.argv[1]), sys.argv[2]), "games agree")
