"""The guard of HTTP connections: half-sent, endless, too large and too many requests."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib.metadata import requires, version

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from facedown.server.http.guard import HttpLimits
from facedown.server.ops.proxies import TrustedProxies
from tests.patience import PATIENCE
from tests.server.sockets.raw import HANDSHAKE, Raw
from tests.server.sockets.room import BRISK, USUAL, room, until

pytestmark = pytest.mark.anyio
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def answer(raw: Raw) -> bytes:
    head = await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), PATIENCE)
    length = next(
        int(line.partition(b":")[2])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length")
    )
    await asyncio.wait_for(raw.reader.readexactly(length), PATIENCE)
    return head.split(b"\r\n")[0]


async def test_a_request_is_answered_and_the_next_one_too() -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        for _ in range(3):
            raw.send(GET)
            assert await answer(raw) == b"HTTP/1.1 200 OK"
        raw.send(GET + GET)
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        await raw.close()


@pytest.mark.parametrize(
    "begun", [b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\r\n\r\n", GET[:-2], b"\x00"[:0]]
)
async def test_the_server_does_not_wait_for_missing_headers(begun: bytes) -> None:
    async with room(patience=BRISK) as here:
        raw = await Raw.connect(here.port)
        raw.send(begun)
        assert (await raw.rest()).startswith(b"HTTP/1.1 408 ")
        assert here.guard.counts.late == 1
        await until(lambda: len(here.guard) == 0)
        await raw.close()


async def test_the_server_does_not_wait_for_headers_that_drip() -> None:
    async with room(patience=BRISK) as here:
        raw = await Raw.connect(here.port)

        async def drip() -> None:
            for number in range(1000):
                raw.send(b"GET / HTTP/1.1\r\n" if number == 0 else b"X-%d: a\r\n" % number)
                await asyncio.sleep(0.02)

        task = asyncio.create_task(drip())
        await raw.rest()
        assert here.guard.counts.late == 1
        task.cancel()
        await raw.close()


async def test_the_second_request_of_a_connection_has_no_more_time() -> None:
    async with room(patience=BRISK) as here:
        raw = await Raw.connect(here.port)
        raw.send(GET)
        await answer(raw)
        raw.send(GET[:-2])
        assert (await raw.rest()).startswith(b"HTTP/1.1 408 ")
        await raw.close()


async def test_blank_lines_keep_no_connection_open() -> None:
    async with room(patience=BRISK) as here:
        raw = await Raw.connect(here.port)
        raw.send(GET)
        await answer(raw)

        async def blanks() -> None:
            while True:
                raw.send(b"\r\n")
                await asyncio.sleep(0.05)

        task = asyncio.create_task(blanks())
        await raw.rest()
        assert here.guard.counts.late == 1
        task.cancel()
        await raw.close()


@pytest.mark.parametrize(
    "head",
    [
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
    ],
)
async def test_the_server_does_not_wait_for_a_missing_body(head: bytes) -> None:
    async with room(patience=BRISK) as here:
        raw = await Raw.connect(here.port)
        raw.send(head)
        assert (await raw.rest()) in (b"", b"HTTP/1.1 100 Continue\r\n\r\n")
        assert here.guard.counts.late == 1
        await raw.close()
        await until(lambda: not here.state.tasks)


async def test_a_body_in_pieces_is_read() -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        raw.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc")
        await asyncio.sleep(0.1)
        raw.send(b"def")
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        await raw.close()


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_head_that_is_too_large_is_refused(at_once: bool) -> None:
    async with room(patience=HttpLimits(tick=0.03)) as here:
        raw = await Raw.connect(here.port)
        fields = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 1000) for number in range(40))
        raw.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + fields + (b"\r\n" if at_once else b""))
        assert (await raw.rest())[:13] in (b"HTTP/1.1 431 ", b"")  # or the reset that follows it
        assert here.guard.counts.too_large == 1
        await raw.close()


async def test_an_address_that_never_ends_is_refused() -> None:
    async with room(patience=HttpLimits(tick=0.03)) as here:
        raw = await Raw.connect(here.port)
        raw.send(b"GET /" + b"a" * 20_000)
        assert (await raw.rest())[:13] in (b"HTTP/1.1 431 ", b"")
        assert here.guard.counts.too_large == 1
        await raw.close()


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a TLS handshake
        b"HELO\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
async def test_what_is_not_http_is_refused_without_a_word_in_the_log(
    garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        raw.send(garbage)
        assert (await raw.rest()).startswith(b"HTTP/1.1 400 ")
        await raw.close()
    assert caplog.text == ""


async def test_the_connections_of_one_address_are_limited() -> None:
    async with room(caps=replace(USUAL, connections=2), patience=HttpLimits(tick=0.03)) as here:
        first, second, third = [await Raw.connect(here.port) for _ in range(3)]
        assert (await third.rest()).startswith(b"HTTP/1.1 429 ")
        assert here.guard.counts.crowded == 1
        await first.close()
        await until(lambda: len(here.guard) == 1)
        fourth = await Raw.connect(here.port)
        fourth.send(GET)
        assert await answer(fourth) == b"HTTP/1.1 200 OK"
        for raw in (second, third, fourth):
            await raw.close()


async def test_a_proxy_may_have_more() -> None:
    async with room(caps=replace(USUAL, connections=1), proxies=TrustedProxies(("127.0.0.1",))) as here:
        for raw in [await Raw.connect(here.port) for _ in range(3)]:
            raw.send(GET)
            assert await answer(raw) == b"HTTP/1.1 200 OK"
            await raw.close()


async def test_a_socket_no_longer_counts_as_a_connection() -> None:
    async with room(caps=replace(USUAL, connections=1)) as here:
        sockets = [await Raw.socket(here.port) for _ in range(3)]
        assert len(here.guard) == 0
        for raw in sockets:
            await raw.close()


async def test_an_unread_answer_is_dropped() -> None:
    async with room(patience=BRISK) as here:
        raw = await Raw.connect(here.port)
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a read transport as well
        raw.send(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            while here.guard.counts.unread == 0:
                await asyncio.sleep(0.05)
        await until(lambda: len(here.guard) == 0)
        await until(lambda: not here.state.tasks)
        raw.writer.transport.abort()


async def test_a_request_for_another_upgrade_is_answered_as_usual() -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        raw.send(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n")
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        await raw.close()


@pytest.mark.parametrize(
    ("changed", "to", "status"),
    [
        (b"GET", b"POST", b"405"),
        (b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 8", b"400"),
        (b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n", b"", b"400"),
        (b"MDEyMzQ1Njc4OWFiY2RlZg==", b"short", b"400"),
        (b"MDEyMzQ1Njc4OWFiY2RlZg==", "é".encode(), b"400"),
        (b"Host:", b"Origin: a\r\nOrigin: b\r\nHost:", b"400"),
        (b"facedown.v1", b"facedown.v1,,\x7f", b"400"),
        (b"facedown.v1", b"facedown.v2", b"400"),
    ],
)
async def test_a_handshake_that_is_none(changed: bytes, to: bytes, status: bytes) -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        raw.send(HANDSHAKE.replace(changed, to))
        assert (await raw.rest())[9:12] == status
        await raw.close()
        await until(lambda: len(here.connections.limits.sockets) == 0)


@pytest.mark.parametrize(
    "name",
    [
        *("_unset_keepalive_if_required", "_should_upgrade", "handle_websocket_upgrade"),
        *("data_received", "pause_writing", "resume_writing"),
        *("on_message_begin", "on_headers_complete", "on_message_complete"),
    ],
)
def test_uvicorn_still_has_the_names_that_the_guard_calls_or_overrides(name: str) -> None:
    assert callable(getattr(HttpToolsProtocol, name, None))


async def test_uvicorn_still_has_the_state_that_the_guard_reads() -> None:
    async with room() as here:
        raw = await Raw.connect(here.port)
        raw.send(GET)
        await answer(raw)
        (connection,) = here.state.connections
        assert isinstance(connection, HttpToolsProtocol)
        assert connection.flow.read_paused is False
        assert connection.cycle.response_complete is True
        assert connection.cycle.keep_alive is True
        assert connection.client is not None
        assert (connection.url, connection.headers[0]) == (b"/", (b"host", b"x"))
        await raw.close()


def test_the_extra_pins_the_minor_version_of_uvicorn() -> None:
    """A new one may rename any of these: it is taken on purpose, never by an install."""
    pins = [each for each in requires("facedown") or () if each.startswith("uvicorn")]
    major, minor = version("uvicorn").split(".")[:2]
    assert pins
    assert all(f">={major}.{minor}" in pin and f"<{major}.{int(minor) + 1}" in pin for pin in pins)
