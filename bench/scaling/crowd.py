"""Many WebSockets in one light process: they say hello, answer pings, and note when a reveal comes.

Run by `bench/scale.py` as a program of its own:  crowd.py ADDRESS TABLES(comma-separated) SOCKETS
Says `ready` once all are welcome; at the end of its input it writes one JSON object: for each reveal its
number, and how many milliseconds after the server's own time of it the first and the last socket had it.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import sys
import time
from functools import partial
from typing import Final, cast

_REVEAL: Final = re.compile(rb'"v":(\d+),"k":"revealed","at":(\d+)')
_AT_ONCE: Final = 100


def masked(text: bytes) -> bytes:
    """A short text as a client's frame, with a mask of zeros."""
    size = len(text)
    head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
    return head + bytes(4) + text


_PONG: Final = masked(b'{"t":"pong"}')


class Watcher(asyncio.Protocol):
    """One socket that watches a table."""

    __slots__ = ("_crowd", "_transport", "table")

    def __init__(self, crowd: Crowd, table: str) -> None:
        self._crowd = crowd
        self.table = table
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(
            b"GET /ws/v1 HTTP/1.1\r\nHost: %b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Protocol: facedown.v1\r\n\r\n"
            % self._crowd.host
            + masked(json.dumps({"t": "hello", "table": self.table}).encode())
        )

    def data_received(self, data: bytes) -> None:
        crowd = self._crowd
        if b'"k":"revealed"' in data:
            for v, at in _REVEAL.findall(data):
                crowd.heard(int(v), int(at))
        if b'"t":"ping"' in data and self._transport is not None:
            self._transport.write(_PONG)
        if b'"t":"snap"' in data:
            crowd.welcome += 1

    def connection_lost(self, exc: Exception | None) -> None:
        self._crowd.lost += 1


class Crowd:
    """All sockets, and what they heard."""

    def __init__(self, host: bytes) -> None:
        self.host = host
        self.welcome = self.lost = 0
        self.reveals: dict[int, list[float]] = {}
        """By the number of the event: when it first came, when it last did, and how often it came."""

    def heard(self, v: int, at: int) -> None:
        """A socket received a reveal."""
        late = time.time() * 1000 - at
        first, _, count = self.reveals.get(v, (late, late, 0))
        self.reveals[v] = [first, late, count + 1]


async def watch(address: str, tables: list[str], sockets: int) -> None:
    """Connect all of them, some at a time, and listen until the input ends."""
    loop = asyncio.get_running_loop()
    host, port = address.rsplit(":", 1)
    crowd = Crowd(address.encode())
    for start in range(0, sockets, _AT_ONCE):
        some = range(start, min(start + _AT_ONCE, sockets))
        watchers = [partial(Watcher, crowd, tables[number % len(tables)]) for number in some]
        await asyncio.gather(*(loop.create_connection(each, host, int(port)) for each in watchers))
        while crowd.welcome + crowd.lost < some.stop:
            await asyncio.sleep(0.01)
    print(json.dumps({"ready": crowd.welcome, "lost": crowd.lost}), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps({"lost": crowd.lost, "reveals": crowd.reveals}), flush=True)


def main() -> None:
    """From the command line."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    address, tables, sockets = sys.argv[1:]
    try:
        import uvloop
    except ImportError:
        asyncio.run(watch(address, tables.split(","), int(sockets)))
    else:
        uvloop.run(watch(address, tables.split(","), int(sockets)))


if __name__ == "__main__":
    main()
