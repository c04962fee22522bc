"""The shipped suites over every game that is found: contract, leaks, golden playthroughs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from facedown.core import registry
from facedown.testing import CHECKS, HOW, LEAKS, Check
from facedown.testing.tables import TableSetup
from tests.suites.golden import WRITE, check_golden, golden_tables, stray_files

GOLDEN = Path(__file__).parent.parent / "golden"
TABLES = [table for name in registry.names() for table in golden_tables(registry.get(name))]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", registry.names())
def test_every_game_keeps_to_the_contract_and_leaks_nothing(name: str, check: Check) -> None:
    how = HOW if check in LEAKS else settings(HOW, max_examples=8)  # after every kind of table
    check(registry.get(name), how)


@pytest.mark.parametrize("table", TABLES, ids=repr)
def test_the_golden_playthrough_is_unchanged(table: TableSetup) -> None:
    check_golden(GOLDEN, table)


def test_no_golden_playthrough_is_left_over() -> None:
    assert stray_files(GOLDEN, map(registry.get, registry.names())) == []


@pytest.mark.parametrize("name", registry.names())
def test_every_preset_has_golden_playthroughs_with_few_and_many_seats(name: str) -> None:
    game = registry.get(name)
    kept = {(str(table.rules), table.seats) for table in TABLES if table.game is game}
    for preset in game.rules.presets:
        seats = {count for rules, count in kept if rules == preset.name}
        assert game.meta.least_seats in seats
        assert max(seats) >= min(4, game.meta.most_seats)


def test_golden_files_are_compared_here_not_written() -> None:
    assert WRITE not in os.environ, (
        f"{WRITE} is set: the golden tests have written their files, not compared them"
    )
