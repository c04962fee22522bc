"""What a client of a socket says and hears, message by message."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.patience import PATIENCE


async def say(client: ClientConnection, **message: Any) -> None:
    await client.send(json.dumps(message))


async def hear(client: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds; others, such as pings without end, are passed over."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message: dict[str, Any] = json.loads(await client.recv())
            if message["t"] in kinds:
                return message


async def hear_up_to(client: ClientConnection, *kinds: str) -> list[dict[str, Any]]:
    """All messages up to the next of one of these kinds."""
    heard: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE):
        while not heard or heard[-1]["t"] not in kinds:
            heard.append(json.loads(await client.recv()))
    return heard


async def answered(client: ClientConnection) -> None:
    """Return when the server has read everything that was sent before."""
    await asyncio.wait_for(await client.ping(), PATIENCE)


async def ended(client: ClientConnection) -> tuple[str, int]:
    """The codes of the goodbye and of the closing."""
    bye = await hear(client, "bye")
    closed = await _closing(client)
    assert closed.rcvd is not None
    return bye["code"], closed.rcvd.code


async def _closing(client: ClientConnection) -> ConnectionClosed:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await client.recv()
            except ConnectionClosed as closed:
                return closed
