"""An acknowledged pick cannot be lost: not by kill -9, a full disk, or a server that stands still."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.needs import without
from tests.patience import PATIENCE
from tests.server.crash.crowd import Crowd, check_store, hold_against
from tests.server.programs import Ledger, SocketPlayer, call, set_table
from tests.server.running import ON_POSTGRESQL, Server, for_sqlite, until

pytestmark = pytest.mark.anyio
KILLS = 5 if ON_POSTGRESQL and not os.environ.get("THOROUGH") else 20
PICKS = 15
"""At least, between two kills."""
BEAT_MS = 2500
"""What the last heartbeat before an outage may be old: it counts as a part of it."""
THINKING = 10
"""Seconds for a decision: a server that stands still for longer would flag, and a busy machine does not."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data").start()
    yield running
    running.close()


async def test_kill_9_under_load_loses_nothing(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    crowd = Crowd(server)
    await crowd.come()
    resumed: list[float] = []
    for number in range(KILLS):
        await crowd.play_on(PICKS)
        await asyncio.sleep(random.Random(number).random() * 0.2)
        server.kill()
        await asyncio.to_thread(check_store, server)
        crowd.ledger.resumed.clear()
        await asyncio.to_thread(server.start)
        crowd.ledger.lost_at = time.perf_counter()  # from here on the seats can come back
        await crowd.everybody_goes_on()
        crowd.ledger.lost_at = 0.0
        resumed.extend(crowd.ledger.resumed)
    await crowd.go()
    picks = await asyncio.to_thread(hold_against, server, crowd.ledger)
    resumed.sort()
    slowest = resumed[int(len(resumed) * 0.99)]
    with capsys.disabled():
        print(f"\n{KILLS} kills: {picks} acknowledged picks kept, {len(crowd.tables)} tables;", end=" ")
        print(f"seats back after {resumed[len(resumed) // 2]:.2f} s (median), {slowest:.2f} s (p99)")
    assert picks > KILLS * PICKS


async def test_sigterm_says_when_to_come_back_and_loses_nothing(server: Server) -> None:
    crowd = Crowd(server)
    await crowd.come()
    for _ in range(2):
        await crowd.play_on(PICKS)
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(check_store, server)
        await asyncio.to_thread(server.start)
        await crowd.everybody_goes_on()
    await crowd.go()
    assert await asyncio.to_thread(hold_against, server, crowd.ledger)


async def test_a_server_that_stood_still_gives_the_time_back(server: Server) -> None:
    began = time.monotonic()
    clock = {"kind": "decision", "seconds": THINKING, "bank": 0}
    chairs = await set_table(server.base, "ecard", 2, clock=clock)
    ledger = Ledger()
    players = [SocketPlayer(chair, ledger, random.Random(chair.seat)) for chair in chairs]
    slow = [asyncio.create_task(player.play()) for player in players]
    while len(ledger.acked) < 4:
        await asyncio.sleep(0.02)
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    before = time.monotonic()
    server.send(signal.SIGSTOP)
    stopped = time.monotonic()
    await asyncio.sleep(THINKING + 1)
    stood = time.monotonic() - stopped
    server.send(signal.SIGCONT)
    table = chairs[0].table
    events: list[dict[str, Any]] = []
    away: list[int] = []
    while max(away, default=0) < stood * 1000 - 100:
        assert time.monotonic() - before < PATIENCE, f"not given back: {away}"
        events = (await call(server.base, "GET", f"/tables/{table}/events?after=0"))["events"]
        away = [event["ms"] for event in events if event["k"] == "outage"]
    assert sum(away) < (time.monotonic() - began) * 1000 + BEAT_MS, "more than there was"
    flagged = [event for event in events if event.get("placer") == "clock"]
    assert flagged == []
    await asyncio.to_thread(until, lambda: "outage credited to clocks" in server.log())  # after the facts
    again = [SocketPlayer(chair, ledger, random.Random(chair.seat)) for chair in chairs]
    await asyncio.wait_for(asyncio.gather(*(player.play() for player in again)), PATIENCE)
    assert hold_against(server, ledger)


@for_sqlite
async def test_a_full_disk_acknowledges_nothing_and_heals(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(small)], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        without(f"no small disk can be mounted, which needs root: {mounted.stderr.strip()}")
    server = Server(small / "data")
    server.logs_folder = tmp_path
    try:
        await asyncio.to_thread(server.start)
        crowd = Crowd(server, 5)
        await crowd.come()
        filler = small / "filler"
        with filler.open("wb", buffering=0) as file:  # what a buffer still held would fail when it is closed
            for _ in range(10_000):
                try:
                    file.write(b"\0" * 65_536)
                except OSError:
                    break
        await crowd.is_refused(100)
        acked = len(crowd.ledger.acked)
        await crowd.is_refused(100)
        assert len(crowd.ledger.acked) == acked, "something was acknowledged on a full disk"
        filler.unlink()
        await crowd.everybody_goes_on()
        await crowd.go()
        assert hold_against(server, crowd.ledger)
        server.kill()
        await asyncio.to_thread(check_store, server)
        await asyncio.to_thread(server.start)
        assert hold_against(server, crowd.ledger)
    finally:
        server.close()
        subprocess.run(["umount", "-l", str(small)], check=False)


async def test_the_log_holds_no_secret(server: Server) -> None:
    crowd = Crowd(server, 3)
    await crowd.come()
    await crowd.play_on(PICKS)
    await crowd.go()
    tokens = {player.chair.token for player in crowd.all} | {player.chair.bearer for player in crowd.all}
    log = server.log()
    assert not [token for token in tokens if token in log]
    for line in log.splitlines():
        json.loads(line)
