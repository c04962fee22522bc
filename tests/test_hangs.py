"""The guard against tests that hang, on a small suite with workers of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.server.running import until

_GUARDED = """
from pathlib import Path
from tests.hangs import HangGuard, StillRunning

def pytest_configure(config):
    if hasattr(config, "workerinput"):
        config.guard = HangGuard()
        config.pluginmanager.register(config.guard)
    else:
        config.pluginmanager.register(Seen())
        config.pluginmanager.register(StillRunning())  # is told first

class Seen:
    def pytest_runtest_logstart(self):
        Path("seen").touch()

def pytest_runtest_setup(item):
    if "hangs" in item.name:
        item.config.guard.limit = 0.1
"""
_SUITE = """
import subprocess, sys, time
from greenlet import getcurrent, greenlet
from pathlib import Path

def test_before():
    pass

def test_that_hangs():
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10_000)"])
    Path("left").write_text(str(left.pid))

    def wait_for_the_browser():
        test.switch()

    test = getcurrent()
    greenlet(lambda: time.sleep(10_000), parent=greenlet(wait_for_the_browser)).switch()

def test_after():
    pass
"""
_ENDLESS = """
import time

def test_that_runs():
    time.sleep(10_000)
"""


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def started(folder: Path, suite: str) -> subprocess.Popen[str]:
    """A run of a suite in one worker, with the guard."""
    (folder / "conftest.py").write_text(_GUARDED)
    (folder / "test_suite.py").write_text(suite)
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", "1", "--rootdir", str(folder)]
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(Path(__file__).parent.parent)}
    return subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | alone,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_test_that_hangs_fails_alone_and_shows_where_it_stands(tmp_path: Path) -> None:
    said, _ = started(tmp_path, _SUITE).communicate(timeout=PATIENCE)

    assert "test_suite.py::test_that_hangs HANGS" in said
    assert "1 failed, 2 passed" in said
    assert "thread MainThread:" in said
    assert "greenlet:" in said
    assert "in test_that_hangs" in said, (
        "where the test stands, although the browser's loop runs in its thread"
    )
    left = int((tmp_path / "left").read_text())
    until(lambda: not is_there(left))  # killed, and seen to be gone by whoever started it


def test_an_interrupted_run_says_what_was_running(tmp_path: Path) -> None:
    run = started(tmp_path, _ENDLESS)
    until((tmp_path / "seen").exists)

    run.send_signal(signal.SIGTERM)

    said, _ = run.communicate(timeout=PATIENCE)
    assert "still running: test_suite.py::test_that_runs" in said
    assert run.returncode == pytest.ExitCode.INTERRUPTED
