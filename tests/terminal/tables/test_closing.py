"""What a table prints and writes when its game is over, or when the player leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.core.record import Record
from facedown.core.replay import replay
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import unfinished_games
from tests.terminal.pilot import open_table, spec_of

GAMES = pytest.mark.parametrize("game", registry.names())


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def begin_table(game: str, record: Path | str, *, keep: bool = False) -> LocalTable:
    """A table after one pick, with a file for its record."""
    table = open_table(replace(spec_of(game), record=str(record)), keep=keep)
    table.begin()
    table.seal(1, table.legal(1)[0])
    return table


@GAMES
def test_leaving_a_table_shows_how_to_come_back_and_where_its_record_is(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    table = begin_table(game, file, keep=True)

    kept, saved = table.close()

    assert "facedown play --resume" in kept
    assert f"facedown replay {file}" in saved
    record = Record.read(file.read_bytes())
    assert (record.seed, record.result) == (None, None), "an unfinished game gives nothing away"
    assert [each.path for each in unfinished_games()], "another process may resume it now"


@GAMES
def test_a_finished_game_is_saved_once_with_its_seed_and_closing_prints_no_more(
    game: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    table = begin_table(game, file, keep=True)
    table.resign(1)

    saved, dealt = table.finish()

    assert f"facedown replay {file}" in saved
    assert "oak" in dealt
    record = Record.read(file.read_bytes())
    assert record.seed is not None
    assert replay(record).outcome is not None
    assert table.close() == []
    assert list(unfinished_games()) == []
