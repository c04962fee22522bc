"""The name of an open door in the home network: two computers never publish the same one."""

from __future__ import annotations

import asyncio

import pytest

from facedown.server.ops.door import HomeDoor, network_host
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio


async def listen(host: str, port: int) -> asyncio.AbstractServer:
    return await asyncio.start_server(lambda _reader, writer: writer.close(), host, port)


async def test_the_second_door_of_a_network_gets_another_name() -> None:
    doors = [HomeDoor("127.0.0.1", offered=True) for _ in range(2)]
    opened = []
    for door in doors:
        door.start(0, listen)
        opened.append(await door.open())
    async with asyncio.timeout(PATIENCE):
        while doors[0].name_address == doors[1].name_address != "":  # a busy machine answers too late
            await doors[1].close()
            await doors[1].open()
    names = [door.name_address for door in doors]
    hosts = [door.hosts for door in doors]
    for door in doors:
        await door.close()

    assert opened == [bool(network_host())] * 2
    assert names[0] != names[1] or names == ["", ""]  # not every network carries multicast DNS
    assert all(network_host() in each for each in hosts) or not network_host()
    assert [door.hosts for door in doors] == [frozenset(), frozenset()]


async def test_a_door_that_cannot_listen_stays_closed() -> None:
    async def taken(host: str, port: int) -> asyncio.AbstractServer:
        raise OSError("address in use")

    door = HomeDoor("127.0.0.1", offered=True)
    door.start(0, taken)

    assert not await door.open()
    assert door.address == ""
