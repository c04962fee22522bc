"""A disk that is really full (a small one, mounted for the test) under a game on this machine.

`test_savegame.py` looks at what the screen says meanwhile.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.terminal.tables.host import LocalHost
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import unfinished_games
from facedown.terminal.words import Words
from tests.needs import without
from tests.terminal.pilot import open_table, spec_of

RULES = "classic(rounds=60,plays=5,placing=together)"
_BLOCK = 4096
"""A file takes whole blocks: it can grow on a full disk until its last one is full."""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The state folder, on a disk of 16 blocks."""
    disk = tmp_path / "state"
    disk.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(disk))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={16 * _BLOCK}", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
    )
    if mounted.returncode != 0:
        without(f"a full disk cannot be tested: mounting a small one needs root: {mounted.stderr}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill_up(disk: Path) -> Path:
    """A file that takes the rest of the disk."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * _BLOCK)
        except OSError:
            return filler


def begin_table() -> LocalTable:
    table = open_table(spec_of(registry.names()[-1], RULES), keep=True)
    table.begin()
    return table


def play(table: LocalTable) -> None:
    table.seal(1, table.legal(1)[0])


def resume_latest() -> LocalTable:
    savegame = next(unfinished_games())
    table = LocalHost(keep=True).open(savegame.spec, Words(), savegame)
    table.begin()
    return table


def test_the_game_goes_on_resumes_up_to_the_last_written_pick_and_is_saved_once_there_is_room(
    small: Path,
) -> None:
    table = begin_table()
    play(table)
    filler = fill_up(small)

    while not table.notice:  # until the file's block is full, in the middle of a line
        assert table.outcome is None, "the game is long enough"
        play(table)
    written = len(table.match.picks) - 1
    play(table)
    assert "no space left on device" in table.notice
    (kept,) = table.close()
    assert "kept up to the last card that was saved" in kept

    table = resume_latest()
    assert len(table.match.picks) == written, "it goes on where it was written last"
    play(table)
    filler.unlink()
    play(table)
    assert "saved again" in table.notice, "what is missing is written once there is room"
    table.close()
    assert resume_latest().match.picks == table.match.picks


def test_a_disk_that_is_full_from_the_start_promises_nothing(small: Path) -> None:
    fill_up(small)
    table = begin_table()
    play(table)

    assert "no space left on device" in table.notice
    assert table.close() == [], "nothing was written that could be resumed"
