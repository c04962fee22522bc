"""A real server in a process of its own: started, killed, stopped and started again on the same data."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.command import Ran
from tests.patience import PATIENCE
from tests.server import forked
from tests.server.forked import ForkedProcess

_PROGRAM = """
import runpy
runpy.run_module("facedown", run_name="__main__", alter_sys=True)
"""
"""`python -m facedown`, after whatever a test wants to have run first."""
ON_POSTGRESQL = os.environ.get("FACEDOWN_TESTS_ON") == "postgresql"
for_sqlite = pytest.mark.skipif(ON_POSTGRESQL, reason="about SQLite: its file, its backup, its clock")
_READY = re.compile(rb"Facedown is at (https?://\S+)")


class Server:
    """`facedown serve` on a free port of the loopback; the port stays the same over restarts."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.logs_folder = data.parent
        self.base = ""
        self.program = _PROGRAM
        self._first = ""
        self._environment = {
            **os.environ,
            "FACEDOWN_LOG": "json",
            **_WIDE,
            **_database(data),
            **environment,
        }
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None
        self.logs: list[Path] = []

    def after(self, code: str) -> Server:
        """The same server, but its process runs this first: a test may shorten what takes hours."""
        self._first = f"{code}\n{self._first}"
        self.program = self._first + _PROGRAM
        return self

    @property
    def store_url(self) -> str:
        """Where its tables are; empty where they are in its data folder."""
        return self._environment.get("FACEDOWN_STORE", "")

    def start(self) -> Server:
        """Returns when it serves."""
        port = self.base.rpartition(":")[2] or "0"
        log = self.logs_folder / f"server-{len(self.logs)}.log"
        self.logs.append(log)
        arguments = ["serve", "--port", port, "--data", str(self.data)]
        with log.open("wb") as errors:
            self._process = self._started(arguments, errors.fileno())
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = _READY.search(line)
            if found:
                self.base = found[1].decode().rstrip("/")
                return self
        raise AssertionError(f"the server did not start:\n{log.read_text()[-3000:]}")

    def _started(self, arguments: list[str], errors: int) -> subprocess.Popen[bytes] | ForkedProcess:
        """Its process: forked in tests; in benchmarks as users start it."""
        if "PYTEST_VERSION" in os.environ:
            return forked.start(arguments, self._environment, self._first, errors)
        command = [sys.executable, "-c", self.program, *arguments]
        return subprocess.Popen(command, env=self._environment, stdout=subprocess.PIPE, stderr=errors)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    @property
    def analyses(self) -> list[int]:
        """Its worker processes: of verdicts and reviews at this moment, and warm ones of studies."""
        found = []
        for each in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = int((each / "stat").read_text().rpartition(")")[2].split()[1])
                command = (each / "cmdline").read_bytes() if parent == self.pid else b""
                if b"facedown.server.analysis" in command:
                    found.append(int(each.name))
        return found

    def kill(self) -> None:
        """kill -9."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def stop(self) -> int:
        """SIGTERM; the exit status."""
        self.send(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        assert self._process is not None
        if self._process.stdout is not None:
            self._process.stdout.close()
        return self._process.wait(timeout=PATIENCE)

    def close(self) -> None:
        """However it stands, it is gone after this."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self.kill()

    def log(self) -> str:
        """Everything that it wrote."""
        return "\n".join(path.read_text() for path in self.logs)


_WIDE = {
    "FACEDOWN_SOCKETS": "5000",
    "FACEDOWN_CONNECTIONS": "5000",
    "FACEDOWN_COMMANDS": "1000000",
    "FACEDOWN_FRAMES": "1000000",
    "FACEDOWN_TABLES": "100000",
    "FACEDOWN_PEOPLE": "100000",
    "FACEDOWN_REQUESTS": "100000000",
    "FACEDOWN_JOINS": "100000",
    "FACEDOWN_ACCOUNTS": "100000",
    "FACEDOWN_STUDY_SECONDS": f"{PATIENCE:.0f}",
}
"""All come from one address here, and a busy machine computes slowly."""


def serve_in_vain(*arguments: str) -> Ran:
    """`facedown serve` where it cannot: it ends on its own."""
    with tempfile.TemporaryFile() as errors:
        process = forked.start(["serve", *arguments], dict(os.environ), "", errors.fileno())
        with process.stdout as said:
            out = said.read().decode()
        status = process.wait()
        errors.seek(0)
        return Ran(status, out, errors.read().decode())


def _database(data: Path) -> dict[str, str]:
    """With FACEDOWN_TESTS_ON=postgresql every server of the tests has a database."""
    return on_database(data) if ON_POSTGRESQL else {}


def on_database(data: Path) -> dict[str, str]:
    """The settings of a server on a database of its own."""
    from tests import postgresql

    name = f"server_{hashlib.sha256(str(data).encode()).hexdigest()[:16]}"
    cluster = postgresql.of_this_run()
    if not cluster.sql(f"select 1 from pg_database where datname = '{name}'"):
        cluster.sql(f"create database {name}")
    return {"FACEDOWN_STORE": cluster.url(name)}


def until(condition: object, seconds: float = PATIENCE) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.02)
