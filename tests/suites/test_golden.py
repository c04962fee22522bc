"""The golden suite itself: what it writes, and that it notices what is missing, different or left over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from facedown.core.seats import Viewer
from facedown.testing.tables import TableSetup
from tests.leaky.honest import GAME, Highest, HighestView, State
from tests.suites.golden import (
    WRITE,
    check_golden,
    golden_file,
    golden_tables,
)

TABLES = golden_tables(GAME)


class OtherView(Highest):
    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), score=(*state.score, 0))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(WRITE, "write")
    for table in TABLES:
        check_golden(tmp_path / "golden", table)
    monkeypatch.delenv(WRITE)
    return tmp_path / "golden"


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
