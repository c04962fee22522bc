"""Games of a plan: each comes from the seed and its number alone."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.replay import replay, verify
from facedown.sim.simulate import SimulationPlan, play_game, simulate

OF_GAMES = pytest.mark.parametrize("game", registry.names())


def plan(game: str, games: int, **more: Any) -> SimulationPlan:
    return SimulationPlan(game, "", registry.get(game).meta.most_seats, seed_of("plan"), games, **more)


@OF_GAMES
def test_a_game_does_not_depend_on_those_before_it(game: str) -> None:
    lines = "".join(chunk.records for chunk in simulate(plan(game, 205, records=True), 1)).splitlines()

    assert len(lines) == 205
    for number in (1, 100, 101, 205):
        match = play_game(plan(game, 1), number)
        assert match.record(game_id=str(number), seed=seed_of("plan")).write() == lines[number - 1]


@OF_GAMES
def test_a_game_is_whole_and_its_deal_can_be_proved(game: str) -> None:
    record = play_game(plan(game, 1), 7).record(game_id="7", seed=seed_of("plan"))

    assert replay(record).outcome is not None
    found = {finding.check: finding.holds for finding in verify(record)}
    assert found == {"picks": True, "result": True, "links": None, "deal": True}


@OF_GAMES
def test_records_are_written_only_on_request(game: str) -> None:
    chunks = list(simulate(plan(game, 3), 1))

    assert [chunk.records for chunk in chunks] == [""]
    assert sum(chunk.tally.games for chunk in chunks) == 3
