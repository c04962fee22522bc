"""A real server that is asked to stop: it says goodbye, loses nothing, and ends with success."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from facedown.server.ops.home_network import HomeListener, network_host
from facedown.server.run import address_of, listen
from facedown.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.programs import Chair, call, open_body, set_table
from tests.server.running import Server
from tests.server.sockets.messages import hear_up_to
from tests.server.sockets.raw import Raw

pytestmark = pytest.mark.anyio


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data").start()
    yield running
    running.close()


def test_a_start_imports_nothing_that_a_server_does_not_need_yet() -> None:
    code = "import sys, facedown.commands.serve, facedown.server.run; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not set(ran.stdout.split()) & {"cryptography", "numpy", "rich", "segno", "textual"}


def port_of(server: Server) -> int:
    return int(server.base.rpartition(":")[2])


def socket_of(chair: Chair) -> connect:
    url = chair.base.replace("http", "ws", 1) + "/ws/v1"
    return connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, proxy=None)


async def greeted(client: ClientConnection, chair: Chair, v: int | None = None) -> list[dict[str, Any]]:
    hello = {"t": "hello", "table": chair.table, "token": chair.token, "v": v}
    await client.send(json.dumps(hello))
    return await hear_up_to(client, "snap")


async def waiting(server: Server, metric: str) -> None:
    """Return when the metrics hold this line, of whichever process."""
    name, _, value = metric.partition(" ")
    line = re.compile(rf"^{name}({{.*}})? {re.escape(value)}$", re.MULTILINE)
    async with asyncio.timeout(PATIENCE):
        while not line.search(await asyncio.to_thread(_metrics, server)):
            await asyncio.sleep(0.02)


def _metrics(server: Server) -> str:
    with urllib.request.urlopen(f"{server.base}/metrics", timeout=PATIENCE) as answer:
        return str(answer.read().decode())


async def refused(port: int) -> None:
    """Return when the server no longer listens: it is shutting down."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                another = await Raw.connect(port)
            except ConnectionRefusedError:
                return
            await another.close()
            await asyncio.sleep(0.02)


async def ended(client: ClientConnection) -> tuple[str, int, int]:
    """The goodbye's code, when to come back, and the code of the closing."""
    bye: dict[str, Any] = {}
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = json.loads(await client.recv())
                bye = message if message["t"] == "bye" else bye
    except ConnectionClosed as closed:
        return bye["code"], bye["again"], closed.rcvd.code if closed.rcvd is not None else 0


async def test_the_first_signal_ends_it_gently_and_nothing_is_lost(server: Server) -> None:
    one, two = await set_table(server.base, "ecard", 2)
    idle = await Raw.connect(port_of(server))
    async with socket_of(one) as first, socket_of(two) as second:
        v = (await greeted(first, one))[-1]["v"]
        await greeted(second, two)
        poll = asyncio.create_task(
            call(server.base, "GET", f"/tables/{one.table}/events?after=999&wait=25", None, one.bearer)
        )
        await waiting(server, "facedown_streams 1.0")
        await first.send(json.dumps({"t": "cmd", **open_body(one)}))
        ack: dict[str, Any] = {}
        while ack.get("t") != "ack":
            ack = json.loads(await asyncio.wait_for(first.recv(), PATIENCE))
        server.send(signal.SIGTERM)
        for client in (first, second):
            code, again, closed = await ended(client)
            assert (code, closed) == ("draining", 1012)
            assert 200 <= again < 2000  # not all come back at once
        assert (await poll)["events"] == []  # it did not wait for its 25 seconds
        assert await asyncio.to_thread(server.wait) == 0
    await idle.rest()
    await idle.close()
    assert '"level": "error"' not in server.log()
    assert "Traceback" not in server.log()
    assert not [path for path in server.data.rglob("*-wal") if path.stat().st_size]  # the store was closed

    server.start()
    async with socket_of(one) as client:
        opened = [each for each in await greeted(client, one, v) if each.get("k") == "opened"]
        assert [each["v"] for each in opened] == [ack["v"]]


async def test_the_second_ctrl_c_ends_it_at_once(server: Server) -> None:
    raw = await Raw.connect(port_of(server))
    raw.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    head = (await raw.reader.readuntil(b"\r\n\r\n")).lower()
    assert head.startswith(b"http/1.1 200 ")
    assert b"\r\nserver:" not in head
    assert b"\r\ndate:" in head
    await raw.reader.readexactly(int(re.findall(rb"content-length: (\d+)", head)[0]))
    raw.send(
        b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n{"
    )
    assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")  # it waits for the rest
    server.send(signal.SIGINT)
    await refused(port_of(server))
    server.send(signal.SIGINT)
    assert await asyncio.to_thread(server.wait) == 128 + signal.SIGINT
    await raw.close()


def test_a_server_for_everybody_names_addresses_that_can_be_opened() -> None:
    with listen("0.0.0.0", 0) as listening:
        port = listening.getsockname()[1]
        assert address_of(Settings.read({"host": "0.0.0.0"}, {}), listening) == f"http://127.0.0.1:{port}"
        home = HomeListener("0.0.0.0", offered=True)
        home.start(port, _never)
        assert not home.offered  # it is always open
        assert home.address == (f"http://{network_host()}:{port}" if network_host() else "")
    alone = HomeListener("127.0.0.1")
    alone.start(port, _never)
    assert alone.address == ""


async def _never(host: str, port: int) -> asyncio.AbstractServer:
    raise AssertionError("the home network was never opened")
