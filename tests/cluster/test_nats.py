"""The bus over NATS: hints arrive, and it comes back after its server was gone."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from facedown.server.bus import open_bus
from tests.needs import without
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio


class NatsServer:
    """A NATS server of the test's own."""

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


@pytest.fixture
def nats() -> Iterator[NatsServer]:
    pytest.importorskip("nats")
    beside = Path(sys.executable).parent / "nats-server"
    program = str(beside) if os.access(beside, os.X_OK) else shutil.which("nats-server")
    if program is None:
        without("there is no nats-server: the bus over NATS is not tested")
    server = NatsServer(program)
    server.start()
    yield server
    server.kill()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def test_hints_go_over_nats_and_it_may_be_gone_for_a_while(nats: NatsServer) -> None:
    one, other = open_bus(nats.url), open_bus(nats.url)
    heard: list[int] = []
    connected: list[None] = []
    other.subscribe("table/T", lambda v, _: heard.append(v))
    await one.start(b"secret", lambda: None)
    await other.start(b"secret", lambda: connected.append(None))
    try:
        await until(lambda: one.connected and len(connected) == 1)
        one.publish("table/T", 7)
        one.publish("table/U", 8)
        await until(lambda: heard == [7])
        nats.kill()
        await until(lambda: not one.connected and not other.connected)
        one.publish("table/T", 9)  # lost: the sweep has to find it
        await until(lambda: one.stats.lost == 1)
        nats.start()
        await until(lambda: one.connected and len(connected) == 2)  # then everything is swept at once
        one.publish("table/T", 10)
        await until(lambda: heard == [7, 10])
    finally:
        await one.close()
        await other.close()
