"""The name of an open listener in the home network: two computers never publish the same one."""

from __future__ import annotations

import asyncio

import pytest

from facedown.server.ops.home_network import HomeListener, network_host
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio


async def listen(host: str, port: int) -> asyncio.AbstractServer:
    return await asyncio.start_server(lambda _reader, writer: writer.close(), host, port)


async def test_the_second_door_of_a_network_gets_another_name() -> None:
    listeners = [HomeListener("127.0.0.1", offered=True) for _ in range(2)]
    opened = []
    for listener in listeners:
        listener.start(0, listen)
        opened.append(await listener.open())
    async with asyncio.timeout(PATIENCE):
        while listeners[0].name_address == listeners[1].name_address != "":  # a busy machine answers too late
            await listeners[1].close()
            await listeners[1].open()
    names = [listener.name_address for listener in listeners]
    hosts = [listener.hosts for listener in listeners]
    for listener in listeners:
        await listener.close()

    assert opened == [bool(network_host())] * 2
    assert names[0] != names[1] or names == ["", ""]  # not every network carries multicast DNS
    assert all(network_host() in each for each in hosts) or not network_host()
    assert [listener.hosts for listener in listeners] == [frozenset(), frozenset()]


async def test_a_door_that_cannot_listen_stays_closed() -> None:
    async def taken(host: str, port: int) -> asyncio.AbstractServer:
        raise OSError("address in use")

    listener = HomeListener("127.0.0.1", offered=True)
    listener.start(0, taken)

    assert not await listener.open()
    assert listener.address == ""
