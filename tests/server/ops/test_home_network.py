"""The listener in the home network."""

from __future__ import annotations

import asyncio

import pytest

from facedown.server.ops.home_network import HomeListener, network_host

pytestmark = pytest.mark.anyio


async def listen(host: str, port: int) -> asyncio.AbstractServer:
    return await asyncio.start_server(lambda _reader, writer: writer.close(), host, port)


async def test_an_open_door_has_an_address_until_it_is_closed() -> None:
    listener = HomeListener("127.0.0.1", offered=True)
    listener.start(0, listen)
    opened = await listener.open()
    address = listener.address
    await listener.close()

    assert opened == bool(network_host())
    assert address == (f"http://{network_host()}:0" if opened else "")
    assert listener.address == ""


async def test_a_door_that_cannot_listen_stays_closed() -> None:
    async def taken(host: str, port: int) -> asyncio.AbstractServer:
        raise OSError("address in use")

    listener = HomeListener("127.0.0.1", offered=True)
    listener.start(0, taken)

    assert not await listener.open()
    assert listener.address == ""
