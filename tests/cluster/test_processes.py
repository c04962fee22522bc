"""Several server processes on one port: supervised, replaced one by one, only where they share a store."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from facedown.server.ops.hand_over import process_of
from tests.cluster.history import anomalies, rows_of
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players
from tests.patience import PATIENCE
from tests.server.away import AwayDatabase, count_waits, starting, until_it_waits
from tests.server.away import away as away
from tests.server.running import SEVERAL, Server, until
from tests.server.sockets.raw import HANDSHAKE, Raw

pytestmark = pytest.mark.anyio
in_proc = pytest.mark.skipif(sys.platform != "linux", reason="the processes are counted in /proc")
SOON_REPLACED = """
import signal, time
from facedown.server import supervisor
supervisor._SILENT_S = 4.0
signal.signal(signal.SIGUSR1, lambda *_: time.sleep(3600))
"""
"""A process that stands still is replaced soon; SIGUSR1 blocks its event loop."""


def children(server: Server) -> list[int]:
    """The processes that the supervisor has started and that live."""
    listed = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return [int(each) for each in listed]


async def until_children(server: Server, condition: object) -> list[int]:
    async with asyncio.timeout(PATIENCE):
        while not condition(found := children(server)):  # type: ignore[operator]
            await asyncio.sleep(0.05)
    return found


async def metric_of_all(server: Server, name: str, *labels: str) -> dict[int, float]:
    """What both processes counted, once the one that is asked gets it from the other in time."""
    counted = re.compile(rf'^{name}\{{{",".join((*labels, "process"))}="([12])"\}} (\S+)$', re.MULTILINE)
    async with asyncio.timeout(PATIENCE):
        while True:
            answer = await asyncio.to_thread(urllib.request.urlopen, f"{server.base}/metrics")
            page = answer.read().decode()
            if all(f'facedown_sockets{{process="{number}"}}' in page for number in (1, 2)):
                return {int(number): float(value) for number, value in counted.findall(page)}


async def picks_of_all(server: Server) -> float:
    """The picks that both processes counted."""
    found = await metric_of_all(server, "facedown_commands_total", 'code="ok"', 'do="pick"')
    return sum(found.values())


@in_proc
async def test_processes_are_kept_replaced_and_ended(tmp_path: Path, store_url: str) -> None:
    nodes = ServerNodes(tmp_path, store_url, 1, FACEDOWN_PROCESSES="2")
    server = nodes.all[0].after(SOON_REPLACED)
    nodes.start()
    try:
        first = await until_children(server, lambda found: len(found) == 2)
        players = Players(nodes, 2, seed="processes")
        await players.come()
        acked = len(players.ledger.acked)
        assert await picks_of_all(server) >= acked
        os.kill(first[0], signal.SIGKILL)
        await until_children(server, lambda found: len(found) == 2 and first[0] not in found)
        await players.everybody_goes_on()
        for number in (signal.SIGSTOP, signal.SIGUSR1):
            await picks_of_all(server)  # both serve
            still = children(server)[0]
            os.kill(still, number)
            await until_children(server, lambda found, pid=still: len(found) == 2 and pid not in found)
            assert f"server process {still} has given no sign of life" in server.log()
            await players.everybody_goes_on()
        old = children(server)
        server.send(signal.SIGHUP)
        second = await until_children(server, lambda found: len(found) == 2 and not set(found) & set(old))
        await players.everybody_goes_on()
        await players.go()
        assert anomalies(await rows_of(store_url, players.tables), players.logs) == []
        assert await asyncio.to_thread(nodes.term, server) == 0
        assert not [pid for pid in second if Path(f"/proc/{pid}").exists()]
        assert not (server.data / "server.json").exists()
    finally:
        nodes.close()


async def test_the_sockets_of_a_table_meet_in_one_process(tmp_path: Path, store_url: str) -> None:
    nodes = ServerNodes(tmp_path, store_url, 1, FACEDOWN_PROCESSES="2")
    server = nodes.start().all[0]
    tables = ("A1", "B2", "C3", "D4")
    try:
        for _ in range(5):
            for table in tables:
                raw = await Raw.connect(int(server.base.rpartition(":")[2]))
                raw.send(HANDSHAKE.replace(b"/ws/v1", f"/ws/v1/{table}".encode()))
                assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
                await raw.close()
        found = await metric_of_all(server, "facedown_sockets_opened_total")
        owners = [process_of(f"/ws/v1/{table}".encode(), 2) for table in tables]
        assert found == {number: 5.0 * owners.count(number) for number in (1, 2)}
        assert sum((await metric_of_all(server, "facedown_not_handed_over_total")).values()) == 0
    finally:
        nodes.close()


def two_waiting_processes(folder: Path, away: AwayDatabase) -> Server:
    return Server(folder / "data", FACEDOWN_STORE=away.url, **{SEVERAL: "2"})


@in_proc
def test_processes_wait_for_a_database_that_is_away(tmp_path: Path, away: AwayDatabase) -> None:
    with starting(two_waiting_processes(tmp_path, away)) as (server, ready):
        until_it_waits(server, ready, 2)
        waited = children(server)
        away.bring_back()
        ready.result(PATIENCE)
        assert children(server) == waited
        assert "ended with status" not in server.log()

        away.go_away()
        server.send(signal.SIGHUP)
        until(lambda: count_waits(server) == 3)
        replaced = children(server)
        assert len(replaced) == 3
        assert server.stop() == 0
        assert not [pid for pid in replaced if Path(f"/proc/{pid}").exists()]


@in_proc
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)])
def test_processes_that_wait_end_with_their_supervisor(
    tmp_path: Path, away: AwayDatabase, number: signal.Signals, status: int
) -> None:
    with starting(two_waiting_processes(tmp_path, away)) as (server, ready):
        until_it_waits(server, ready, 2)
        waited = children(server)
        server.send(number)
        assert "did not start" in str(ready.exception(PATIENCE))
        assert server.wait() == status
        until(lambda: not [pid for pid in waited if Path(f"/proc/{pid}").exists()])


def test_sqlite_is_for_one_process_and_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "facedown", "serve", "--processes", "2", "--data", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode != 0
    assert "SQLite is the store of one process" in ran.stderr
