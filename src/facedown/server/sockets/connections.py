"""All WebSocket connections of a server: makes one for each upgrade, counts them, batches their writes, and
checks their deadlines with one timer.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Container
from typing import Any, Final, cast, final

from uvicorn.config import Config
from uvicorn.server import ServerState

from facedown.server.ops.metrics import ConnectionCounts
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import Limits, Rate
from facedown.server.sockets.connection import WebSocketConnection
from facedown.server.sockets.contract import Channel, MessageHandler, SocketLimits
from facedown.server.sockets.frames import text_frame

AUDIENCE_AT_ONCE: Final = 100
"""Spectators flushed per iteration of the event loop (about 1 ms of work)."""


@final
class WebSocketConnections:
    """The set of open WebSocket connections, and what they share."""

    def __init__(
        self,
        handler: Callable[[Channel], MessageHandler],
        limits: Limits,
        bounds: SocketLimits | None = None,
        *,
        public_url: str = "",
        secure: bool = False,
        proxies: TrustedProxies | None = None,
        hosts: Container[str] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.handler = handler
        self.limits = limits
        self.frames: Rate = limits.caps.frames
        self.bounds = bounds or SocketLimits()
        self.public_url = public_url  # its pages may connect, besides those of the request's host
        self.secure = secure  # people reach the server over TLS
        self.proxies = proxies or TrustedProxies()
        self.hosts = hosts  # host names of the server; None: any
        self.now = now
        self.draining = False  # no new connections
        self.counts = ConnectionCounts()
        self._all: set[WebSocketConnection] = set()
        self._scheduled: list[WebSocketConnection] = []
        self._watching: deque[WebSocketConnection] = deque()
        self._flush_due = False
        self._identified = 0
        self._timer: asyncio.TimerHandle | None = None
        self._texts: tuple[bytes, ...] = ()
        self._framed = b""

    def __len__(self) -> int:
        return len(self._all)

    def protocol(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> WebSocketConnection:
        """A new connection, in the signature that uvicorn calls."""
        return WebSocketConnection(self, cast("set[Any]", server_state.connections))

    def frames_of(self, texts: tuple[bytes, ...]) -> bytes:
        """Texts as frames; the same texts for several connections in a row are framed once."""
        if texts is not self._texts:
            self._texts = texts
            self._framed = b"".join([text_frame(text) for text in texts])
        return self._framed

    def schedule(self, connection: WebSocketConnection) -> None:
        """Flush this connection in the next iteration of the event loop: one write for all its messages."""
        (self._watching if connection.watches else self._scheduled).append(connection)
        self._flush_soon()

    def _flush_soon(self) -> None:
        if not self._flush_due:
            self._flush_due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        """Write to players, then to some spectators: a large audience delays no player."""
        self._flush_due = False
        scheduled, self._scheduled = self._scheduled, []
        for connection in scheduled:
            connection.flush()
        watching = self._watching
        for _ in range(min(len(watching), AUDIENCE_AT_ONCE)):
            watching.popleft().flush()
        if watching:
            self._flush_soon()

    def spread(self) -> float:
        """The fraction of the ping interval before the first ping: connections that opened together are not
        pinged together.
        """
        self._identified += 1
        return 0.5 + (self._identified % 16) / 32

    def add(self, connection: WebSocketConnection) -> None:
        self._all.add(connection)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.bounds.tick, self._check)

    def remove(self, connection: WebSocketConnection) -> None:
        self._all.discard(connection)
        if connection.address:
            self.limits.sockets.leave(connection.address)

    def _check(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self.bounds.tick, self._check)
        now = self.now()
        for connection in [connection for connection in self._all if connection.due <= now]:
            connection.check(now)
        if not self._all:
            self._timer.cancel()
            self._timer = None
