"""Servers that die or hang behind HAProxy, as `deploy/haproxy.cfg` sets it up, and clients of programs."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from bench.nemeses.stage import Stage, percentile
from facedown.client import BlockingTable, RestClient, SeatKey
from tests.cluster.nodes import ServerNodes
from tests.patience import PATIENCE
from tests.server.programs import Chair, set_table

_CONFIGURATION = Path(__file__).parent.parent.parent / "deploy" / "haproxy.cfg"
_BACK_S = 3.0
_NOTICED_S = 5.0
"""A server that stands still keeps its connections: the proxy has to notice first."""
_FAULTS = 4
"""Servers that are killed, and then that hang, one after the other."""


async def proxy(stage: Stage) -> None:
    """Our client behind HAProxy: a server is killed, another one hangs; seats are answered by the others."""
    program = shutil.which("haproxy")
    if program is None:
        print("  there is no haproxy here: not run")
        return
    nodes = stage.nodes(FACEDOWN_PROXIES="127.0.0.1", FACEDOWN_CHAT="100000")
    running = _Proxy(program, stage.new_folder("haproxy"), nodes)
    seats: list[BlockingTable] = []
    try:
        await running.is_ready()
        for _ in range(stage.tables):
            chairs = await set_table(running.base, "ecard", 2)
            seats += [await asyncio.to_thread(_connect, chair, running.base) for chair in chairs]
        killed, hung = [], []
        for number in range(_FAULTS):
            victim = nodes.all[number % len(nodes.all)]
            nodes.kill(victim)
            killed += await _answers(seats)
            await asyncio.to_thread(nodes.rise, victim)
            await running.is_ready()
        for number in range(_FAULTS):
            victim = nodes.all[number % len(nodes.all)]
            nodes.freeze(victim)
            hung += await _answers(seats)
            nodes.thaw(victim)
            await running.is_ready()
        for what, took, most in (("was killed", killed, _BACK_S), ("stood still", hung, _NOTICED_S)):
            took.sort()
            stage.report.at_most(
                f"answers after a server {what}, p99", percentile(took, 0.99), most, len(took)
            )
            print(f"         p50 {percentile(took, 0.5):.3f} s; load {os.getloadavg()[0]:.1f}")
    finally:
        await asyncio.gather(*(asyncio.to_thread(seat.close) for seat in seats))
        running.close()
        nodes.close()


async def _answers(seats: list[BlockingTable]) -> list[float]:
    """All seats say something: how long those waited who lost their connection."""
    lost: set[BlockingTable] = set()

    def ask(seat: BlockingTable) -> float:
        seat.listen(lambda: None if seat.table.connected else lost.add(seat))
        began = time.monotonic()
        seat.say("still there?")
        return time.monotonic() - began

    waits = await asyncio.gather(*(asyncio.to_thread(ask, seat) for seat in seats))
    return [wait for seat, wait in zip(seats, waits, strict=True) if seat in lost]


def _connect(chair: Chair, base: str) -> BlockingTable:
    key = SeatKey(base, chair.table, chair.seat, chair.token, chair.entropy.hex())
    seat = BlockingTable(RestClient(base), chair.table, key)
    seat.open(PATIENCE)
    return seat


class _Proxy:
    """HAProxy with the configuration that operators get, on a free port of the loopback."""

    def __init__(self, program: str, folder: Path, nodes: ServerNodes) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self._port}"
        folder.mkdir()
        file = folder / "haproxy.cfg"
        file.write_text(self._configuration(nodes))
        self._process = subprocess.Popen([program, "-q", "-db", "-f", file], stdout=subprocess.DEVNULL)

    def _configuration(self, nodes: ServerNodes) -> str:
        """The shipped one, with these addresses, and a page that says which servers are up."""
        text = _CONFIGURATION.read_text().replace("bind :8080", f"bind 127.0.0.1:{self._port}")
        for number, node in enumerate(nodes.all, 1):
            port = node.base.rpartition(":")[2]
            text = re.sub(rf"server node{number} \S+", f"server node{number} 127.0.0.1:{port}", text)
        watched = "monitor-uri /proxy\n    monitor fail if { nbsrv(facedown) lt 3 }\n    bind"
        return text.replace("bind", watched, 1)

    async def is_ready(self) -> None:
        """Return once all servers are up in its eyes."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    with await asyncio.to_thread(
                        urllib.request.urlopen, f"{self.base}/proxy", timeout=PATIENCE
                    ):
                        return
                except OSError:
                    await asyncio.sleep(0.1)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
