"""Servers forked from a process that has imported the program: a start costs 0.14 CPU seconds, not 0.60.

Each server still has its own memory, files, threads and loop. The parent holds modules only: it has no
thread, opens no store and makes no loop.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from facedown.server import clock
from tests.patience import PATIENCE

COVERAGE: Final = "FACEDOWN_TESTS_COVERAGE"
"""The environment variable that keeps coverage.py's configuration for servers."""
_LARGEST: Final = 1_000_000
"""Bytes of an order: the whole environment of a program is in it."""


class ForkedProcess:
    """A server process, as `subprocess.Popen` would give it."""

    def __init__(self, stdout: BinaryIO, messages: socket.socket) -> None:
        self.stdout = stdout
        self._messages = messages
        self._status: int | None = None
        self.pid = int(self._receive())

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def poll(self) -> int | None:
        """The exit status; None while it runs."""
        with contextlib.suppress(TimeoutError):
            self.wait(0.0)
        return self._status

    def wait(self, timeout: float = PATIENCE) -> int:
        """The exit status, once it has ended; negative if a signal ended it."""
        if self._status is None:
            self._messages.settimeout(timeout or 1e-6)
            self._status = int(self._receive())
            self._messages.close()
        return self._status

    def _receive(self) -> bytes:
        message = self._messages.recv(64)
        assert message, "the process that servers are forked from is gone"
        return message


def start(arguments: list[str], environment: dict[str, str], first: str, errors: int) -> ForkedProcess:
    """Start `facedown ARGUMENTS` with this environment, after the code `first`; its log goes to `errors`."""
    messages, sender = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reads, writes = os.pipe()
    order = json.dumps([arguments, environment, first, os.getcwd()]).encode()
    with sender, _ordering:
        socket.send_fds(_parent(), [order], [writes, errors, sender.fileno()])
    os.close(writes)
    return ForkedProcess(open(reads, "rb"), messages)


_ordering: Final = threading.Lock()


@cache
def _parent() -> socket.socket:
    """The process that servers of this worker are forked from; it ends with the worker."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for each in (ours, theirs):
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LARGEST)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.server.forked", str(theirs.fileno())],
        cwd=Path(__file__).parents[2],
        env=_environment(),
        pass_fds=[theirs.fileno()],
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait(PATIENCE)

    atexit.register(end)
    return ours


def _environment() -> dict[str, str]:
    measured = os.environ.get(COVERAGE)
    return {**os.environ, "COVERAGE_PROCESS_CONFIG": measured} if measured else dict(os.environ)


# --- the process that servers are forked from --------------------------------------------------------------


class _Order(NamedTuple):
    """A server to start, and its file descriptors: standard output, standard error, messages."""

    arguments: list[str]
    environment: dict[str, str]
    first: str
    folder: str
    files: list[int]

    def become(self) -> Callable[[], None]:
        """Turn this forked process into the ordered one; returns what it has to run."""
        out, errors, sender = self.files
        os.dup2(out, 1)
        os.dup2(errors, 2)
        for each in (out, errors, sender):
            os.close(each)
        sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115  # until it ends
        sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        sys.path[:0] = self.environment.get("PYTHONPATH", "").split(os.pathsep)
        sys.argv = ["facedown", *self.arguments]
        return self.run

    def run(self) -> None:
        exec(compile(self.first, "first", "exec"), {"__name__": "first"})
        clock.set_now(time.time_ns() // 1_000_000)  # it looks at the system's clock once, when it is imported
        runpy.run_module("facedown", run_name="__main__", alter_sys=False)


def _take_orders(control: socket.socket) -> Callable[[], None]:
    """Fork a process for each order and report how each ended. In the forked process, returns what to run."""
    ended, wakes = socket.socketpair()
    for end in (ended, wakes):
        end.setblocking(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    running: dict[int, int] = {}
    with selectors.DefaultSelector() as waiting:
        waiting.register(control, selectors.EVENT_READ)
        waiting.register(ended, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in waiting.select()}
            if ended in ready:
                ended.recv(4096)
                _report_ends(running)
            if control not in ready:
                continue
            order = _next_order(control)
            if order is None:
                for pid in running:  # the worker ended before its servers: a test hung, or it was killed
                    os.kill(pid, signal.SIGKILL)
                return lambda: None
            pid = os.fork()
            if pid == 0:
                for each in (control, ended, wakes):
                    each.close()
                for sender in running.values():
                    os.close(sender)
                return order.become()
            out, errors, sender = order.files
            os.close(out)
            os.close(errors)
            os.write(sender, str(pid).encode())
            running[pid] = sender


def _next_order(control: socket.socket) -> _Order | None:
    """The next order; None if there will be no more."""
    order, files, _, _ = socket.recv_fds(control, _LARGEST, 3)
    if not order:
        return None
    arguments, environment, first, folder = json.loads(order)
    return _Order(arguments, environment, first, folder, files)


def _report_ends(running: dict[int, int]) -> None:
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            sender = running.pop(found[0])
            with contextlib.suppress(BrokenPipeError):
                os.write(sender, str(os.waitstatus_to_exitcode(found[1])).encode())
            os.close(sender)


def _import_program() -> None:
    """What a server imports at its start."""
    for name in ("cli.main", "commands.serve", "server.run", "web.offline.routes", "web.serve"):
        import_module(f"facedown.{name}")


if __name__ == "__main__":
    _import_program()
    _take_orders(socket.socket(fileno=int(sys.argv[1])))()
