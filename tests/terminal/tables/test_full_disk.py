"""A disk that is really full (a small one, mounted for the test) under a game on this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import read_savegame, unfinished_games
from tests.needs import without
from tests.terminal.pilot import open_table, spec_of
from tests.terminal.tmux import PROMPT, Terminal

GAME = registry.names()[-1]
RULES = "classic(rounds=60,plays=5,placing=together)"
_BLOCK = 4096
"""A file takes whole blocks: it can grow on a full disk until its last one is full."""


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """The state folder, on a disk of 16 blocks."""
    disk = tmp_path / "state"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={16 * _BLOCK}", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
    )
    if mounted.returncode != 0:
        without(f"a full disk cannot be tested: mounting a small one needs root: {mounted.stderr}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    at = Terminal(tmp_path)
    yield at
    at.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Terminal]:
    at = Terminal(tmp_path)
    yield at
    at.close()


def fill_up(disk: Path) -> Path:
    """A file that takes the rest of the disk."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * _BLOCK)
        except OSError:
            return filler


def left_before_the_block_is_full(disk: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A game whose next decision needs one block more; how many decisions it has."""
    monkeypatch.setenv("XDG_STATE_HOME", str(disk))
    table: LocalTable = open_table(spec_of(GAME, RULES), keep=True)
    assert table.savegame is not None
    table.begin()
    one = 0
    size = 0
    while size + one <= _BLOCK:
        assert table.outcome is None, "the game is long enough"
        table.seal(1, table.legal(1)[0])
        one = max(one, table.savegame.path.stat().st_size - size) if size else 0
        size = table.savegame.path.stat().st_size
    assert size <= _BLOCK
    table.close()
    return len(table.match.picks)


def test_the_game_goes_on_resumes_up_to_the_last_written_pick_and_is_saved_once_there_is_room(
    small: Path, terminal: Terminal, another: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions = left_before_the_block_is_full(small, monkeypatch)
    filler = fill_up(small)
    terminal.run("--resume")
    before = terminal.until(PROMPT)

    terminal.play()
    terminal.play()

    full = terminal.until("no space left on device")
    assert "The game continues" in " ".join(full.split())
    terminal.press("C-c")
    shown = " ".join(terminal.until("echo\n").split())
    assert "status 130" in shown
    assert "kept up to the last card that was saved" in shown
    assert "Traceback" not in shown
    (savegame,) = unfinished_games()
    assert len(read_savegame(savegame.path).sealed) >= 2 * decisions

    another.run("--resume")
    again = another.until(PROMPT)
    assert again.partition("\n")[0] == before.partition("\n")[0], "it goes on where it was written last"
    another.play()
    another.until("no space left on device")

    filler.unlink()
    another.play()

    another.until("saved again")  # what is missing is written once there is room
    another.press("C-c")
    another.until("The game is kept:", "status 130")
    (savegame,) = unfinished_games()
    assert len(savegame.sealed) >= 2 * (decisions + 2)


def test_a_disk_that_is_full_from_the_start_promises_nothing(small: Path, terminal: Terminal) -> None:
    fill_up(small)
    terminal.run(GAME, "--seed", "oak")
    terminal.until(PROMPT)
    terminal.play()
    terminal.until("no space left on device")
    terminal.press("C-c")

    shown = terminal.until("echo\n")

    assert "status 130" in shown
    assert "--resume" not in shown, "nothing was written that could be resumed"
