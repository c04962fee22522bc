"""The two buses over real transports: a server follows the slices of its topics, and no others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from facedown.server.bus import open_bus
from facedown.server.bus.hints import HintBus
from facedown.server.bus.nats_bus import NatsBus
from facedown.server.bus.store_bus import StoreBus
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio


async def started(url: str, store_url: str) -> HintBus:
    bus = open_bus(url, store_url)
    assert isinstance(bus, HintBus)
    connected = asyncio.Event()
    await bus.start(b"the secret of this store", connected.set)
    await asyncio.wait_for(connected.wait(), PATIENCE)
    return bus


async def followed(bus: HintBus) -> frozenset[str]:
    """What the other side of the transport sends to this server."""
    if isinstance(bus, StoreBus):
        return frozenset(await bus._connection.fetchval("select array_agg(c) from pg_listening_channels() c"))
    assert isinstance(bus, NatsBus)
    return frozenset(each.subject for each in bus._client._subs.values())


@pytest.mark.parametrize("kind", ["store", "nats"])
async def test_channels_are_followed_and_left(
    kind: str, store_url: str, request: pytest.FixtureRequest
) -> None:
    url = "store:" if kind == "store" else request.getfixturevalue("nats").url
    one, other = await started(url, store_url), await started(url, store_url)
    heard: list[tuple[str, int]] = []

    def note(topic: str) -> Callable[[int, str], None]:
        return lambda v, _: heard.append((topic, v))

    async def publish_until_heard(topic: str, v: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while (topic, v) not in heard:
                one.publish(topic, v)
                await asyncio.sleep(0.05)

    on_t, on_u = note("table/T"), note("table/U")
    try:
        other.subscribe("table/T", on_t)
        await publish_until_heard("table/T", 1)
        other.subscribe("table/U", on_u)
        other.unsubscribe("table/T", on_t)
        await publish_until_heard("table/U", 1)
        await other.follow()
        assert await followed(other) == other.channels
        assert len(other.channels) == 1
        one.publish("table/T", 2)
        await publish_until_heard("table/U", 2)
        assert ("table/T", 2) not in heard
        assert other.stats.lost == 0
    finally:
        await one.close()
        await other.close()
