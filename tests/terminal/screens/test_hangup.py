"""A terminal that goes away takes the game with it: no process stays behind, whenever it happens."""

from __future__ import annotations

import os
import pty
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.few import few
from tests.patience import PATIENCE
from tests.server.running import until

_HUNG_UP = 128 + signal.SIGHUP


def start_game(home: Path, *more: str) -> tuple[int, int]:
    """A game on a terminal of its own: its process, and our end of the terminal."""
    process, ours = pty.fork()
    if process == 0:
        folders = {"HOME": home, "XDG_DATA_HOME": home / "data"}
        environment = {**os.environ, "TERM": "xterm-256color", **{k: str(v) for k, v in folders.items()}}
        command = [sys.executable, "-m", "facedown", "play", "ecard", "--seed", "oak", *more]
        os.execve(sys.executable, command, environment)
    return process, ours


def seen_until(ours: int, what: bytes) -> None:
    """Read until the app has written this."""
    text = b""
    end = time.monotonic() + PATIENCE
    while what not in text:
        assert time.monotonic() < end, text[-200:]
        text += os.read(ours, 65_536)


def exit_status(process: int) -> int:
    """How the process ended; it is not left running, whatever comes out."""
    found: list[int] = []

    def is_gone() -> bool:
        number, status = os.waitpid(process, os.WNOHANG)
        found.extend([status] if number else [])
        return bool(found)

    try:
        until(is_gone, PATIENCE)
    finally:
        if not found:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(found[0])


@pytest.mark.parametrize("later", few([0.0, 0.03, 0.1], 2))
def test_while_the_first_screen_is_being_drawn(tmp_path: Path, later: float) -> None:
    process, ours = start_game(tmp_path)
    seen_until(ours, b"\x1b[?1049h")
    time.sleep(later)

    os.close(ours)

    assert exit_status(process) in (_HUNG_UP, -signal.SIGHUP)


def test_a_hangup_in_a_game_with_a_record_file(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    process, ours = start_game(tmp_path, "--record", str(record))
    seen_until(ours, b"winnings")

    os.close(ours)

    assert exit_status(process) == _HUNG_UP
    assert '"game": "ecard"' in record.read_text("utf-8")


def test_a_hangup_with_a_terminal_still_there_leaves_it_clean(tmp_path: Path) -> None:
    process, ours = start_game(tmp_path)
    seen_until(ours, b"winnings")

    os.kill(process, signal.SIGHUP)
    seen_until(ours, b"\x1b[?1049l")

    assert exit_status(process) == _HUNG_UP
    os.close(ours)
