"""The golden suite itself: what it writes, and that it notices what is missing, different or left over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from facedown.core.chance import Chance
from facedown.core.events import public
from facedown.core.game import Joint, Step
from facedown.core.seats import Viewer
from facedown.testing.golden import (
    WRITE,
    check_golden,
    golden_file,
    golden_tables,
    playthrough,
    stray_files,
)
from facedown.testing.tables import TableSetup, telling_seed
from tests.leaky.honest import GAME, Highest, HighestView, State

TABLES = golden_tables(GAME)


class OtherView(Highest):
    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), score=(*state.score, 0))


class RareEvent(Highest):
    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        step = super().resolve(state, joint, chance)
        return Step(step.state, (*step.events, public("rare", ()))) if joint == ("7", "8") else step


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(WRITE, "write")
    for table in TABLES:
        check_golden(tmp_path / "golden", table)
    monkeypatch.delenv(WRITE)
    return tmp_path / "golden"


def test_a_playthrough_shows_the_deal_every_decision_and_every_viewer() -> None:
    text = playthrough(TABLES[0], 7)

    assert text.startswith("highest, version 1: short, 2 seats, seed 7\n\ndeal\n  chance: ")
    assert "event: hand (T1) cards=" in text
    assert "[only seat 2]" in text
    for line in (
        "decision 1: seat 1 ",
        "decision 2: seat 1 ",
        "  everybody sees",
        "  seat 1 sees",
        "    history: [[",
    ):
        assert line in text
    assert '"termination": "completed"' in text


def test_a_list_that_grew_is_written_with_only_its_new_items() -> None:
    assert playthrough(TABLES[0], 7).count('    history: ["…", [') == 1


def test_presets_and_seats_that_need_a_playthrough() -> None:
    assert [(str(table.rules), table.seats) for table in TABLES] == [
        ("short", 2),
        ("short", 3),
        ("long", 2),
        ("long", 3),
    ]


def test_the_seed_shows_most_kinds_of_events() -> None:
    assert telling_seed(TABLES[0], 9) == 1, "all games of this one show the same kinds"
    rare = TableSetup(RareEvent(), TABLES[0].rules, 2)
    assert "event: rare" not in playthrough(rare, 1)
    assert "event: rare" in playthrough(rare, telling_seed(rare, 20))


def test_written_playthroughs_pass_the_check(folder: Path) -> None:
    for table in TABLES:
        check_golden(folder, table)
    assert stray_files(folder, [GAME]) == []


def test_a_missing_file_is_named(folder: Path) -> None:
    golden_file(folder, TABLES[1]).unlink()
    with pytest.raises(AssertionError, match=r"highest-short-3\.txt is missing"):
        check_golden(folder, TABLES[1])


def test_a_difference_is_named_with_its_line(folder: Path) -> None:
    table = TABLES[0]
    with pytest.raises(
        AssertionError, match=r"line \d+, says 'score: \[0, 0\]', but the game says 'score: \[0, 0, 0\]'"
    ):
        check_golden(folder, TableSetup(OtherView(), table.rules, table.seats))


def test_a_file_that_is_cut_short_is_noticed(folder: Path) -> None:
    path = golden_file(folder, TABLES[0])
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    with pytest.raises(AssertionError, match="says 'the end', but the game says"):
        check_golden(folder, TABLES[0])


def test_a_file_of_no_table_is_left_over(folder: Path) -> None:
    (folder / "highest-short-9.txt").write_text("")
    assert stray_files(folder, [GAME]) == ["highest-short-9.txt"]
