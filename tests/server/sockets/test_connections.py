"""The socket itself: handshake, fragments, pings, silence, goodbyes."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from dataclasses import replace
from unittest.mock import Mock

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Opcode
from websockets.typing import Origin, Subprotocol

from facedown.protocol.messages import Clock
from facedown.server.http.guard import GuardedConnection
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import Limits
from facedown.server.sockets.connection import WebSocketConnection
from facedown.server.sockets.connections import AUDIENCE_AT_ONCE, WebSocketConnections
from facedown.server.sockets.frames import text_frame
from facedown.server.sockets.handshake import Handshake
from tests.patience import PATIENCE

from .messages import answered, hear
from .raw import HANDSHAKE, Raw, text
from .room import CALM, QUICK, TABLE, USUAL, joined, room, until

pytestmark = pytest.mark.anyio
HELLO = json.dumps({"t": "hello", "table": TABLE}).encode()


async def test_the_subprotocol_is_agreed_on_and_nothing_is_compressed() -> None:
    async with room() as here, here.call(compression="deflate") as client:
        assert client.subprotocol == "facedown.v1"
        assert client.response is not None
        assert "Sec-WebSocket-Extensions" not in client.response.headers
        assert "Server" not in client.response.headers


@pytest.mark.parametrize("offered", [[], [Subprotocol("chess.v1")]])
async def test_without_the_subprotocol_there_is_no_socket(offered: list[Subprotocol]) -> None:
    async with room() as here:
        with pytest.raises(InvalidStatus) as refused:
            await here.call(subprotocols=offered or None)
        assert refused.value.response.status_code == 400


@pytest.mark.parametrize("path", [b"/ws/v2", b"/ws/v11", b"/ws/v1/", b"/ws/v1/T/x", b"/ws/v1/%2e"])
async def test_another_path_has_no_socket(path: bytes) -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        raw.send(HANDSHAKE.replace(b"/ws/v1", path))
        assert (await raw.rest()).startswith(b"HTTP/1.1 404 ")
        await raw.close()


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://127.0.0.1:{port}", True),
        ("https://cards.example.org", True),
        ("http://127.0.0.1:1", False),
        ("http://evil.example.org", False),
        ("https://cards.example.org.evil.net", False),
        ("http://cards.example.org", False),
        ("null", False),
        ("http://[", False),
    ],
)
async def test_only_pages_of_this_server_may_connect(origin: str | None, allowed: bool) -> None:
    async with room(public_url="https://cards.example.org") as here:
        call = here.call(origin=Origin(origin.format(port=here.port)) if origin else None)
        if allowed:
            await (await call).close()
            return
        with pytest.raises(InvalidStatus) as refused:
            await call
        assert refused.value.response.status_code == 403


async def test_texts_for_many_are_framed_once() -> None:
    async with room() as here:
        texts = (b'{"t":"ev"}', b'{"t":"here"}')
        assert here.connections.frames_of(texts) == b"".join(map(text_frame, texts))
        assert here.connections.frames_of(texts) is here.connections.frames_of(texts)


def open_connection(
    connections: WebSocketConnections, number: int, written: list[int], *, watches: bool
) -> WebSocketConnection:
    """A connection that notes when it was written to."""
    connection = WebSocketConnection(connections, set())
    connection._transport = Mock(
        is_closing=lambda: False, get_write_buffer_size=lambda: 0, write=lambda _: written.append(number)
    )
    connection._open = True
    connection.watches = watches
    return connection


async def test_players_are_written_to_before_a_large_audience_and_between_parts_of_it() -> None:
    connections, written = WebSocketConnections(Mock(), Limits(USUAL)), list[int]()
    audience, first, second = range(250), 1000, 2000
    for number in audience:
        open_connection(connections, number, written, watches=True).send(b"")
    open_connection(connections, first, written, watches=False).send(b"")
    await asyncio.sleep(0)
    open_connection(connections, second, written, watches=False).send(b"")
    await until(lambda: len(written) == len(audience) + 2)
    one, two = audience[:AUDIENCE_AT_ONCE], audience[AUDIENCE_AT_ONCE:]
    assert written == [first, *one, second, *two]


async def test_one_address_has_so_many_sockets_and_no_more() -> None:
    async with room(caps=replace(USUAL, sockets=2)) as here:
        async with here.call(), here.call() as second:
            with pytest.raises(InvalidStatus) as refused:
                await here.call()
            assert refused.value.response.status_code == 429
            assert refused.value.response.headers["Retry-After"] == "10"
            await second.close()
            await until(lambda: len(here.connections) == 1)
            await (await here.call()).close()
        await until(lambda: len(here.connections.limits.sockets) == 0)
        await until(lambda: len(here.connections) == 0)


async def test_behind_a_proxy_everybody_has_their_own_address() -> None:
    async with room(
        caps=replace(USUAL, sockets=1, connections=1), proxies=TrustedProxies(("127.0.0.0/8",))
    ) as here:
        ann = {"X-Forwarded-For": "192.0.2.1"}
        async with (
            here.call(additional_headers=ann),
            here.call(additional_headers={"X-Forwarded-For": "192.0.2.1, 192.0.2.2"}),
        ):
            with pytest.raises(InvalidStatus):
                await here.call(additional_headers=ann)


async def test_a_stranger_s_forwarded_address_is_not_believed() -> None:
    forged = {"X-Forwarded-For": "192.0.2.1"}
    async with room(caps=replace(USUAL, sockets=1)) as here, here.call(additional_headers=forged):
        with pytest.raises(InvalidStatus):
            await here.call(additional_headers={"X-Forwarded-For": "192.0.2.2"})


async def test_a_small_message_may_come_in_fragments_with_a_ping_between() -> None:
    async with room() as here:
        raw = await Raw.socket(here.port)
        raw.send(text(HELLO[:10], fin=False))
        raw.send(text(b"between", opcode=Opcode.PING))
        raw.send(text(HELLO[10:20], fin=False, opcode=Opcode.CONT))
        raw.send(text(HELLO[20:], opcode=Opcode.CONT))
        assert await raw.frame() == (Opcode.PONG, b"between")
        for wanted in ("welcome", "links", "snap"):
            assert (await raw.message())["t"] == wanted
        await raw.close()


async def test_bytes_may_come_one_by_one() -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        for byte in HANDSHAKE + text(HELLO):
            raw.send(bytes((byte,)))
            await raw.writer.drain()
            await asyncio.sleep(0)
        assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        assert (await raw.message())["t"] == "welcome"
        await raw.close()


async def test_what_comes_with_the_handshake_is_not_lost() -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        raw.send(HANDSHAKE + text(HELLO))
        await raw.reader.readuntil(b"\r\n\r\n")
        assert (await raw.message())["t"] == "welcome"
        await raw.close()


async def test_messages_arrive_in_order_whatever_their_length() -> None:
    async with room() as here, here.call() as client:
        await joined(client)
        lengths = [0, 1, 60, 125, 126, 127, 65_000, 65_536, 3, 70_000]
        for length in lengths:
            here.table.happen("x" * length)
        heard = [json.loads(await client.recv()) for _ in lengths]
        assert [len(each.get("text", "")) for each in heard] == lengths
        assert [each["v"] for each in heard] == list(range(1, 11))


async def test_who_does_not_say_hello_is_closed() -> None:
    async with room(QUICK) as here, here.call() as client:
        bye = json.loads(await client.recv())
        assert (bye["t"], bye["code"], bye["again"]) == ("bye", "no_hello", None)
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


async def test_a_protocol_ping_is_no_hello() -> None:
    async with room(QUICK) as here:
        raw = await Raw.socket(here.port)

        async def chatter() -> None:
            while True:
                raw.send(text(b"", opcode=Opcode.PING))
                await asyncio.sleep(0.05)

        task = asyncio.create_task(chatter())
        heard, code = await raw.until_closed()
        task.cancel()
        assert (heard[-1]["code"], code) == ("no_hello", 1008)
        await raw.close()


async def test_pings_carry_the_newest_event_and_keep_a_line_open() -> None:
    async with (
        room(replace(QUICK, hello=30.0, ping=0.3, silence=3.0, stuck=30.0)) as here,
        here.call() as client,
    ):
        await joined(client)
        here.table.happen()
        for _ in range(12):  # longer than the silence that is allowed
            assert (await hear(client, "ping"))["v"] == 1
            await client.send('{"t":"pong"}')
        assert here.connections.counts.silent == 0


SELDOM = replace(CALM, ping=1000.0, live_ping=0.2, silence=100_000.0)
"""Pings come to tables with a live clock alone."""


async def test_at_a_live_clock_pings_come_as_often_as_the_welcome_says() -> None:
    async with room(SELDOM) as here, here.call() as client:
        here.table.clock = Clock("decision")
        began = time.monotonic()
        welcome, *_ = await joined(client)
        assert welcome["ping"] == 200
        for _ in range(5):
            assert json.loads(await asyncio.wait_for(client.recv(), PATIENCE))["t"] == "ping"
        assert time.monotonic() - began > 0.2 * (0.5 + 4)  # the first one comes after half of it at least


async def test_at_a_live_clock_a_silent_socket_is_closed_sooner_in_proportion() -> None:
    async with room(replace(SELDOM, silence=3000.0)) as here, here.call() as without:
        assert (await joined(without))[0]["ping"] == 1_000_000
        here.table.clock = Clock("decision")
        live = await Raw.socket(here.port)
        live.send(text(HELLO))
        heard, code = await live.until_closed()
        assert [each["t"] for each in heard[:4]] == ["welcome", "links", "snap", "ping"]
        assert (heard[-1]["code"], code) == ("silent", 1008)
        await answered(without)
        assert here.connections.counts.silent == 1
        await live.close()


async def test_a_silent_socket_is_closed() -> None:
    async with room(replace(QUICK, hello=30.0, silence=2.0)) as here:
        raw = await Raw.socket(here.port)
        raw.send(text(HELLO))
        heard, code = await raw.until_closed()
        assert [each["t"] for each in heard[:4]] == ["welcome", "links", "snap", "ping"]
        assert (heard[-1]["t"], heard[-1]["code"], heard[-1]["again"], code) == ("bye", "silent", 2000, 1008)
        assert here.connections.counts.silent == 1
        await until(lambda: not here.table.listeners)
        await raw.close()


async def test_who_does_not_answer_the_closing_is_cut_off() -> None:
    async with room(QUICK) as here:
        raw = await Raw.socket(here.port)
        heard, code = await raw.until_closed()  # answers nothing; the end comes all the same
        assert (heard[-1]["code"], code) == ("no_hello", 1008)
        await until(lambda: len(here.connections) == 0)
        await raw.close()


async def test_a_client_that_closes_is_answered() -> None:
    async with room() as here:
        client = await here.call()
        await joined(client)
        await client.close(1000, "done")
        assert client.close_code == 1000
        await until(lambda: len(here.connections) == 0)
        await until(lambda: not here.table.listeners)


async def test_a_connection_that_breaks_off_leaves_nothing_behind() -> None:
    async with room() as here:
        raw = await Raw.socket(here.port)
        raw.send(text(HELLO))
        await raw.message()
        raw.writer.transport.abort()
        await until(lambda: len(here.connections) == 0)
        await until(lambda: not here.table.listeners)
        await until(lambda: not here.state.connections)


async def test_the_house_says_goodbye_before_it_closes() -> None:
    async with room() as here:
        async with here.call() as client:
            await joined(client)
            here.connections.draining = True
            for connection in list(here.state.connections):
                connection.shutdown()
            bye = json.loads(await client.recv())
            assert (bye["t"], bye["code"]) == ("bye", "draining")
            assert 200 <= bye["again"] < 2000  # not all come back at once
            with pytest.raises(ConnectionClosed) as closed:
                await client.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        with pytest.raises(InvalidStatus) as refused:
            await here.call()
        assert refused.value.response.status_code == 503


async def test_a_connection_that_has_ended_is_freed_without_the_garbage_collector() -> None:
    """A server looks for garbage rarely: what only the collector frees would fill its memory for hours."""

    def connections() -> int:
        kinds = (Handshake, GuardedConnection, WebSocketConnection)
        return sum(type(each) in kinds for each in gc.get_objects())

    async with room() as here:
        gc.collect()
        gc.disable()
        try:
            before = connections()  # of servers that other tests share
            async with here.call() as client:
                await joined(client, "ann's")
                assert connections() > before
            await until(lambda: connections() <= before)
        finally:
            gc.enable()
