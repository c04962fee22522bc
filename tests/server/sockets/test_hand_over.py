"""Connections go to the process of their table: two servers in one process, each with a port of its own."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from facedown.server.ops.hand_over import MOST_BYTES, HandOver, process_of
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import Rate
from tests.patience import PATIENCE
from tests.server.sockets.raw import HANDSHAKE, Raw, text
from tests.server.sockets.room import TABLE, USUAL, Room, room, until
from tests.server.test_tls import write_certificate

pytestmark = pytest.mark.anyio
OWNER = process_of(f"/ws/v1/{TABLE}".encode(), 2)
OTHERS = next(each for each in map(str, range(99)) if process_of(b"/ws/v1/" + each.encode(), 2) != OWNER)
"""The id of a table that belongs to the other process."""
SOCKET = HANDSHAKE.replace(b"/ws/v1", f"/ws/v1/{TABLE}".encode())
HELLO = text(b'{"t":"hello","table":"%s","token":"ann\'s","v":null}' % TABLE.encode())


def post(table: str, body: bytes = b"", length: int | None = None, more: str = "") -> bytes:
    size = len(body) if length is None else length
    head = f"POST /api/v1/tables/{table}/seats HTTP/1.1\r\nHost: x\r\n{more}Content-Length: {size}\r\n\r\n"
    return head.encode() + body


async def answer(raw: Raw) -> bytes:
    """The status of the next answer; its body is one digit."""
    head = await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), PATIENCE)
    await raw.reader.readexactly(1)
    return head.split(b"\r\n")[0]


class Process:
    """One of the two processes."""

    def __init__(self, folder: Path, number: int, here: Room) -> None:
        self.here = here
        self.number = number
        self.taken = 0
        self.tasks: set[asyncio.Task[None]] = set()
        self.hand_over = here.guard.hand_over = HandOver(folder, number, 2, self.take)
        self.hand_over.start()

    def take(self, connection: socket.socket, received: bytes) -> None:
        self.taken += 1
        self.tasks.add(asyncio.get_running_loop().create_task(self.here.take(connection, received)))

    @property
    def counted(self) -> tuple[int, int]:
        """Connections that it handed over, and those for which that failed."""
        (_, _, handed), (_, _, kept) = self.hand_over.counts().counters
        return int(handed), int(kept)


@asynccontextmanager
async def processes(folder: Path, *, accepting: Any = None) -> AsyncIterator[tuple[Process, Process]]:
    """The process of the table, and the other one."""
    async with room() as first, room(**(accepting or {})) as second:
        owner, other = Process(folder, OWNER or 0, first), Process(folder, 3 - (OWNER or 0), second)
        yield owner, other
        for each in (owner, other):
            each.hand_over.close()


@contextmanager
def lines(folder: Path) -> Iterator[tuple[list[bytes], HandOver, HandOver, int]]:
    """What the first of two processes has taken over, both of them, and a connection."""
    taken: list[bytes] = []

    def take(connection: socket.socket, received: bytes) -> None:
        connection.close()
        taken.append(received)

    owner, other = HandOver(folder, 1, 2, take), HandOver(folder, 2, 2, take)
    owner.start()
    one, end = socket.socketpair()
    with one, end:
        yield taken, owner, other, one.fileno()
    owner.close()
    other.close()


async def test_a_socket_goes_to_the_process_of_its_table(tmp_path: Path) -> None:
    async with processes(tmp_path) as (owner, other):
        raw = await Raw.connect(other.here.port)
        raw.send(SOCKET + HELLO)  # nothing that came early is lost
        assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        assert (await raw.message())["t"] == "welcome"
        assert (len(owner.here.connections), len(other.here.connections)) == (1, 0)
        await until(lambda: len(other.here.guard) == 0)
        raw.send(text(b'{"t":"cmd","id":"1","do":"say","text":"hi"}'))
        messages = [await raw.message() for _ in range(4)]
        assert "ack" in {each["t"] for each in messages}
        assert other.counted == (1, 0)
        await raw.close()
        await until(lambda: len(owner.here.connections) == 0)

        raw = await Raw.connect(owner.here.port)
        raw.send(SOCKET)
        assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        assert (owner.taken, owner.counted) == (1, (0, 0))
        await raw.close()


async def test_a_request_goes_there_with_its_body(tmp_path: Path) -> None:
    async with processes(tmp_path) as (owner, other):
        raw = await Raw.connect(other.here.port)
        raw.send(post(OTHERS, b"abc"))
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        assert owner.taken == 0
        raw.send(post(TABLE, b"abc", length=6))  # a later request on the same connection
        await until(lambda: owner.taken == 1)
        raw.send(b"def")
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        raw.send(post(OTHERS, b"abc"))
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        assert (other.taken, owner.counted) == (1, (1, 0))
        await raw.close()


async def test_requests_that_were_sent_together_are_answered_in_order(tmp_path: Path) -> None:
    async with processes(tmp_path) as (owner, other):
        raw = await Raw.connect(other.here.port)
        raw.send(post(OTHERS, b"abc") + post(TABLE, b"abcde") + post(OTHERS))
        for body in (b"3", b"5", b"0"):
            assert await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n" + body), PATIENCE)
        assert owner.taken == 0
        raw.send(post(TABLE, b"abcd") + post(OTHERS, b"ab"))
        for body in (b"4", b"2"):
            assert await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n" + body), PATIENCE)
        assert owner.taken == 1
        await raw.close()


@pytest.mark.parametrize(
    "first", [HANDSHAKE, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /ws/v1/%00 HTTP/1.1\r\n\r\n"]
)
async def test_what_names_no_table_is_answered_where_it_came(tmp_path: Path, first: bytes) -> None:
    async with processes(tmp_path) as (owner, other):
        for each in (owner, other):
            raw = await Raw.connect(each.here.port)
            raw.send(first)
            await asyncio.wait_for(raw.reader.readuntil(b"\r\n"), PATIENCE)
            await raw.close()
        assert (owner.taken, other.taken) == (0, 0)


async def test_without_that_process_the_one_that_accepted_serves(tmp_path: Path) -> None:
    async with processes(tmp_path) as (owner, other):
        for handed, kept in ((1, 0), (1, 1)):
            raw = await Raw.connect(other.here.port)
            raw.send(SOCKET)
            assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
            assert other.counted == (handed, kept)
            owner.hand_over.close()
            await raw.close()
        successor = Process(tmp_path, owner.number, owner.here)
        raw = await Raw.connect(other.here.port)
        raw.send(SOCKET)
        assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        assert successor.taken == 1
        await raw.close()
        successor.hand_over.close()


async def test_what_was_on_its_way_is_taken_over_before_the_end(tmp_path: Path) -> None:
    with lines(tmp_path) as (taken, owner, other, connection):
        assert other.send(1, connection, b"one")
        await until(lambda: taken == [b"one"])
        assert other.send(1, connection, b"two")
        assert other.send(1, connection, b"three")
        owner.close()
        assert taken == [b"one", b"two", b"three"]
        assert not other.send(1, connection, b"four")


async def test_a_busy_process_is_not_waited_for(tmp_path: Path) -> None:
    with lines(tmp_path) as (taken, _, other, connection):
        while other.send(1, connection, bytes(MOST_BYTES)):
            pass  # the loop does not run here, and reads nothing
        (_, _, handed), (_, _, kept) = other.counts().counters
        assert (handed > 0, kept) == (True, 1)
        await until(lambda: len(taken) == handed)
        assert other.send(1, connection, b"now")


async def test_an_address_that_sends_too_many_is_refused_where_it_connects(tmp_path: Path) -> None:
    few = {"caps": replace(USUAL, requests=Rate(3, 3600)), "proxies": TrustedProxies(("127.0.0.1",))}
    flooder, family = "X-Forwarded-For: 198.51.100.7\r\n", "X-Forwarded-For: 203.0.113.20\r\n"
    async with processes(tmp_path, accepting=few) as (owner, other):
        for _ in range(5):
            raw = await Raw.connect(other.here.port)
            raw.send(SOCKET.replace(b"Host:", flooder.encode() + b"Host:"))
            head = await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), PATIENCE)
            await raw.close()
        assert head.startswith(b"HTTP/1.1 429 ")
        assert other.counted == (3, 0)
        raw = await Raw.connect(other.here.port)
        raw.send(post(TABLE, b"abc", more=family))
        assert await answer(raw) == b"HTTP/1.1 200 OK"
        assert owner.taken == 4
        await raw.close()


async def test_a_tls_connection_stays_where_it_was_accepted(tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path / "tls")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    (tmp_path / "lines").mkdir()
    async with processes(tmp_path / "lines", accepting={"tls": context}) as (owner, other):
        trusting = ssl.create_default_context(cafile=certificate)
        raw = Raw(*await asyncio.open_connection("127.0.0.1", other.here.port, ssl=trusting))
        raw.send(SOCKET)
        assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        assert (owner.taken, len(other.here.connections)) == (0, 1)
        await raw.close()
