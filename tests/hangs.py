"""Tests that do not end: they are named, show where they stand, and fail alone, while the others go on.

This is no test of speed. Whatever a test waits for has its own deadline (`tests/patience.py`); the guard is
for what has none, such as a browser that never answers, and would otherwise keep a whole run from ending.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import pytest

LIMIT: Final = 900.0
"""Seconds after which a test hangs: three times the longest wait, and far above what any test takes."""
_NOTED: Final = 300.0
"""Seconds after which a test is named that still runs."""
_MERCY: Final = 60.0
"""Seconds more, after which the process is ended by a watchdog that does not need Python."""


class HangGuard:
    """Watches the test that runs in a worker, and ends one that hangs: xdist fails that test alone."""

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit
        self._running: tuple[str, float] | None = None
        self._over = threading.Event()
        self._screen = os.dup(2)  # as long as a test runs, 2 is captured

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note which test runs."""
        if self._running is None and not self._over.is_set():
            threading.Thread(target=self._watch, name="hang guard", daemon=True).start()
        self._running = item.nodeid, time.monotonic()
        faulthandler.dump_traceback_later(self.limit + _MERCY, exit=True, file=self._screen)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()
            self._running = "", float("inf")

    def pytest_sessionfinish(self) -> None:
        """Nothing runs any more."""
        self._over.set()

    def _watch(self) -> None:
        noted = ""
        while not self._over.wait(1):
            assert self._running is not None, "it is there when a test begins"
            test, since = self._running
            if time.monotonic() - since > self.limit:
                self._end(test)
            if time.monotonic() - since > _NOTED and test != noted:
                noted = test
                self._say(f"\n{test} still runs, after {_NOTED / 60:.0f} minutes\n")

    def _end(self, test: str) -> NoReturn:
        self._say(f"\n*** {test} HANGS: it has been running for {self.limit:.0f} s, and fails. ***\n")
        for name, frame in _stacks():
            self._say(f"\n{name}:\n" + "".join(traceback.format_stack(frame)))
        for process in _descendants(os.getpid()):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        os._exit(1)

    def _say(self, text: str) -> None:
        os.write(self._screen, text.encode())


def _stacks() -> Iterator[tuple[str, FrameType]]:
    """Where everything stands that Python runs here. Whatever waits for a browser does so in a greenlet."""
    names = {each.ident: each.name for each in threading.enumerate()}
    for ident, frame in sys._current_frames().items():
        yield f"thread {names.get(ident, ident)}", frame
    for each in gc.get_objects():
        if type(each).__name__ == "greenlet" and each.gr_frame is not None:
            yield "greenlet", each.gr_frame


def _descendants(process: int) -> Iterator[int]:
    """The processes that a process has started, and those that they have started, where the system tells."""
    with suppress(OSError):  # it may end meanwhile
        for path in Path(f"/proc/{process}/task").glob("*/children"):
            for child in path.read_text().split():
                yield from _descendants(int(child))
                yield int(child)


class StillRunning:
    """Says which tests were running when a run is interrupted, by Ctrl-C or by SIGTERM."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        signal.signal(signal.SIGTERM, signal.default_int_handler)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """In this process or in a worker."""
        self._since[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """In this process or in a worker."""
        self._since.pop(nodeid, None)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """After all that was found so far."""
        if exitstatus == pytest.ExitCode.INTERRUPTED:
            for test, since in self._since.items():
                terminalreporter.write_line(f"still running: {test} ({time.monotonic() - since:.0f} s)")


def watch(config: pytest.Config) -> None:
    """Guard a run: against what hangs in each worker, and against silence in the process that reports."""
    in_worker = hasattr(config, "workerinput")
    config.pluginmanager.register(HangGuard() if in_worker else StillRunning())
