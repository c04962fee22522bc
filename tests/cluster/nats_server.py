"""A NATS server of the tests' own, which may be stopped and started again on its port."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path


def nats_program() -> str | None:
    """The NATS server's program, beside Python or on the path; None where there is none."""
    beside = Path(sys.executable).parent / "nats-server"
    return str(beside) if os.access(beside, os.X_OK) else shutil.which("nats-server")


class NatsServer:
    """A NATS server on a free port of the loopback."""

    def __init__(self, program: str) -> None:
        self._program = program
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [self._program, "-a", "127.0.0.1", "-p", str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
