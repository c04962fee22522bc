"""Facedown on a system without POSIX modules, as Windows is: the server serves a game, line mode plays.

The modules and signals are made missing in a process of its own, and the lock is of Windows' kind; Windows
itself is not tried here.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

from tests.cli.command import Ran, environment, failed_in_one_sentence
from tests.cli.installed import ROOT
from tests.patience import PATIENCE

_WINDOWS = """
import asyncio, asyncio.subprocess, multiprocessing, os, signal, subprocess, sys, tempfile, types
import fcntl as real

def locking(file, mode, count):
    assert (mode, count) == (2, 1)
    assert os.lseek(file, 0, os.SEEK_CUR) > 1_000_000, "a byte beyond the contents"
    real.flock(file, real.LOCK_EX | real.LOCK_NB)

for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "uvloop"):
    sys.modules[name] = None
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
for name in ("SIGALRM", "SIGHUP", "SIGTSTP", "SIGCONT", "SIGKILL", "setitimer"):
    delattr(signal, name)
for name in ("O_CLOEXEC", "tcgetpgrp", "fork", "getuid", "geteuid"):
    delattr(os, name)

from facedown.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", _WINDOWS, *arguments]


def run(home: Path, *arguments: str, stdin: str = "") -> Ran:
    known = {**environment(), "HOME": str(home)}
    done = subprocess.run(
        command(*arguments), input=stdin, capture_output=True, text=True, env=known, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@contextmanager
def serving(home: Path, data: Path) -> Iterator[str]:
    with subprocess.Popen(
        command("serve", "--port", "0", "--data", str(data)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**environment(), "HOME": str(home)},
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip().rpartition(" ")[2]
        finally:
            server.terminate()


def test_a_server_serves_a_game_and_keeps_others_from_its_data(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(tmp_path, data) as address:
        with urlopen(f"{address}/", timeout=PATIENCE) as page:
            assert b"<html" in page.read()
        played = run(
            tmp_path,
            "play",
            "ecard",
            "--plain",
            "--create",
            address,
            "--against",
            "habit",
            stdin="resign\nyes\n",
        )
        second = run(tmp_path, "serve", "--port", "0", "--data", str(data))

    assert (played.status, played.err) == (0, "")
    assert "won the game" in played.out
    assert failed_in_one_sentence(second, "data_in_use"), second


def test_line_mode_plays_and_an_arena_has_no_alarm(tmp_path: Path) -> None:
    record = tmp_path / "game.json"

    played = run(
        tmp_path, "play", "davenport", "--plain", "--record", str(record), stdin="hand\nresign\nyes\n"
    )
    arena = run(tmp_path, "arena", "ecard", "--bots", "habit,uniform", "--games", "2", "--jobs", "1")

    assert (played.status, played.err) == (0, "")
    assert record.read_text("utf-8").endswith("}\n")
    assert arena.status == 0, arena.err


def test_the_set_up_of_windows_is_done_once_and_again_when_the_lock_changes(tmp_path: Path) -> None:
    done: list[tuple[str, ...]] = []
    made = runpy.run_path(str(ROOT / "scripts" / "set_up.py"))
    steps = made["set_up"].__globals__

    def step(what: str, *command: str) -> None:
        done.append(command[5:])

    class Builder:
        def __init__(self, **options: object) -> None:
            assert options == {"with_pip": True, "clear": True}

        def create(self, folder: Path) -> None:
            (folder / "bin").mkdir(parents=True, exist_ok=True)
            (folder / "bin" / "python").touch()

    steps["_run"], steps["venv"] = step, SimpleNamespace(EnvBuilder=Builder)
    (tmp_path / "requirements.lock").write_text("one", "utf-8")
    (tmp_path / "pyproject.toml").touch()

    for _ in range(2):
        made["set_up"](tmp_path)
    assert len(done) == 2
    assert "--require-hashes" in done[0]
    (tmp_path / "requirements.lock").write_text("two", "utf-8")
    made["set_up"](tmp_path)
    assert len(done) == 4


def test_the_windows_launcher_has_the_line_ends_that_it_needs() -> None:
    text = (ROOT / "facedown.cmd").read_bytes()

    assert text.count(b"\r\n") == text.count(b"\n") > 5
    assert (ROOT / "scripts" / "set_up.py").exists()
    assert b"scripts\\set_up.py" in text
