"""Reviews of games in which picks were not opened: each forfeit is judged by what it cost."""

from __future__ import annotations

import json

import pytest

from facedown.core import registry
from facedown.core.game import FORFEIT
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.games.ecard.review.judge import judge
from tests.reference.generate import games


def forfeited_games(game: str, count: int) -> list[Record]:
    found = [Record.read(json.dumps(record)) for record, _ in games(game, 40, "reviewed", 0.08)]
    return [record for record in found if any(FORFEIT in joint for joint in record.picks)][:count]


def test_a_forfeit_never_gives_anything_back() -> None:
    judged = 0
    for record in forfeited_games("ecard", 8):
        played = list(turns(record, start(record)))
        for seat in (1, 2):
            for each in judge(played, seat).appraisals:
                if each.pick == FORFEIT:
                    judged += 1
                    assert each.cost >= -1e-9
                    assert each.advice == {}
    assert judged


@pytest.mark.parametrize("game", registry.names())
def test_views_after_a_forfeit_have_their_numbers(game: str) -> None:
    played = registry.get(game)
    for record in forfeited_games(game, 20):
        match = start(record)
        for _ in turns(record, match):
            for viewer in range(1, len(record.seats) + 1):
                if played.encoding(match.rules, len(record.seats)) is not None:
                    played.encode(match.view(viewer))
