"""Sockets that break the protocol, flood or do not read: closed with the right code, while others play on."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.frames import Opcode

from facedown.server.ops.rate_limits import Caps, Rate
from facedown.server.sockets.contract import SocketLimits
from tests.patience import PATIENCE
from tests.server.sockets.raw import Raw, text
from tests.server.sockets.room import CALM, TABLE, USUAL, Room, joined, room, until

pytestmark = pytest.mark.anyio
HELLO = json.dumps({"t": "hello", "table": TABLE, "token": "ann's"}).encode()


@asynccontextmanager
async def misbehaving(
    caplog: pytest.LogCaptureFixture, pace: SocketLimits = CALM, caps: Caps = USUAL
) -> AsyncIterator[tuple[Room, Raw]]:
    """Seat 1 by raw bytes. In the end seat 2 must still be able to play, and the log must be empty."""
    async with room(pace=pace, caps=caps) as here, here.call() as other:
        await joined(other, "bob's")
        acked = asyncio.Event()
        reading = asyncio.create_task(_play_well(other, acked))
        raw = await Raw.socket(here.port)
        try:
            raw.send(text(HELLO))
            assert (await raw.message())["t"] == "welcome"
            assert [(await raw.message())["t"] for _ in range(2)] == ["links", "snap"]
            yield here, raw
            await other.send('{"t":"cmd","id":"on","do":"say","text":"on"}')
            await asyncio.wait_for(acked.wait(), PATIENCE)
        finally:
            reading.cancel()
            await raw.close()
    assert caplog.text == ""


async def _play_well(client: ClientConnection, acked: asyncio.Event) -> None:
    """Reads all there is, and answers pings."""
    async for message in client:
        kind = json.loads(message)["t"]
        if kind == "ping":
            await client.send('{"t":"pong"}')
        elif kind == "ack":
            acked.set()


BROKEN = {
    "longer than allowed": (text(b"x" * 4097), 1009),
    "longer than allowed, and only begun": (struct.pack("!BBQI", 0x81, 0xFF, 1 << 40, 0), 1009),
    "longer than a length may be": (struct.pack("!BBQI", 0x81, 0xFF, 1 << 63, 0), 1009),
    "too long in fragments": (
        text(b"x" * 3000, fin=False) + text(b"x" * 3000, opcode=Opcode.CONT),
        1009,
    ),
    "too long in very many fragments": (
        text(b"", fin=False) + b"".join(text(b"x" * 100, fin=False, opcode=Opcode.CONT) for _ in range(50)),
        1009,
    ),
    "not UTF-8": (text(b'{"t":"p\xff\xfeng"}'), 1007),
    "not UTF-8, in fragments": (text(b"\xe2\x82", fin=False) + text(b"\x41", opcode=Opcode.CONT), 1007),
    "half a surrogate": (text(b'"\xed\xa0\x80"'), 1007),
    "not masked": (text(b'{"t":"pong"}', mask=False), 1002),
    "binary": (text(b'{"t":"pong"}', opcode=Opcode.BINARY), 1003),
    "binary, in fragments": (
        text(b"abc", opcode=Opcode.BINARY, fin=False) + text(b"def", opcode=Opcode.CONT),
        1003,
    ),
    "of an unknown kind": (b"\x83\x80" + bytes(4), 1002),
    "with a reserved bit": (b"\xc1\x80" + bytes(4), 1002),
    "a continuation of nothing": (text(b"abc", opcode=Opcode.CONT), 1002),
    "a new message inside another": (text(b"abc", fin=False) + text(b"def"), 1002),
    "a ping that is too long": (b"\x89\xfe\x00\x7e" + bytes(4 + 126), 1002),
    "a ping in fragments": (b"\x09\x80" + bytes(4), 1002),
    "a closing of one byte": (b"\x88\x81" + bytes(5), 1002),
    "a closing with a code that is none": (b"\x88\x82" + bytes(4) + struct.pack("!H", 999), 1002),
    "a closing whose words are not UTF-8": (b"\x88\x83" + bytes(4) + struct.pack("!H", 1000) + b"\xff", 1007),
    "not a frame at all": (b"GET / HTTP/1.1\r\n\r\n", 1002),
}


@pytest.mark.parametrize("wrong", BROKEN)
async def test_a_frame(wrong: str, caplog: pytest.LogCaptureFixture) -> None:
    data, code = BROKEN[wrong]
    async with misbehaving(caplog) as (here, raw):
        raw.send(data)
        raw.send(text(b'{"t":"cmd","id":"late","do":"leave"}'))  # nothing counts any more
        _, closed = await raw.until_closed()
        assert closed == code
        assert not here.table.submitted
        await raw.close()
        await until(lambda: len(here.table.listeners) == 1)


async def test_who_is_still_sending_learns_why_it_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    async with misbehaving(caplog) as (_, raw):
        raw.send(text(b"x" * 3_000_000))
        assert await raw.until_closed() == ([], 1009)


async def test_random_bytes(caplog: pytest.LogCaptureFixture) -> None:
    for seed in range(20):
        async with misbehaving(caplog, replace(CALM, silence=1.0, ping=0.2, farewell=0.1)) as (_, raw):
            raw.send(Random(seed).randbytes(300))
            await raw.until_closed()


@pytest.mark.parametrize(
    "flood",
    [
        text(b'{"t":"pong"}'),
        text(b'{"t":"take"}'),
        text(b'{"t":"cmd","id":"same","do":"leave"}'),
        text(b"", opcode=Opcode.PING),
        text(b"", opcode=Opcode.PONG),
        text(b"", opcode=Opcode.CONT, fin=False),
    ],
    ids=["pong", "take", "commands", "pings", "pongs", "empty fragments"],
)
async def test_a_flood_is_closed_and_others_go_on(flood: bytes, caplog: pytest.LogCaptureFixture) -> None:
    hundred = replace(USUAL, commands=Rate(100, 10 * PATIENCE))  # on a slow machine no more than these
    async with misbehaving(caplog, caps=hundred) as (here, raw):
        if flood[0] & 15 == Opcode.CONT:
            raw.send(text(b"", fin=False))
        for _ in range(20):
            raw.send(flood * 1000)
        heard, code = await raw.until_closed()
        assert here.connections.counts.flooded == 1
        assert code in (1008, None)  # None: it was still sending when the line was cut
        if code is not None:
            assert (heard[-1]["t"], heard[-1]["code"]) == ("bye", "too_many")
        assert len(here.table.submitted) <= 100  # what a seat may do, whatever a socket sends
        await until(lambda: len(here.connections) == 1)


def stop_reading(raw: Raw) -> None:
    """From now on, bytes pile up at the other side, and soon."""
    below: socket.socket = raw.writer.get_extra_info("socket")
    below.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a read transport as well


async def test_who_does_not_read_is_cut_off_and_takes_no_memory(caplog: pytest.LogCaptureFixture) -> None:
    async with misbehaving(caplog) as (here, raw):
        stop_reading(raw)
        tracemalloc.start()
        try:
            async with asyncio.timeout(PATIENCE):
                while here.connections.counts.stuck == 0:
                    here.table.happen("x" * 10_000)
                    here.table.log.clear()
                    await asyncio.sleep(0.001)
            assert tracemalloc.get_traced_memory()[1] < 4_000_000
        finally:
            tracemalloc.stop()
        await until(lambda: len(here.table.listeners) == 1)
        raw.writer.transport.abort()


async def test_who_talks_and_does_not_listen_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    """Not enough to be too much, but for too long."""
    async with misbehaving(caplog, replace(CALM, stuck=1.0, unread=50_000_000)) as (here, raw):
        stop_reading(raw)
        for _ in range(20):
            here.table.happen("x" * 50_000)
            await asyncio.sleep(0.01)
        async with asyncio.timeout(PATIENCE):
            while here.connections.counts.stuck == 0:
                raw.send(text(b'{"t":"pong"}'))
                await asyncio.sleep(0.1)
        await until(lambda: len(here.table.listeners) == 1)
        raw.writer.transport.abort()


async def test_a_slow_reader_that_catches_up_stays(caplog: pytest.LogCaptureFixture) -> None:
    async with misbehaving(caplog, replace(CALM, unread=50_000_000)) as (here, raw):
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a read transport as well
        for _ in range(100):
            here.table.happen("x" * 50_000)
        await asyncio.sleep(0.3)
        raw.writer.transport.resume_reading()  # type: ignore[attr-defined]
        for number in range(1, 101):
            assert (await raw.message())["v"] == number
        assert here.connections.counts.stuck == 0
        assert len(here.table.listeners) == 2


async def test_half_a_frame_is_not_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    async with misbehaving(caplog, replace(CALM, silence=1.0, ping=0.1)) as (here, raw):
        whole = text(b'{"t":"cmd","id":"drip","do":"leave"}')

        async def drip() -> None:
            for byte in whole[:-1]:
                raw.send(bytes((byte,)))
                await asyncio.sleep(0.06)

        task = asyncio.create_task(drip())
        heard, code = await raw.until_closed()
        task.cancel()
        assert (heard[-1]["code"], code) == ("silent", 1008)
        assert not here.table.submitted
