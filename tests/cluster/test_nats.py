"""The bus over NATS: hints arrive, and it comes back after its server was gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from facedown.server.bus import open_bus
from tests.cluster.nats_server import NatsServer
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio


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


async def test_one_that_is_gone_is_passed_over(nats: NatsServer) -> None:
    gone = NatsServer("never started")
    bus = open_bus(f"{gone.url},{nats.url}")
    await bus.start(b"secret", lambda: None)
    try:
        await until(lambda: bus.connected)
    finally:
        await bus.close()
