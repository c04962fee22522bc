"""A bus that is gone, loses hints, or brings them late: the sweep tells what hints did not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from bench.nemeses.stage import Stage
from tests.cluster.faults import DEAF, LATE, lossy
from tests.cluster.nats_server import NatsServer, nats_program
from tests.cluster.players import Players

_DELIVERY_S = 2.5
_KILL_LISTENERS = """select count(pg_terminate_backend(pid)) from pg_stat_activity
    where application_name = 'facedown bus' and datname = current_database()"""


async def deaf(stage: Stage) -> None:
    """No hint arrives: the sweep finds every change."""
    await _faulty(stage, DEAF, "deaf")


async def lost_hints(stage: Stage) -> None:
    """30 % of hints are lost, others late and out of order."""
    await _faulty(stage, lossy(late=5), "lossy")


async def late_hints(stage: Stage) -> None:
    """All hints are five seconds late, and out of order."""
    await _faulty(stage, LATE, "late")


async def listeners(stage: Stage) -> None:
    """The connections that listen are killed by pg_terminate_backend again and again."""

    async def cut() -> None:
        killed, end = 0, time.monotonic() + stage.sizes.seconds
        while time.monotonic() < end:
            killed += await stage.select(_KILL_LISTENERS)
            await asyncio.sleep(0.1)
        print(f"         {killed} connections were killed in {stage.sizes.seconds:.0f} s")

    await _played_through(stage, "store:", cut, "listeners")


async def nats(stage: Stage) -> None:
    """The NATS server is stopped, and comes back."""
    program = nats_program()
    if program is None:
        print("  there is no nats-server here: not run")
        return
    server = NatsServer(program)
    server.start()

    async def away() -> None:
        server.kill()
        await asyncio.sleep(stage.sizes.seconds)
        server.start()

    try:
        await _played_through(stage, server.url, away, "nats")
    finally:
        server.kill()


async def _faulty(stage: Stage, fault: str, seed: str) -> None:
    nodes = stage.nodes(before=dict.fromkeys(range(3), fault))
    try:
        players = Players(nodes, stage.tables, seed=seed, think=0.1)
        await players.come()
        await asyncio.sleep(stage.sizes.seconds)
        await stage.check(players)
        stage.report_delivery(players, _DELIVERY_S)
    finally:
        nodes.close()


async def _played_through(stage: Stage, bus: str, fault: Callable[[], Awaitable[None]], seed: str) -> None:
    nodes = stage.nodes(bus=bus)
    try:
        players = Players(nodes, stage.tables, seed=seed, think=0.1)
        await players.come()
        await players.everybody_goes_on()
        await fault()
        await players.everybody_goes_on()
        await stage.check(players)
        stage.report_delivery(players, _DELIVERY_S)
        refused = players.refusals
        stage.report.bar("refusals", str(sorted(refused) or "none"), not refused, "none")
    finally:
        nodes.close()
